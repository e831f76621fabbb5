// SPDX-License-Identifier: Apache-2.0
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useState } from "react";
import { notify } from "../../actions/state";
import { awaitTable, createTable, tableQuery } from "../../api/tables";
import { copyItems } from "../../api/transfer";
import { integer } from "../../core/format";
import { itemsOf } from "../../core/route";
import { copyRequest } from "../../core/table_form";
import { Modal } from "../../ui/modal";
import { navigate } from "../../ui/navigation";

export function CopyTable({ table, close }: { table: string; close: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(`${table}-copy`);
  const [withItems, setWithItems] = useState(true);
  const [busy, setBusy] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const controller = new AbortController();
    setBusy(controller);
    try {
      await createTable(client, copyRequest(await client.fetchQuery(tableQuery(table)), name));
      await awaitTable(name);
      if (withItems) await copyItems(table, name, (done) => setProgress(`${integer(done)} items copied`), controller.signal);
      close();
      navigate(itemsOf(name));
      notify(`${name} is a copy of ${table}.`);
    } catch (fault) {
      if (!controller.signal.aborted) notify((fault as Error).message, { bad: true });
      setBusy(null);
    }
  };
  return (
    <Modal
      title={`Copy ${table}`}
      close={() => {
        busy?.abort();
        close();
      }}
      foot={
        <>
          <span className="soft grow" role="status">
            {progress}
          </span>
          <button className="button primary" form="copy-table" disabled={busy !== null}>
            Copy
          </button>
        </>
      }
    >
      <form id="copy-table" className="dialog-body" style={{ padding: 0 }} onSubmit={(event) => void submit(event)}>
        <label className="stack">
          Name of the copy
          <input className="field mono" autoFocus spellCheck={false} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label className="row">
          <input type="checkbox" checked={withItems} onChange={(event) => setWithItems(event.target.checked)} />
          With its items
        </label>
      </form>
    </Modal>
  );
}
