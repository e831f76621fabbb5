// SPDX-License-Identifier: Apache-2.0
// The columns of a grid: keys first, then attributes as they come to sight.
import type { Item } from "./attribute";
import { attribute, summary, typeOf } from "./attribute";

export interface Column {
  name: string;
  width: number; // pixels
  number: boolean; // aligned to the right
  key: boolean;
}

// More attributes than this are seen in the item only.
export const columnsMax = 48;
const characterPixels = 7.3;

// The columns known, and those of the items that came; a known column keeps its place and width.
export function extended(known: readonly Column[], keys: readonly string[], items: readonly Item[]): readonly Column[] {
  const seen = new Set(known.map((column) => column.name));
  const names = new Set<string>();
  for (const name of keys) if (!seen.has(name)) names.add(name);
  for (const item of items) for (const name of Object.keys(item)) if (!seen.has(name)) names.add(name);
  const fresh = [...names].slice(0, columnsMax - known.length);
  if (fresh.length === 0 || items.length === 0) return known;
  return [...known, ...fresh.map((name) => columnOf(name, keys.includes(name), items))];
}

function columnOf(name: string, key: boolean, items: readonly Item[]): Column {
  const values = items.slice(0, 200).flatMap((item) => attribute(item, name) ?? []);
  const lengths = values.map((value) => summary(value, 60).length).sort((a, b) => a - b);
  const typical = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
  const characters = Math.min(Math.max(typical, name.length, 5), key ? 34 : 40);
  return { name, width: Math.round(characters * characterPixels + 24), number: values.length > 0 && values.every((value) => typeOf(value) === "N"), key };
}
