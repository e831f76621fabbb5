// SPDX-License-Identifier: Apache-2.0
// The tables: their names, their descriptions, their coming and going.
import type { QueryClient } from "@tanstack/react-query";
import { useQuery } from "@tanstack/react-query";
import type { TableDescription } from "../core/schema";
import { call } from "./client";

export const tablesKey = ["tables"] as const;
export const tableKey = (name: string) => ["table", name] as const;

async function listTables(signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const page: { TableNames: string[]; LastEvaluatedTableName?: string } = await call(
      "ListTables",
      start === undefined ? {} : { ExclusiveStartTableName: start },
      signal,
    );
    names.push(...page.TableNames);
    start = page.LastEvaluatedTableName;
  } while (start !== undefined);
  return names;
}

export function useTables() {
  return useQuery({ queryKey: tablesKey, queryFn: ({ signal }) => listTables(signal), refetchOnWindowFocus: true });
}

const isMoving = (table: TableDescription | undefined): boolean =>
  table !== undefined &&
  (table.TableStatus !== "ACTIVE" || (table.GlobalSecondaryIndexes ?? []).some((index) => index.IndexStatus !== "ACTIVE"));

async function describe(name: string, signal?: AbortSignal): Promise<TableDescription> {
  const reply = await call<{ Table: TableDescription }>("DescribeTable", { TableName: name }, signal);
  return reply.Table;
}

export function tableQuery(name: string) {
  return {
    queryKey: tableKey(name),
    queryFn: ({ signal }: { signal: AbortSignal }) => describe(name, signal),
    refetchInterval: (query: { state: { data?: TableDescription | undefined } }) => (isMoving(query.state.data) ? 500 : false),
  };
}

export function useTable(name: string) {
  return useQuery(tableQuery(name));
}

export async function awaitTable(name: string): Promise<void> {
  while ((await describe(name)).TableStatus !== "ACTIVE") await new Promise((resolve) => setTimeout(resolve, 100));
}

export async function createTable(client: QueryClient, request: object): Promise<void> {
  await call("CreateTable", request);
  await client.invalidateQueries({ queryKey: tablesKey });
}

export async function deleteTable(client: QueryClient, name: string): Promise<void> {
  await call("DeleteTable", { TableName: name });
  client.removeQueries({ queryKey: tableKey(name) });
  await client.invalidateQueries({ queryKey: tablesKey });
}
