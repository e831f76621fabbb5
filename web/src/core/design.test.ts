// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { conditionParts, examples, fileNameOf, unindented } from "./design";
import { exampleTexts } from "./design_examples";

describe("a design", () => {
  test("is there for every example", () => {
    for (const name of examples) {
      const { model, design } = exampleTexts(name);
      expect(fileNameOf("model", model)).toBe(`${name}.kw.yaml`);
      expect(fileNameOf("design", design)).toBe(`${name}.design.yaml`);
    }
    expect(exampleTexts("own")).toEqual({ model: "", design: "" });
  });

  test("is saved under its own name, as far as that can be one", () => {
    expect(fileNameOf("model", "# model: not this\nmodel: my-shop # nor this\n")).toBe("my-shop.kw.yaml");
    expect(fileNameOf("design", 'design: "quoted"')).toBe("quoted.design.yaml");
    expect(fileNameOf("design", "design: ../../etc")).toBe("untitled.design.yaml");
    expect(fileNameOf("model", "")).toBe("untitled.kw.yaml");
  });
});

describe("a key condition", () => {
  const shown = (condition: string) => conditionParts(condition).map((part) => (part.kind === "plain" ? part.text : `<${part.kind} ${part.text}>`)).join("");

  test("shows its prefixes and attributes", () => {
    expect(shown("pk = PLAYER#{playerId}, sk = PROFILE")).toBe("pk = <prefix PLAYER#><attribute {playerId}>, sk = <prefix PROFILE>");
    expect(shown("sk1 begins_with ORDER#")).toBe("sk1 begins_with <prefix ORDER#>");
    expect(shown("teamId = {teamId}")).toBe("teamId = <attribute {teamId}>");
    expect(shown("")).toBe("");
  });

  test("loses no character", () => {
    for (const condition of ["a = {b, c = }d{e}", "pk = A#B#{x}#{y:05:desc}  ", "{{}}"]) {
      expect(conditionParts(condition).map((part) => part.text).join("")).toBe(condition);
    }
  });
});

test("a counter-example stands at the left margin", () => {
  expect(unindented("      with :a = 1\n      over:\n        Row\n")).toBe("with :a = 1\nover:\n  Row");
  expect(unindented("\n\n")).toBe("");
});
