// SPDX-License-Identifier: Apache-2.0
// What a person says about a new table, and CreateTable's request for it.
import type { KeyType, TableDescription } from "./schema";

export interface KeyField {
  name: string;
  type: KeyType;
}
export interface IndexField {
  name: string;
  partition: KeyField;
  sort: KeyField; // without a name: none
  projection: "ALL" | "KEYS_ONLY";
}
export interface TableForm {
  name: string;
  partition: KeyField;
  sort: KeyField;
  indexes: IndexField[];
}

export const emptyForm: TableForm = { name: "", partition: { name: "pk", type: "S" }, sort: { name: "sk", type: "S" }, indexes: [] };

export function faultOf(form: TableForm, existing: readonly string[]): string | null {
  if (!/^[a-zA-Z0-9_.-]{3,255}$/.test(form.name)) return "The name needs 3 to 255 letters, digits, or _ . -";
  if (existing.includes(form.name)) return "There is a table of this name.";
  if (form.partition.name === "") return "The table needs a partition key.";
  for (const index of form.indexes) {
    if (!/^[a-zA-Z0-9_.-]{3,255}$/.test(index.name)) return "An index needs a name of 3 to 255 letters, digits, or _ . -";
    if (index.partition.name === "") return `The index ${index.name} needs a partition key.`;
  }
  const types = new Map<string, KeyType>();
  for (const key of keysOf(form)) {
    if ((types.get(key.name) ?? key.type) !== key.type) return `The attribute ${key.name} has two types.`;
    types.set(key.name, key.type);
  }
  return null;
}

function keysOf(form: TableForm): KeyField[] {
  return [form.partition, form.sort, ...form.indexes.flatMap((index) => [index.partition, index.sort])].filter((key) => key.name !== "");
}

export function requestOf(form: TableForm): object {
  const elements = (partition: KeyField, sort: KeyField) => [
    { AttributeName: partition.name, KeyType: "HASH" },
    ...(sort.name === "" ? [] : [{ AttributeName: sort.name, KeyType: "RANGE" }]),
  ];
  const types = new Map(keysOf(form).map((key) => [key.name, key.type]));
  return {
    TableName: form.name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: elements(form.partition, form.sort),
    ...(form.indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: form.indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: elements(index.partition, index.sort),
            Projection: { ProjectionType: index.projection },
          })),
        }),
  };
}

// A table like the one described, under another name.
export function copyRequest(table: TableDescription, name: string): object {
  const index = (each: { IndexName: string; KeySchema: unknown; Projection: unknown }) => ({ IndexName: each.IndexName, KeySchema: each.KeySchema, Projection: each.Projection });
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: table.AttributeDefinitions,
    KeySchema: table.KeySchema,
    ...(table.GlobalSecondaryIndexes ? { GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(index) } : {}),
    ...(table.LocalSecondaryIndexes ? { LocalSecondaryIndexes: table.LocalSecondaryIndexes.map(index) } : {}),
  };
}
