// SPDX-License-Identifier: Apache-2.0
// Every screen and its URL; the URL is the whole state of navigation.
import type { DocumentName } from "./design";
import { isDocument } from "./design";
import type { Condition, LiteralType, Operator, Question } from "./question";
import { everything, literalTypes, operators } from "./question";

export type ItemsView = "rows" | "compare" | "partition";

export type Route =
  | { screen: "home" }
  | { screen: "items"; table: string; view: ItemsView; question: Question; item: string | null }
  | { screen: "schema"; table: string }
  | { screen: "partiql"; statement: string }
  | { screen: "design"; document: DocumentName | null } // null: the one last worked at
  | { screen: "itemSize" }
  | { screen: "price" }
  | { screen: "unknown"; path: string };

export function itemsOf(table: string, question: Partial<Question> = {}, view: ItemsView = "rows"): Route {
  return { screen: "items", table, view, question: { ...everything, ...question }, item: null };
}

export function urlOf(route: Route): string {
  switch (route.screen) {
    case "home":
      return "/";
    case "items": {
      const query = queryOf(route);
      return `/studio/tables/${encodeURIComponent(route.table)}${query === "" ? "" : `?${query}`}`;
    }
    case "schema":
      return `/studio/tables/${encodeURIComponent(route.table)}/schema`;
    case "partiql":
      return `/studio/partiql${route.statement === "" ? "" : `?${new URLSearchParams({ q: route.statement })}`}`;
    case "design":
      return route.document === null ? "/studio/design" : `/studio/design/${route.document}`;
    case "itemSize":
      return "/studio/calculators/item-size";
    case "price":
      return "/studio/calculators/price";
    case "unknown":
      return route.path;
  }
}

function queryOf({ view, question, item }: Extract<Route, { screen: "items" }>): string {
  const query = new URLSearchParams();
  if (question.index !== null) query.set("index", question.index);
  const last = question.partition.findLastIndex((text) => text !== "");
  for (const text of question.partition.slice(0, last + 1)) query.append("pk", text);
  for (const each of question.sort) query.append("sk", printCondition(each));
  for (const each of question.filters) query.append("filter", printCondition(each));
  if (question.descending) query.set("order", "desc");
  if (question.consistent) query.set("read", "strong");
  if (question.segment) query.set("segment", `${question.segment.number}/${question.segment.total}`);
  if (view !== "rows") query.set("view", view);
  if (item !== null) query.set("item", item);
  return query.toString();
}

export function routeOf(path: string, search: string): Route {
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0 || (parts.length === 1 && parts[0] === "studio")) return { screen: "home" };
  const query = new URLSearchParams(search);
  const [root, kind, name, rest] = parts;
  const unknown: Route = { screen: "unknown", path };
  if (root !== "studio") return unknown;
  if (kind === "partiql" && parts.length === 2) return { screen: "partiql", statement: query.get("q") ?? "" };
  if (kind === "design" && parts.length === 2) return { screen: "design", document: null };
  if (kind === "design" && parts.length === 3 && name !== undefined && isDocument(name)) return { screen: "design", document: name };
  if (kind === "calculators" && name === "item-size") return { screen: "itemSize" };
  if (kind === "calculators" && name === "price") return { screen: "price" };
  if (kind !== "tables" || name === undefined) return unknown;
  const table = decode(name);
  if (table === null) return unknown;
  if (rest === "schema" && parts.length === 4) return { screen: "schema", table };
  if (rest !== undefined) return unknown;
  const view = query.get("view");
  return {
    screen: "items",
    table,
    view: view === "compare" || view === "partition" ? view : "rows",
    item: query.get("item"),
    question: {
      index: query.get("index"),
      partition: query.getAll("pk"),
      sort: query.getAll("sk").flatMap(parseCondition),
      filters: query.getAll("filter").flatMap(parseCondition),
      descending: query.get("order") === "desc",
      consistent: query.get("read") === "strong",
      segment: parseSegment(query.get("segment")),
    },
  };
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

// `name operator type values`, a JSON list: names and values may hold any character.
function printCondition({ name, operator, type, values }: Condition): string {
  return JSON.stringify([name, operator, type, ...values]);
}

function parseCondition(text: string): Condition[] {
  try {
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts) || parts.length < 3 || !parts.every((part) => typeof part === "string")) return [];
    const [name, operator, type, ...values] = parts as string[];
    if (!operators.includes(operator as Operator) || !literalTypes.includes(type as LiteralType)) return [];
    return [{ name: name!, operator: operator as Operator, type: type as LiteralType, values }];
  } catch {
    return [];
  }
}

function parseSegment(text: string | null): Question["segment"] {
  const found = /^(\d{1,7})\/(\d{1,7})$/.exec(text ?? "");
  if (!found) return null;
  const [number, total] = [Number(found[1]), Number(found[2])];
  return total >= 1 && total <= 1_000_000 && number < total ? { number, total } : null;
}
