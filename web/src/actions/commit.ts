// SPDX-License-Identifier: Apache-2.0
// Staged edits become one transaction: all of them or none, and undone the same way.
import type { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client";
import { refreshItems, transact } from "../api/items";
import { tableQuery } from "../api/tables";
import { count } from "../core/format";
import type { TableSchema } from "../core/schema";
import { schemaOf } from "../core/schema";
import type { Edit, Staged } from "../core/staging";
import { actionsMax, invert, transactionOf } from "../core/staging";
import { committed, notify, staged, unstage } from "./state";

// The table's edits in the transaction's order: an action's place tells whose it is.
function actionsOf(schema: TableSchema, edits: readonly Edit[]) {
  return edits.flatMap((edit, of) => transactionOf(schema, edit).map((action) => ({ action, of })));
}

async function write(client: QueryClient, table: string, edits: readonly Edit[]): Promise<void> {
  const schema = schemaOf(await client.fetchQuery(tableQuery(table)));
  const actions = actionsOf(schema, edits);
  if (actions.length > actionsMax) {
    throw new ApiError("TooMany", `One transaction takes ${actionsMax} actions at most; these are ${actions.length}. Commit fewer at once.`);
  }
  try {
    await transact(actions.map(({ action }) => action));
  } catch (fault) {
    throw fault instanceof ApiError ? explained(fault) : fault;
  } finally {
    await refreshItems(client, table);
  }
}

function explained(fault: ApiError): ApiError {
  const refused = fault.reasons.filter((reason) => reason.Code !== undefined && reason.Code !== "None");
  if (refused.length === 0) return fault;
  const changed = refused.filter((reason) => reason.Code === "ConditionalCheckFailed").length;
  if (changed === 0) return new ApiError(fault.code, refused[0]?.Message ?? fault.message, fault.reasons);
  return new ApiError(
    fault.code,
    `Nothing was written: ${count(changed, "item")} changed since you read ${changed === 1 ? "it" : "them"}. Look at what is there now and edit again.`,
    fault.reasons,
  );
}

export async function commit(client: QueryClient, table: string): Promise<boolean> {
  const mine: Staged[] = staged.get().filter((each) => each.table === table);
  const edits = mine.map((each) => each.edit);
  try {
    await write(client, table, edits);
  } catch (fault) {
    notify((fault as Error).message, { bad: true });
    return false;
  }
  for (const each of mine) unstage(table, each.id);
  committed.set([...committed.get(), { table, edits }]);
  notify(`Committed ${count(edits.length, "change")} in one transaction.`, {
    action: { title: "Undo", run: () => void undo(client) },
  });
  return true;
}

// Takes back the last commit, if what it wrote still is as it was written.
export async function undo(client: QueryClient): Promise<void> {
  const last = committed.get().at(-1);
  if (!last) return;
  try {
    await write(client, last.table, last.edits.map(invert));
    committed.set(committed.get().filter((each) => each !== last));
    notify(`Undone: ${count(last.edits.length, "change")} taken back in one transaction.`);
  } catch (fault) {
    notify(`Not undone. ${(fault as Error).message}`, { bad: true });
  }
}
