// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import type { Item } from "./attribute";
import { parseDynamoItem, parseItem, printItem } from "./exact_json";

const value = <T>(parsed: { ok: true; value: T } | { ok: false; message: string }): T => {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
};
const fault = (parsed: { ok: boolean; message?: string }): string => {
  expect(parsed.ok).toBe(false);
  return parsed.message!;
};

describe("plain JSON", () => {
  test("keeps every digit of a number", () => {
    for (const digits of ["12345678901234567890123456789012345678", "0.1", "-9.9999999999999999999999999999999999999e125", "1e-130", "100"]) {
      expect(value(parseItem(`{"n": ${digits}}`))).toEqual({ n: { N: digits } });
      expect(printItem({ n: { N: digits } })).toContain(digits);
    }
  });

  test("reads back what it prints", () => {
    const item: Item = {
      text: { S: 'a "b" \\ \u2028 </script> \u05d0' },
      yes: { BOOL: true },
      none: { NULL: true },
      list: { L: [{ N: "1" }, { M: { deep: { L: [] } } }] },
      map: { M: {} },
    };
    expect(value(parseItem(printItem(item)))).toEqual(item);
  });

  test("keeps sets and bytes what they were at the same place", () => {
    const item: Item = { tags: { SS: ["a", "b"] }, scores: { NS: ["1", "2.50"] }, raw: { B: "AAE=" }, in: { M: { tags: { SS: ["x"] } } } };
    expect(value(parseItem(printItem(item), item))).toEqual(item);
    expect(value(parseItem(printItem(item)))["tags"]).toEqual({ L: [{ S: "a" }, { S: "b" }] });
    expect(fault(parseItem('{"tags": []}', item))).toContain("set");
    expect(fault(parseItem('{"scores": ["1"]}', item))).toContain("numbers");
    expect(fault(parseItem('{"raw": "not base64!"}', item))).toContain("base64");
  });

  test("takes any name as a name", () => {
    const item = value(parseItem('{"__proto__": {"S": 1}, "constructor": 2}'));
    expect(Object.keys(item)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
    expect(printItem(item)).toContain('"__proto__"');
  });

  test("says what is wrong", () => {
    expect(fault(parseItem("[]"))).toContain("object");
    expect(fault(parseItem('{"a": 1, "a": 2}'))).toContain("twice");
    expect(fault(parseItem('{"a": 01}'))).toContain("expected");
    expect(fault(parseItem('{"a": 1,}'))).not.toBe("");
    expect(fault(parseItem('{"a": "\n"}'))).toContain("control character");
    expect(fault(parseItem('{"a": 1} 2'))).toContain("follow");
    expect(fault(parseItem(""))).toContain("ends too early");
    expect(fault(parseItem(`{"a": ${"[".repeat(100_000)}`))).toContain("deeply");
  });
});

describe("DynamoDB JSON", () => {
  test("takes all ten types", () => {
    const item = { s: { S: "" }, n: { N: "1" }, b: { B: "" }, t: { BOOL: false }, z: { NULL: true }, ss: { SS: ["a"] }, ns: { NS: ["1"] }, bs: { BS: ["AA=="] }, l: { L: [{ S: "x" }] }, m: { M: { y: { N: "2" } } } };
    expect(value(parseDynamoItem(JSON.stringify(item)))).toEqual(item);
  });

  test("names the place of a fault", () => {
    expect(fault(parseDynamoItem('{"a": {"N": 1}}'))).toBe("a: N holds a string, so that no digit is lost.");
    expect(fault(parseDynamoItem('{"a": {"M": {"b": {"L": [{"X": 1}]}}}}'))).toBe("a.b[0]: there is no type X.");
    expect(fault(parseDynamoItem('{"a": {"S": "x", "N": "1"}}'))).toContain("one type");
    expect(fault(parseDynamoItem('{"a": "x"}'))).toContain("typed value");
    expect(fault(parseDynamoItem("{"))).not.toBe("");
  });
});
