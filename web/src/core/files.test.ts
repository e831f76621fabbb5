// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import type { Item } from "./attribute";
import { summary, visible } from "./attribute";
import { columnsMax, extended } from "./columns";
import { colourOf, entityOf, keyParts } from "./entity";
import { examples } from "./examples/index";
import { printCsv, printCsvHead, printLine, readCsv, readLines } from "./ndjson";
import { schemaOf } from "./schema";
import { mayWrite, selectAll } from "./statement";
import { gameTable } from "./testing";
import { emptyForm, faultOf, requestOf } from "./table_form";

const schema = schemaOf(gameTable);

describe("files", () => {
  const item: Item = { pk: { S: "a,b" }, sk: { S: 'say "x"\nnow' }, n: { N: "12345678901234567890123456789012345678" }, l: { L: [{ N: "1" }] } };

  test("of lines are read back as they were written", () => {
    expect(readLines(`${printLine(item)}\n\n${printLine(item)}`)).toEqual({ items: [item, item], faults: [] });
    expect(readLines('{"pk": {"S": "a"}}').items).toEqual([{ pk: { S: "a" } }]);
    expect(readLines('{"pk": "a", "n": 1.50}').items).toEqual([{ pk: { S: "a" }, n: { N: "1.50" } }]);
    expect(readLines('{"a": 1}\nnonsense').faults).toEqual([{ line: 2, message: "A value is expected here." }]);
  });

  test("of CSV keep digits, quotes and line breaks", () => {
    const names = ["pk", "sk", "n", "l"];
    expect(readCsv(printCsvHead(names) + printCsv(names, [item, item]), schema)).toEqual({ items: [item, item], faults: [] });
    expect(readCsv("pk,sk\na,", schema).faults).toEqual([{ line: 2, message: "The key attribute sk is missing." }]);
    expect(readCsv("pk,sk,zip\n1,2,007\n", schema).items).toEqual([{ pk: { S: "1" }, sk: { S: "2" }, zip: { S: "007" } }]);
  });
});

describe("what is shown", () => {
  test("is cut and has nothing hidden in it", () => {
    expect(summary({ S: "x".repeat(400_000) }).length).toBe(201);
    expect(visible("a\u202eb\u0000c\u200bd")).toBe("a⟨U+202E⟩b␀c⟨U+200B⟩d");
    let deep: Item[string] = { S: "end" };
    for (let i = 0; i < 32; i++) deep = { M: { a: deep } };
    expect(summary(deep).length).toBeLessThan(300);
  });

  test("has no more columns than a person can read", () => {
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, { N: "1" }]));
    const columns = extended([], ["pk"], [{ pk: { S: "x" }, ...wide }]);
    expect(columns.length).toBe(columnsMax);
    expect(columns[0]?.name).toBe("pk");
    expect(extended(columns, ["pk"], [wide])).toBe(columns);
  });

  test("names entities by their prefixes", () => {
    expect(keyParts("MATCH#2026")).toEqual({ prefix: "MATCH#", rest: "2026" });
    expect(keyParts("PROFILE")).toEqual({ prefix: "PROFILE", rest: "" });
    expect(keyParts("8842")).toEqual({ prefix: "", rest: "8842" });
    const base = schema.structures[0];
    expect(entityOf({ pk: { S: "PLAYER#1" }, sk: { S: "MATCH#2" } }, base)?.name).toBe("Match");
    expect(entityOf({ pk: { S: "1" }, sk: { S: "2" } }, base)).toBeNull();
    const colours = ["PLAYER", "MATCH", "PROFILE", "ORDER"].map(colourOf);
    expect(new Set(colours).size).toBe(4);
  });
});

describe("a new table", () => {
  test("is asked for as CreateTable wants it", () => {
    const form = { ...emptyForm, name: "Game", indexes: [{ name: "gsi1", partition: { name: "a", type: "N" as const }, sort: { name: "", type: "S" as const }, projection: "ALL" as const }] };
    expect(faultOf(form, [])).toBeNull();
    expect(requestOf(form)).toMatchObject({
      AttributeDefinitions: [{ AttributeName: "pk" }, { AttributeName: "sk" }, { AttributeName: "a", AttributeType: "N" }],
      GlobalSecondaryIndexes: [{ KeySchema: [{ AttributeName: "a", KeyType: "HASH" }] }],
    });
  });
  test("has a name that can be one, and attributes of one type", () => {
    expect(faultOf({ ...emptyForm, name: "a b" }, [])).toContain("name");
    expect(faultOf({ ...emptyForm, name: "Game" }, ["Game"])).toContain("of this name");
    expect(faultOf({ ...emptyForm, name: "Game", sort: { name: "pk", type: "N" } }, [])).toContain("two types");
  });
});

test("a statement that is not plainly a SELECT may write", () => {
  expect(mayWrite("  -- a note\nSELECT 1")).toBe(false);
  expect(mayWrite("DELETE FROM x")).toBe(true);
  expect(mayWrite("selecting")).toBe(true);
  expect(selectAll('a"b')).toBe('SELECT * FROM "a""b"');
});

describe("examples", () => {
  test.each(examples)("$title has items with distinct keys", (example) => {
    const { KeySchema } = example.request as { KeySchema: { AttributeName: string }[] };
    const items = [...example.items()];
    const keys = items.map((item) => JSON.stringify(KeySchema.map((each) => item[each.AttributeName])));
    expect(items.length).toBeGreaterThan(300);
    expect(new Set(keys).size).toBe(items.length);
    expect(keys.some((key) => key.includes("null"))).toBe(false);
    expect([...example.items()]).toEqual(items);
  });
});
