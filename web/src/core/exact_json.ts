// SPDX-License-Identifier: Apache-2.0
// Plain JSON to attribute values and back without a JavaScript number in between: the digits of a
// number are kept as they are written. What plain JSON has no word for (sets, bytes) keeps the type
// it had at the same place of the item before.
import type { AttributeValue, Item } from "./attribute";
import { attribute, isBase64 } from "./attribute";

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string; at: number };

const depthMax = 200;

class Fault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  document(before: AttributeValue | undefined): AttributeValue {
    const value = this.value(before, 0);
    this.space();
    if (this.at < this.text.length) throw new Fault("Nothing may follow the value.", this.at);
    return value;
  }

  private space(): void {
    while (this.at < this.text.length && " \t\n\r".includes(this.text[this.at]!)) this.at++;
  }

  private value(before: AttributeValue | undefined, depth: number): AttributeValue {
    this.space();
    if (depth > depthMax) throw new Fault("Nested too deeply.", this.at);
    const first = this.text[this.at];
    if (first === "{") return { M: this.object(before && "M" in before ? before.M : {}, depth) };
    if (first === "[") return this.array(before, depth);
    if (first === '"') return this.text_(before);
    for (const [word, value] of words) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = this.at;
    const found = number.exec(this.text);
    if (!found) throw new Fault(first === undefined ? "The text ends too early." : "A value is expected here.", this.at);
    this.at += found[0].length;
    return { N: found[0] };
  }

  private text_(before: AttributeValue | undefined): AttributeValue {
    const start = this.at;
    const text = this.string();
    if (before && "B" in before) {
      if (!isBase64(text)) throw new Fault("This attribute is binary: write it in base64.", start);
      return { B: text };
    }
    return { S: text };
  }

  private string(): string {
    const pattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw new Fault("A string is not closed, or has a control character in it.", this.at);
    this.at += found[0].length;
    return JSON.parse(found[0]) as string;
  }

  private object(before: Item, depth: number): Item {
    const members: [string, AttributeValue][] = [];
    const seen = new Set<string>();
    this.at++;
    for (this.space(); this.text[this.at] !== "}"; this.space()) {
      if (members.length > 0) this.expect(",");
      this.space();
      const start = this.at;
      const name = this.string();
      if (seen.has(name)) throw new Fault(`The name ${JSON.stringify(name)} stands here twice.`, start);
      seen.add(name);
      this.space();
      this.expect(":");
      members.push([name, this.value(attribute(before, name), depth + 1)]);
    }
    this.at++;
    return Object.fromEntries(members);
  }

  private array(before: AttributeValue | undefined, depth: number): AttributeValue {
    const start = this.at;
    const values: AttributeValue[] = [];
    this.at++;
    for (this.space(); this.text[this.at] !== "]"; this.space()) {
      if (values.length > 0) this.expect(",");
      values.push(this.value(before && "L" in before ? before.L[values.length] : undefined, depth + 1));
    }
    this.at++;
    const set = before && (["SS", "NS", "BS"] as const).find((type) => type in before);
    if (!set) return { L: values };
    const texts = values.map((value) => (set === "NS" ? ("N" in value ? value.N : null) : "S" in value ? value.S : null));
    if (texts.length === 0 || texts.includes(null)) {
      throw new Fault(`This attribute is a set (${set}): it holds ${set === "NS" ? "numbers" : "strings"} only, and is not empty.`, start);
    }
    return { [set]: texts } as AttributeValue;
  }

  private expect(mark: string): void {
    if (this.text[this.at] !== mark) throw new Fault(`“${mark}” is expected here.`, this.at);
    this.at++;
  }
}

const words: [string, AttributeValue][] = [
  ["true", { BOOL: true }],
  ["false", { BOOL: false }],
  ["null", { NULL: true }],
];

