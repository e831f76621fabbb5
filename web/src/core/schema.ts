// SPDX-License-Identifier: Apache-2.0
// A table's structures (itself and its indexes) as the page needs them, from DescribeTable.
import type { Item } from "./attribute";
import { attribute } from "./attribute";

export type KeyType = "S" | "N" | "B";

interface KeyElement {
  AttributeName: string;
  KeyType: "HASH" | "RANGE";
}
interface Projection {
  ProjectionType?: "ALL" | "KEYS_ONLY" | "INCLUDE";
  NonKeyAttributes?: string[];
}
interface IndexDescription {
  IndexName: string;
  KeySchema: KeyElement[];
  Projection: Projection;
  IndexStatus?: string;
  ItemCount?: number;
  IndexSizeBytes?: number;
}
export interface TableDescription {
  TableName: string;
  TableStatus: string;
  TableArn?: string;
  CreationDateTime?: number;
  ItemCount?: number;
  TableSizeBytes?: number;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: KeyType }[];
  BillingModeSummary?: { BillingMode?: string };
  ProvisionedThroughput?: { ReadCapacityUnits?: number; WriteCapacityUnits?: number };
  GlobalSecondaryIndexes?: IndexDescription[];
  LocalSecondaryIndexes?: IndexDescription[];
  StreamSpecification?: { StreamEnabled?: boolean; StreamViewType?: string };
  DeletionProtectionEnabled?: boolean;
}

export interface KeyAttribute {
  name: string;
  type: KeyType;
}
export interface Structure {
  index: string | null; // null: the table itself
  kind: "table" | "global" | "local";
  partition: KeyAttribute[];
  sort: KeyAttribute[];
  projection: "ALL" | "KEYS_ONLY" | "INCLUDE";
  included: string[];
  itemCount: number;
  bytes: number;
  active: boolean;
}
export interface TableSchema {
  name: string;
  structures: [Structure, ...Structure[]]; // the table first
  key: string[]; // the base table's key attributes, partition first
}

export function schemaOf(table: TableDescription): TableSchema {
  const types = new Map(table.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const keys = (elements: KeyElement[], kind: "HASH" | "RANGE"): KeyAttribute[] =>
    elements.filter((each) => each.KeyType === kind).map((each) => ({ name: each.AttributeName, type: types.get(each.AttributeName) ?? "S" }));
  const base: Structure = {
    index: null,
    kind: "table",
    partition: keys(table.KeySchema, "HASH"),
    sort: keys(table.KeySchema, "RANGE"),
    projection: "ALL",
    included: [],
    itemCount: table.ItemCount ?? 0,
    bytes: table.TableSizeBytes ?? 0,
    active: table.TableStatus === "ACTIVE",
  };
  const index = (kind: "global" | "local") => (each: IndexDescription): Structure => ({
    index: each.IndexName,
    kind,
    partition: keys(each.KeySchema, "HASH"),
    sort: keys(each.KeySchema, "RANGE"),
    projection: each.Projection.ProjectionType ?? "ALL",
    included: each.Projection.NonKeyAttributes ?? [],
    itemCount: each.ItemCount ?? 0,
    bytes: each.IndexSizeBytes ?? 0,
    active: kind === "local" || (each.IndexStatus ?? "ACTIVE") === "ACTIVE",
  });
  const byName = (a: Structure, b: Structure) => ((a.index ?? "") < (b.index ?? "") ? -1 : 1);
  return {
    name: table.TableName,
    structures: [
      base,
      ...(table.LocalSecondaryIndexes ?? []).map(index("local")).sort(byName),
      ...(table.GlobalSecondaryIndexes ?? []).map(index("global")).sort(byName),
    ],
    key: [...base.partition, ...base.sort].map((each) => each.name),
  };
}

export function structureOf(schema: TableSchema, index: string | null): Structure | undefined {
  return schema.structures.find((each) => each.index === index);
}

// Every attribute of the structure's key, then of the base key: what identifies a row there.
export function keyNames(schema: TableSchema, structure: Structure): string[] {
  return [...new Set([...structure.partition, ...structure.sort].map((each) => each.name).concat(schema.key))];
}

// Whether rows read from the structure show whole items.
export function showsAll(structure: Structure): boolean {
  return structure.projection === "ALL";
}

export function projects(schema: TableSchema, structure: Structure, name: string): boolean {
  return showsAll(structure) || structure.included.includes(name) || keyNames(schema, structure).includes(name);
}

// Names an item among all others of its table.
export function identity(schema: TableSchema, item: Item): string {
  return JSON.stringify(schema.key.map((name) => attribute(item, name) ?? null));
}
