// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import type { Item } from "./attribute";
import { withAttribute } from "./attribute";
import { schemaOf } from "./schema";
import type { Edit } from "./staging";
import { changesOf, editOf, invert, rebased, transactionOf } from "./staging";
import { gameTable } from "./testing";

const schema = schemaOf(gameTable);
const before: Item = { pk: { S: "p" }, sk: { S: "s" }, rating: { N: "1842" }, tags: { SS: ["a", "b"] } };

describe("an edit", () => {
  test("writes only what it changes, on the condition of what was seen", () => {
    const after: Item = { pk: before["pk"]!, sk: before["sk"]!, rating: { N: "1867" }, handle: { S: "dusk" } };
    const edit = editOf(schema, before, after);
    expect(edit.kind).toBe("update");
    expect(changesOf(edit).map((change) => change.name)).toEqual(["rating", "tags", "handle"]);
    expect(transactionOf(schema, edit)).toEqual([
      {
        Update: {
          TableName: "Game",
          Key: { pk: { S: "p" }, sk: { S: "s" } },
          UpdateExpression: "SET #n1 = :v1, #n3 = :v3 REMOVE #n2",
          ConditionExpression: "attribute_exists(#n0) AND #n1 = :v0 AND #n2 = :v2 AND attribute_not_exists(#n3)",
          ExpressionAttributeNames: { "#n0": "pk", "#n1": "rating", "#n2": "tags", "#n3": "handle" },
          ExpressionAttributeValues: { ":v0": { N: "1842" }, ":v1": { N: "1867" }, ":v2": { SS: ["a", "b"] }, ":v3": { S: "dusk" } },
        },
      },
    ]);
  });

  test("of the key is a delete and a put together", () => {
    const edit = editOf(schema, before, withAttribute(before, "sk", { S: "t" }));
    expect(edit.kind).toBe("move");
    const actions = transactionOf(schema, edit);
    expect(actions.map((action) => Object.keys(action)[0])).toEqual(["Delete", "Put"]);
    expect(actions[1]).toMatchObject({ Put: { ConditionExpression: "attribute_not_exists(#n0)", Item: { sk: { S: "t" } } } });
    expect(actions[0]).toMatchObject({ Delete: { ConditionExpression: "#n0 = :v0 AND #n1 = :v1 AND #n2 = :v2 AND #n3 = :v3" } });
  });

  test("that changes nothing writes nothing", () => {
    expect(transactionOf(schema, editOf(schema, before, { ...before, tags: { SS: ["b", "a"] } }))).toEqual([]);
  });

  test("is taken back by its opposite", () => {
    const edits: Edit[] = [
      { kind: "create", after: before },
      { kind: "delete", before },
      { kind: "update", before, after: withAttribute(before, "rating", undefined) },
    ];
    for (const edit of edits) expect(invert(invert(edit))).toEqual(edit);
    expect(invert(edits[0]!).kind).toBe("delete");
  });

  test("keeps what others wrote when it is put on top of it", () => {
    const edit = editOf(schema, before, withAttribute(withAttribute(before, "rating", { N: "2" }), "tags", undefined));
    const theirs = { ...before, handle: { S: "theirs" } };
    expect(rebased(edit, theirs)).toEqual({ pk: before["pk"], sk: before["sk"], rating: { N: "2" }, handle: { S: "theirs" } });
  });

  test("takes any attribute name", () => {
    const odd = withAttribute(before, "__proto__", { S: "x" });
    const [action] = transactionOf(schema, editOf(schema, before, odd));
    expect(action).toMatchObject({ Update: { ExpressionAttributeNames: { "#n1": "__proto__" } } });
  });
});
