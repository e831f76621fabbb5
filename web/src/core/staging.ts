// SPDX-License-Identifier: Apache-2.0
// Edits that wait, and the one transaction that makes them. An edit writes only the attributes that
// it changes, on the condition that these still are what the person saw; a change of the key is a
// delete and a put in the same transaction.
import type { AttributeValue, Item } from "./attribute";
import { attribute, equal, pick, withAttribute } from "./attribute";
import type { TableSchema } from "./schema";
import { identity } from "./schema";

export type Edit =
  | { kind: "create"; after: Item }
  | { kind: "update"; before: Item; after: Item }
  | { kind: "move"; before: Item; after: Item }
  | { kind: "delete"; before: Item };

export interface Staged {
  table: string;
  id: string; // of the item as it stands in the table, or will
  edit: Edit;
}

export interface Change {
  name: string;
  before: AttributeValue | undefined;
  after: AttributeValue | undefined;
}

// One transaction takes no more actions than this. Source: API_TransactWriteItems.
export const actionsMax = 100;
// A condition may hold 300 operators; a delete compares at most this many attributes.
const comparedMax = 100;

export function editOf(schema: TableSchema, before: Item | null, after: Item): Edit {
  if (before === null) return { kind: "create", after };
  return { kind: identity(schema, before) === identity(schema, after) ? "update" : "move", before, after };
}

export function changesOf(edit: Edit): Change[] {
  const before = edit.kind === "create" ? {} : edit.before;
  const after = edit.kind === "delete" ? {} : edit.after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name) => ({ name, before: attribute(before, name), after: attribute(after, name) }))
    .filter((change) => !equal(change.before, change.after));
}

// The item as it would be after the edit, if it now is `now` and no longer what the edit began with.
export function rebased(edit: Edit, now: Item): Item {
  return changesOf(edit).reduce((item, { name, after }) => withAttribute(item, name, after), now);
}

export function invert(edit: Edit): Edit {
  switch (edit.kind) {
    case "create":
      return { kind: "delete", before: edit.after };
    case "delete":
      return { kind: "create", after: edit.before };
    default:
      return { kind: edit.kind, before: edit.after, after: edit.before };
  }
}

export type TransactItem =
  | { Put: Write & { Item: Item } }
  | { Update: Write & { Key: Item; UpdateExpression: string } }
  | { Delete: Write & { Key: Item } };

interface Write {
  TableName: string;
  ConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}

class Placeholders {
  readonly names: Record<string, string> = {};
  private readonly values: Record<string, AttributeValue> = {};

  name(text: string): string {
    const known = Object.keys(this.names).find((each) => this.names[each] === text);
    const placeholder = known ?? `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = text;
    return placeholder;
  }
  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }
  members(): Pick<Write, "ExpressionAttributeNames" | "ExpressionAttributeValues"> {
    return {
      ExpressionAttributeNames: this.names,
      ...(Object.keys(this.values).length > 0 ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}

export function transactionOf(schema: TableSchema, edit: Edit): TransactItem[] {
  switch (edit.kind) {
    case "create":
      return [put(schema, edit.after)];
    case "delete":
      return [remove(schema, edit.before)];
    case "move":
      return [remove(schema, edit.before), put(schema, edit.after)];
    case "update":
      return changesOf(edit).length === 0 ? [] : [update(schema, edit)];
  }
}

function put(schema: TableSchema, item: Item): TransactItem {
  const names = new Placeholders();
  const condition = `attribute_not_exists(${names.name(schema.key[0]!)})`;
  return { Put: { TableName: schema.name, Item: item, ConditionExpression: condition, ...names.members() } };
}

function remove(schema: TableSchema, before: Item): TransactItem {
  const names = new Placeholders();
  const same = Object.entries(before)
    .slice(0, comparedMax)
    .map(([name, value]) => `${names.name(name)} = ${names.value(value)}`);
  return { Delete: { TableName: schema.name, Key: pick(before, schema.key), ConditionExpression: same.join(" AND "), ...names.members() } };
}

function update(schema: TableSchema, edit: { before: Item; after: Item }): TransactItem {
  const names = new Placeholders();
  const conditions = [`attribute_exists(${names.name(schema.key[0]!)})`];
  const sets: string[] = [];
  const removes: string[] = [];
  for (const { name, before, after } of changesOf({ kind: "update", ...edit })) {
    const subject = names.name(name);
    conditions.push(before === undefined ? `attribute_not_exists(${subject})` : `${subject} = ${names.value(before)}`);
    if (after === undefined) removes.push(subject);
    else sets.push(`${subject} = ${names.value(after)}`);
  }
  const clauses = [sets.length > 0 ? `SET ${sets.join(", ")}` : "", removes.length > 0 ? `REMOVE ${removes.join(", ")}` : ""];
  return {
    Update: {
      TableName: schema.name,
      Key: pick(edit.before, schema.key),
      UpdateExpression: clauses.filter((clause) => clause !== "").join(" "),
      ConditionExpression: conditions.join(" AND "),
      ...names.members(),
    },
  };
}