function parse(text: string, before: AttributeValue | undefined): Parsed<AttributeValue> {
  try {
    return { ok: true, value: new Reader(text).document(before) };
  } catch (fault) {
    if (fault instanceof Fault) return { ok: false, message: fault.message, at: fault.at };
    throw fault;
  }
}

export function parseItem(text: string, before: Item = {}): Parsed<Item> {
  const parsed = parse(text, { M: before });
  if (!parsed.ok) return parsed;
  return "M" in parsed.value ? { ok: true, value: parsed.value.M } : { ok: false, message: "An item is an object.", at: 0 };
}

export function parseValue(text: string, before?: AttributeValue): Parsed<AttributeValue> {
  return parse(text, before);
}

export function printItem(item: Item): string {
  return print({ M: item }, "");
}

export function print(value: AttributeValue, indent = ""): string {
  if ("M" in value) {
    const inner = `${indent}  `;
    const members = Object.entries(value.M).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${print(member, inner)}`);
    return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
  }
  if ("L" in value) return block(value.L.map((each) => print(each, `${indent}  `)), indent);
  if ("SS" in value) return block(value.SS.map((each) => JSON.stringify(each)), indent);
  if ("NS" in value) return block(value.NS.map(numberLiteral), indent);
  if ("BS" in value) return block(value.BS.map((each) => JSON.stringify(each)), indent);
  if ("N" in value) return numberLiteral(value.N);
  if ("S" in value) return JSON.stringify(value.S);
  if ("B" in value) return JSON.stringify(value.B);
  if ("BOOL" in value) return String(value.BOOL);
  return "null";
}

function block(parts: string[], indent: string): string {
  const line = `[${parts.join(", ")}]`;
  if (line.length <= 60 && !line.includes("\n")) return line;
  return `[\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}]`;
}

// The service's numbers are JSON's but for their exponents' and fractions' freedom.
function numberLiteral(text: string): string {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? text : JSON.stringify(text);
}

// DynamoDB JSON, checked enough that the rest of the page can rely on it.
export function parseDynamoItem(text: string): Parsed<Item> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (fault) {
    return { ok: false, message: (fault as Error).message, at: 0 };
  }
  const fault = faultOfItem(parsed, "item", 0);
  return fault ? { ok: false, message: fault, at: 0 } : { ok: true, value: parsed as Item };
}

function faultOfItem(value: unknown, where: string, depth: number): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${where}: an object is expected.`;
  for (const [name, member] of Object.entries(value)) {
    const fault = faultOfValue(member, depth === 0 ? name : `${where}.${name}`, depth + 1);
    if (fault) return fault;
  }
  return null;
}

function faultOfValue(value: unknown, where: string, depth: number): string | null {
  if (depth > depthMax) return `${where}: nested too deeply.`;
  if (typeof value !== "object" || value === null) return `${where}: a typed value such as {"S": "text"} is expected.`;
  const entries = Object.entries(value);
  if (entries.length !== 1) return `${where}: exactly one type is expected.`;
  const [type, inner] = entries[0]!;
  switch (type) {
    case "S":
    case "N":
    case "B":
      return typeof inner === "string" ? null : `${where}: ${type} holds a string${type === "N" ? ", so that no digit is lost" : ""}.`;
    case "BOOL":
      return typeof inner === "boolean" ? null : `${where}: BOOL holds true or false.`;
    case "NULL":
      return inner === true ? null : `${where}: NULL holds true.`;
    case "SS":
    case "NS":
    case "BS":
      return Array.isArray(inner) && inner.every((each) => typeof each === "string") ? null : `${where}: ${type} holds a list of strings.`;
    case "L":
      if (!Array.isArray(inner)) return `${where}: L holds a list.`;
      return inner.map((each, i) => faultOfValue(each, `${where}[${i}]`, depth + 1)).find((fault) => fault !== null) ?? null;
    case "M":
      return faultOfItem(inner, where, depth);
    default:
      return `${where}: there is no type ${type}.`;
  }
}
