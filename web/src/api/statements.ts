// SPDX-License-Identifier: Apache-2.0
import type { Item } from "../core/attribute";
import { call } from "./client";

export interface StatementPage {
  Items?: Item[];
  NextToken?: string;
  ConsumedCapacity?: { CapacityUnits: number; TableName?: string };
}

export async function executeStatement(statement: string, token: string | null, signal?: AbortSignal): Promise<StatementPage> {
  return call<StatementPage>("ExecuteStatement", { Statement: statement, ReturnConsumedCapacity: "TOTAL", ...(token ? { NextToken: token } : {}) }, signal);
}
