// SPDX-License-Identifier: Apache-2.0
// What kind of thing an item is, read off the prefixes of its keys: `PLAYER#u1`, `MATCH#2026-…` is a
// Match of a Player. A guess, until a model says so.
import type { AttributeValue, Item } from "./attribute";
import { attribute } from "./attribute";
import type { Structure } from "./schema";

export interface Entity {
  name: string; // "Match"
  colour: number; // a place in the palette, 1 … colours
}
export const colours = 8;

export interface KeyParts {
  prefix: string; // with its delimiter; "" if there is none
  rest: string;
}

const delimited = /^([A-Za-z][A-Za-z0-9_.-]{0,39})([#:|/])/;
const word = /^[A-Z][A-Z0-9_]{1,39}$/;

// Splits `MATCH#2026-06-23` into `MATCH#` and the rest; a bare capital word is all prefix.
export function keyParts(text: string): KeyParts {
  const found = delimited.exec(text);
  if (found) return { prefix: found[0], rest: text.slice(found[0].length) };
  return word.test(text) ? { prefix: text, rest: "" } : { prefix: "", rest: text };
}

export function entityOf(item: Item, base: Structure): Entity | null {
  const prefixOf = (value: AttributeValue | undefined) =>
    value && "S" in value ? keyParts(value.S).prefix.replace(/[#:|/]$/, "") : "";
  const partition = prefixOf(attribute(item, base.partition[0]?.name ?? ""));
  const sort = base.sort.map((key) => prefixOf(attribute(item, key.name))).find((prefix) => prefix !== "");
  const name = sort ?? partition;
  if (name === "" || name === undefined) return null;
  return { name: title(name), colour: colourOf(name) };
}

function title(prefix: string): string {
  return prefix
    .toLowerCase()
    .split(/[_.-]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(" ");
}

const given = new Map<string, number>();
const givenMax = 1_000;

// A name keeps its colour while the page is open. Its hash chooses, so that the choice is mostly the
// same on every visit; of the first names no two share a colour.
export function colourOf(name: string): number {
  const known = given.get(name);
  if (known !== undefined) return known;
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  let colour = ((hash >>> 8) % colours) + 1;
  const taken = new Set(given.values());
  for (let tries = 0; tries < colours && taken.has(colour); tries++) colour = (colour % colours) + 1;
  if (given.size < givenMax) given.set(name, colour);
  return colour;
}
