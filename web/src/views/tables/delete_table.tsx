// SPDX-License-Identifier: Apache-2.0
// What cannot be taken back asks for the table's name first.
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { notify } from "../../actions/state";
import { refreshItems } from "../../api/items";
import { deleteTable, tableQuery } from "../../api/tables";
import { emptyItems } from "../../api/transfer";
import { integer } from "../../core/format";
import { schemaOf } from "../../core/schema";
import { Modal } from "../../ui/modal";
import { navigate } from "../../ui/navigation";

interface ConfirmProps {
  title: string;
  table: string;
  button: string;
  close: () => void;
  run: (progress: (text: string) => void, signal: AbortSignal) => Promise<void>;
  children: ReactNode;
}

function Confirm({ title, table, button, close, run, children }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState("");
  const go = async () => {
    const controller = new AbortController();
    setBusy(controller);
    try {
      await run(setProgress, controller.signal);
      close();
    } catch (fault) {
      if (!controller.signal.aborted) notify((fault as Error).message, { bad: true });
      setBusy(null);
    }
  };
  return (
    <Modal
      title={title}
      close={() => {
        busy?.abort();
        close();
      }}
      foot={
        <>
          <span className="soft grow" role="status">
            {progress}
          </span>
          <button className="button danger" disabled={typed !== table || busy !== null} onClick={() => void go()}>
            {button}
          </button>
        </>
      }
    >
      {children}
      <label className="stack">
        <span>
          Type <code>{table}</code> to go on
        </span>
        <input className="field mono" autoFocus spellCheck={false} autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
    </Modal>
  );
}

export function DeleteTable({ table, close }: { table: string; close: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Delete ${table}`}
      table={table}
      button="Delete the table"
      close={close}
      run={async () => {
        navigate({ screen: "home" });
        await deleteTable(client, table);
        notify(`${table} is deleted.`);
      }}
    >
      <p>The table, its indexes and all of its items go, for good.</p>
    </Confirm>
  );
}

export function EmptyTable({ table, close }: { table: string; close: () => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Empty ${table}`}
      table={table}
      button="Delete all items"
      close={close}
      run={async (progress, signal) => {
        const schema = schemaOf(await client.fetchQuery(tableQuery(table)));
        const deleted = await emptyItems(schema, (done) => progress(`${integer(done)} items deleted`), signal);
        await refreshItems(client, table);
        notify(`${integer(deleted)} items are deleted from ${table}.`);
      }}
    >
      <p>Every item is deleted, for good; the table and its indexes stay. Each deletion costs write units, in the table and in every index that holds the item.</p>
    </Confirm>
  );
}
