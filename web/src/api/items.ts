// SPDX-License-Identifier: Apache-2.0
// Items: pages of a question, single items whole, and the transaction that writes staged edits.
import type { QueryClient } from "@tanstack/react-query";
import { queryOptions } from "@tanstack/react-query";
import type { Item } from "../core/attribute";
import type { Compiled } from "../core/question";
import type { TransactItem } from "../core/staging";
import { call } from "./client";

export interface Page {
  Items: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: { CapacityUnits: number };
}

export const pageItems = 100;

// A filtered page is as large as the service allows: its limit would count what is read, not what is shown.
function limitOf(compiled: Compiled): { Limit?: number } {
  return compiled.filtered ? {} : { Limit: pageItems };
}

export async function readPage(compiled: Compiled, start: Item | null, signal?: AbortSignal): Promise<Page> {
  const from = start ? { ExclusiveStartKey: start } : {};
  return call<Page>(compiled.operation, { ...compiled.request, ...limitOf(compiled), ...from, ReturnConsumedCapacity: "TOTAL" }, signal);
}

export function pageQuery(compiled: Compiled, start: Item | null) {
  return queryOptions({
    queryKey: ["items", compiled.request.TableName, "page", compiled.operation, compiled.request, start],
    queryFn: ({ signal }) => readPage(compiled, start, signal),
    staleTime: Infinity,
    gcTime: 15_000, // pages out of sight are let go, and read again when somebody comes back
  });
}

// The first page, counted and not sent: what it will cost and how much it will show.
export function estimateQuery(compiled: Compiled) {
  return queryOptions({
    queryKey: ["items", compiled.request.TableName, "estimate", compiled.operation, compiled.request],
    queryFn: ({ signal }) =>
      call<Page>(compiled.operation, { ...compiled.request, ...limitOf(compiled), Select: "COUNT", ReturnConsumedCapacity: "TOTAL" }, signal),
    staleTime: 10_000,
  });
}

export async function getItem(table: string, key: Item, signal?: AbortSignal): Promise<Item | null> {
  const reply = await call<{ Item?: Item }>("GetItem", { TableName: table, Key: key, ConsistentRead: true }, signal);
  return reply.Item ?? null;
}

export function itemQuery(table: string, key: Item) {
  return queryOptions({
    queryKey: ["items", table, "item", key],
    queryFn: ({ signal }) => getItem(table, key, signal),
  });
}

export async function transact(actions: TransactItem[]): Promise<void> {
  await call("TransactWriteItems", { TransactItems: actions });
}

export async function refreshItems(client: QueryClient, table: string): Promise<void> {
  await client.invalidateQueries({ queryKey: ["items", table] });
  await client.invalidateQueries({ queryKey: ["table", table] });
}

type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } };
const batchMax = 25;

// Writes in batches and repeats what the server had no room for.
export async function writeBatches(table: string, requests: WriteRequest[], progress: (done: number) => void, signal?: AbortSignal): Promise<void> {
  for (let at = 0; at < requests.length; at += batchMax) {
    let rest = requests.slice(at, at + batchMax);
    for (let attempt = 0; rest.length > 0; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** attempt, 2_000)));
      const reply = await call<{ UnprocessedItems?: Record<string, WriteRequest[]> }>("BatchWriteItem", { RequestItems: { [table]: rest } }, signal);
      rest = reply.UnprocessedItems?.[table] ?? [];
    }
    progress(Math.min(at + batchMax, requests.length));
  }
}
