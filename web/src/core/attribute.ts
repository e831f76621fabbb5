// SPDX-License-Identifier: Apache-2.0
// Items as the wire has them: numbers and bytes stay text, so that no digit is ever lost.

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item };

export type Item = { [name: string]: AttributeValue };

export const attributeTypes = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"] as const;
export type AttributeType = (typeof attributeTypes)[number];

export const typeNames: Record<AttributeType, string> = {
  S: "String",
  N: "Number",
  B: "Binary",
  BOOL: "Boolean",
  NULL: "Null",
  SS: "String set",
  NS: "Number set",
  BS: "Binary set",
  L: "List",
  M: "Map",
};

export function typeOf(value: AttributeValue): AttributeType {
  for (const type of attributeTypes) if (Object.hasOwn(value, type)) return type;
  throw new Error("a value without a type");
}

// Attribute names come from anybody: `__proto__` is one like all others.
export function attribute(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined;
}

export function withAttribute(item: Item, name: string, value: AttributeValue | undefined): Item {
  const entries = Object.entries(item).filter(([other]) => other !== name || value !== undefined);
  if (value === undefined) return Object.fromEntries(entries);
  const found = entries.findIndex(([other]) => other === name);
  if (found < 0) entries.push([name, value]);
  else entries[found] = [name, value];
  return Object.fromEntries(entries);
}

export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attribute(item, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

// Equal as DynamoDB sees it, up to the spelling of numbers, which the server keeps canonical.
export function equal(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonical(a) === canonical(b);
}

export function equalItems(a: Item, b: Item): boolean {
  return canonical({ M: a }) === canonical({ M: b });
}

function canonical(value: AttributeValue): string {
  if ("M" in value) {
    const members = Object.entries(value.M).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
  }
  if ("L" in value) return `[${value.L.map(canonical).join()}]`;
  for (const set of ["SS", "NS", "BS"] as const) {
    if (set in value) return set + JSON.stringify([...(value as Record<string, string[]>)[set]!].sort());
  }
  return JSON.stringify(value);
}

// One line for a cell. Long values are cut here, before they reach the page.
export function summary(value: AttributeValue, most = 200): string {
  const type = typeOf(value);
  switch (type) {
    case "S":
      return clip((value as { S: string }).S, most);
    case "N":
      return (value as { N: string }).N;
    case "B":
      return clip((value as { B: string }).B, most);
    case "BOOL":
      return String((value as { BOOL: boolean }).BOOL);
    case "NULL":
      return "null";
    case "SS":
    case "NS":
    case "BS":
      return `{ ${clip((value as Record<string, string[]>)[type]!.slice(0, 20).join(", "), most)} }`;
    case "L": {
      const list = (value as { L: AttributeValue[] }).L;
      return list.length === 0 ? "[ ]" : `[ ${clip(list.slice(0, 8).map((each) => summary(each, 40)).join(", "), most)} ]`;
    }
    case "M": {
      const members = Object.entries((value as { M: Item }).M);
      if (members.length === 0) return "{ }";
      const shown = members.slice(0, 8).map(([name, each]) => `${name}: ${summary(each, 40)}`);
      return `{ ${clip(shown.join(", "), most)} }`;
    }
  }
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

// Characters that would hide or reorder what is around them, made visible.
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
export function isNumber(text: string): boolean {
  return numberPattern.test(text);
}

const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
export function isBase64(text: string): boolean {
  return base64Pattern.test(text);
}
