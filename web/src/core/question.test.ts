// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { askedOf } from "./compare";
import type { Compiled, Question } from "./question";
import { compile, everything } from "./question";
import { itemsOf, routeOf, urlOf } from "./route";
import type { Route } from "./route";
import { schemaOf } from "./schema";
import { gameTable } from "./testing";

const schema = schemaOf(gameTable);

function compiled(question: Partial<Question>): Compiled {
  const result = compile({ ...everything, ...question }, schema);
  if (!result.ok) throw new Error(result.message);
  return result.compiled;
}

describe("a question", () => {
  test("with the partition key is a Query", () => {
    const { operation, request, filtered } = compiled({
      partition: ["PLAYER#u1"],
      sort: [{ name: "sk", operator: "begins_with", type: "S", values: ["MATCH#"] }],
      descending: true,
      consistent: true,
    });
    expect(operation).toBe("Query");
    expect(filtered).toBe(false);
    expect(request).toEqual({
      TableName: "Game",
      KeyConditionExpression: "#n0 = :v0 AND begins_with(#n1, :v1)",
      ExpressionAttributeNames: { "#n0": "pk", "#n1": "sk" },
      ExpressionAttributeValues: { ":v0": { S: "PLAYER#u1" }, ":v1": { S: "MATCH#" } },
      ScanIndexForward: false,
      ConsistentRead: true,
    });
  });

  test("without it is a Scan, and its other conditions are a filter", () => {
    const { operation, request, filtered } = compiled({ sort: [{ name: "sk", operator: "=", type: "S", values: ["PROFILE"] }] });
    expect([operation, filtered]).toEqual(["Scan", true]);
    expect(request.FilterExpression).toBe("#n0 = :v0");
    expect(request.KeyConditionExpression).toBeUndefined();
    expect(compiled({}).request).toEqual({ TableName: "Game" });
  });

  test("keeps the digits of a number and refuses what is none", () => {
    const digits = "12345678901234567890123456789012345678";
    const range = { name: "rating", operator: ">=" as const, type: "N" as const };
    const { request } = compiled({ index: "bySeason", partition: ["S1"], sort: [{ ...range, values: [digits] }] });
    expect(request.ExpressionAttributeValues?.[":v1"]).toEqual({ N: digits });
    const wrong = compile({ ...everything, index: "bySeason", partition: ["S1"], sort: [{ ...range, values: ["many"] }] }, schema);
    expect(wrong).toEqual({ ok: false, message: "“many” for rating is no number." });
    expect(compile({ ...everything, index: "gone" }, schema).ok).toBe(false);
  });

  test("scans a part of the table only without a key", () => {
    const segment = { number: 2, total: 10 };
    expect(compiled({ segment }).request).toEqual({ TableName: "Game", Segment: 2, TotalSegments: 10 });
    expect(compiled({ segment, partition: ["a"] }).request.Segment).toBeUndefined();
  });

  test("is put to another structure by what it says of attributes", () => {
    const asked: Question = { ...everything, index: "bySeason", partition: ["S1"], sort: [{ name: "rating", operator: ">", type: "N", values: ["9"] }] };
    const onTable = askedOf(schema.structures[0], asked, schema);
    expect(onTable.partition).toEqual([]);
    expect(onTable.filters.map((each) => each.name)).toEqual(["season", "rating"]);
    const back = askedOf(schema.structures[1]!, { ...onTable }, schema);
    expect(back.partition).toEqual(["S1"]);
    expect(back.sort.map((each) => each.name)).toEqual(["rating"]);
    expect(back.filters).toEqual([]);
  });
});

describe("an address", () => {
  const routes: Route[] = [
    { screen: "home" },
    { screen: "schema", table: "a.b_c-d" },
    { screen: "partiql", statement: `SELECT * FROM "a" WHERE pk = 'é&#?'` },
    { screen: "itemSize" },
    { screen: "price" },
    itemsOf("Game"),
    {
      screen: "items",
      table: "Game",
      view: "compare",
      item: '[{"S":"a"}]',
      question: {
        index: "bySeason",
        partition: ["a=b&c #"],
        sort: [{ name: "rating", operator: "between", type: "N", values: ["1", "2"] }],
        filters: [{ name: "~,\"", operator: "exists", type: "S", values: [] }],
        descending: true,
        consistent: true,
        segment: { number: 3, total: 10 },
      },
    },
  ];
  test.each(routes)("of $screen leads back", (route) => {
    const url = new URL(urlOf(route), "http://localhost");
    expect(routeOf(url.pathname, url.search)).toEqual(route);
  });

  test("that is wrong harms nothing", () => {
    expect(routeOf("/studio/nothing", "")).toEqual({ screen: "unknown", path: "/studio/nothing" });
    expect(routeOf("/studio/tables/%E0%A4%A", "").screen).toBe("unknown");
    const route = routeOf("/studio/tables/Game", "?sk=nonsense&filter=[1]&segment=9/3&filter=%5B%22a%22,%22drop%22,%22S%22%5D");
    expect(route).toEqual(itemsOf("Game"));
  });
});
