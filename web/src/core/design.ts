// SPDX-License-Identifier: Apache-2.0
// The two texts of a design, the documents that the page keeps, and places in a text.
import { keyParts } from "./entity";

export const examples = ["leaderboard", "shop", "tenants", "tickets"] as const;
export const documents = [...examples, "own"] as const; // "own": of files that somebody opened
export type DocumentName = (typeof documents)[number];

export const textNames = ["model", "design"] as const;
export type TextName = (typeof textNames)[number];
export type Texts = Record<TextName, string>;

export const emptyTexts: Texts = { model: "", design: "" };

export function isDocument(name: string): name is DocumentName {
  return documents.some((each) => each === name);
}

// What a browser edits and a server proves without trouble; a model is some hundred lines.
export const textBytesMax = 2 ** 20;

export const grades = ["error", "warning", "note"] as const;
export type Grade = (typeof grades)[number];

// Counted from 1, columns in code points.
export interface Place {
  line: number;
  column: number;
}

export interface Mark extends Place {
  grade: Grade;
  message: string;
}

// "leaderboard.design.yaml", as the text names itself.
export function fileNameOf(name: TextName, text: string): string {
  const found = new RegExp(`^${name}:[ \\t]*["']?([A-Za-z0-9_-]{1,80})`, "m").exec(text)?.[1] ?? "untitled";
  return name === "model" ? `${found}.kw.yaml` : `${found}.design.yaml`;
}

export interface ConditionPart {
  kind: "prefix" | "attribute" | "plain";
  text: string;
}

// "pk = PLAYER#{playerId}" as its parts: a key's prefix, the attributes it is made of, all else.
export function conditionParts(condition: string): ConditionPart[] {
  return condition
    .split(/(\{[^{}]*\}|[\s,]+)/)
    .flatMap((text): ConditionPart[] => {
      if (text.startsWith("{")) return [{ kind: "attribute", text }];
      const { prefix, rest } = keyParts(text);
      return [
        { kind: "prefix", text: prefix },
        { kind: "plain", text: rest },
      ];
    })
    .filter((part) => part.text !== "");
}

// Takes away what every line begins with.
export function unindented(text: string): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length));
  return Number.isFinite(indent) ? lines.map((line) => line.slice(indent)).join("\n") : "";
}
