// SPDX-License-Identifier: Apache-2.0
// Whole tables, a page at a time: out, in, away.
import type { Item } from "../core/attribute";
import { pick } from "../core/attribute";
import type { TableSchema } from "../core/schema";
import { call } from "./client";
import type { Page } from "./items";
import { writeBatches } from "./items";

export async function* scanAll(table: string, keysOnly: TableSchema | null, signal?: AbortSignal): AsyncGenerator<Item[]> {
  const names = Object.fromEntries((keysOnly?.key ?? []).map((name, i) => [`#k${i}`, name]));
  const projection = keysOnly ? { ProjectionExpression: Object.keys(names).join(", "), ExpressionAttributeNames: names } : {};
  let start: Item | undefined;
  do {
    const page: Page = await call<Page>("Scan", { TableName: table, ...projection, ...(start ? { ExclusiveStartKey: start } : {}) }, signal);
    yield page.Items;
    start = page.LastEvaluatedKey;
  } while (start);
}

export async function emptyItems(schema: TableSchema, progress: (done: number) => void, signal: AbortSignal): Promise<number> {
  let done = 0;
  for await (const items of scanAll(schema.name, schema, signal)) {
    const from = done;
    const requests = items.map((item) => ({ DeleteRequest: { Key: pick(item, schema.key) } }));
    await writeBatches(schema.name, requests, (more) => progress(from + more), signal);
    done += items.length;
  }
  return done;
}

export async function copyItems(from: string, to: string, progress: (done: number) => void, signal: AbortSignal): Promise<number> {
  let done = 0;
  for await (const items of scanAll(from, null, signal)) {
    const before = done;
    await writeBatches(
      to,
      items.map((Item) => ({ PutRequest: { Item } })),
      (more) => progress(before + more),
      signal,
    );
    done += items.length;
  }
  return done;
}
