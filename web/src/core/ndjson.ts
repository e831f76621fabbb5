// SPDX-License-Identifier: Apache-2.0
// Files of items: a line each of DynamoDB JSON (as exports to S3 have it, or bare), or CSV.
import type { AttributeValue, Item } from "./attribute";
import { typeOf } from "./attribute";
import { parseDynamoItem, parseItem, print } from "./exact_json";
import type { Parsed } from "./exact_json";
import type { TableSchema } from "./schema";

export interface ReadFile {
  items: Item[];
  faults: { line: number; message: string }[];
}

const faultsMax = 20;

// Lines of {"Item": {…}}, {…typed values…} or {…plain JSON…}: each line says itself which.
export function readLines(text: string): ReadFile {
  const read: ReadFile = { items: [], faults: [] };
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const parsed = readLine(line);
    if (parsed.ok) read.items.push(parsed.value);
    else if (read.faults.push({ line: at + 1, message: parsed.message }) >= faultsMax) break;
  }
  return read;
}

function readLine(line: string): Parsed<Item> {
  const plain = parseItem(line);
  if (!plain.ok) return plain;
  const names = Object.keys(plain.value);
  const wrapped = names.length === 1 && names[0] === "Item" ? /^\s*\{\s*"Item"\s*:\s*([^]*)\}\s*$/.exec(line)?.[1] : undefined;
  const typed = parseDynamoItem(wrapped ?? line);
  return typed.ok ? typed : plain;
}

export function printLine(item: Item): string {
  return JSON.stringify({ Item: item });
}

// RFC 4180. A field that is quoted and has line breaks is one field.
export function readCsv(text: string, schema: TableSchema): ReadFile {
  const [head, ...rows] = parseCsv(text.replace(/^\ufeff/, ""));
  if (!head) return { items: [], faults: [{ line: 1, message: "The first line must name the attributes." }] };
  const types = new Map([...schema.structures].flatMap((structure) => [...structure.partition, ...structure.sort]).map((key) => [key.name, key.type]));
  const read: ReadFile = { items: [], faults: [] };
  for (const row of rows) {
    const entries = head.flatMap((name, i): [string, AttributeValue][] => {
      const field = row.fields[i] ?? "";
      return field === "" ? [] : [[name, valueOf(field, types.get(name))]];
    });
    const lacking = schema.key.find((name) => !entries.some(([each]) => each === name));
    if (lacking === undefined) read.items.push(Object.fromEntries(entries));
    else if (read.faults.push({ line: row.line, message: `The key attribute ${lacking} is missing.` }) >= faultsMax) break;
  }
  return read;
}

function parseCsv(text: string): [head: string[] | undefined, ...rows: { line: number; fields: string[] }[]] {
  const rows: { line: number; fields: string[] }[] = [];
  const field = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
  let fields: string[] = [];
  let line = 1;
  let start = 1;
  while (field.lastIndex < text.length || fields.length > 0) {
    const found = field.exec(text);
    if (!found) break;
    const [, raw, end] = found;
    fields.push(raw!.startsWith('"') ? raw!.slice(1, -1).replaceAll('""', '"') : raw!);
    line += (found[0].match(/\n/g) ?? []).length;
    if (end !== ",") {
      if (fields.length > 1 || fields[0] !== "") rows.push({ line: start, fields });
      fields = [];
      start = line;
      if (end === "") break;
    }
  }
  return [rows[0]?.fields, ...rows.slice(1)];
}

// A key's type is known; another field is a number if it is one as a person writes it, or JSON.
function valueOf(field: string, key: "S" | "N" | "B" | undefined): AttributeValue {
  if (key !== undefined) return { [key]: field } as AttributeValue;
  if (/^-?(0|[1-9]\d{0,37})(\.\d+)?$/.test(field)) return { N: field };
  if (field === "true" || field === "false") return { BOOL: field === "true" };
  if (/^[[{]/.test(field)) {
    const nested = parseItem(`{"value":${field}}`);
    if (nested.ok) return nested.value["value"]!;
  }
  return { S: field };
}

export function printCsv(names: readonly string[], items: readonly Item[]): string {
  return items.map((item) => `${names.map((name) => (Object.hasOwn(item, name) ? quoted(printField(item[name]!)) : "")).join(",")}\r\n`).join("");
}

export function printCsvHead(names: readonly string[]): string {
  return `${names.map(quoted).join(",")}\r\n`;
}

function printField(value: AttributeValue): string {
  const type = typeOf(value);
  return type === "S" || type === "N" || type === "B" ? (value as Record<string, string>)[type]! : print(value).replace(/\n\s*/g, " ");
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
