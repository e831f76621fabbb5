// SPDX-License-Identifier: Apache-2.0
// A file of items into the table: read and checked whole before the first item is written.
import { useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { notify } from "../../actions/state";
import { refreshItems, writeBatches } from "../../api/items";
import { tableQuery } from "../../api/tables";
import { count, integer } from "../../core/format";
import type { ReadFile } from "../../core/ndjson";
import { readCsv, readLines } from "../../core/ndjson";
import { schemaOf } from "../../core/schema";
import { Modal } from "../../ui/modal";

// What a browser reads in one go without trouble; larger files are for the command line.
const bytesMax = 200 * 2 ** 20;

export function ImportItems({ table, close }: { table: string; close: () => void }) {
  const client = useQueryClient();
  const [read, setRead] = useState<(ReadFile & { name: string }) | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [done, setDone] = useState<number | null>(null);

  const take = async (file: File | undefined) => {
    if (!file) return;
    setRefused(null);
    setRead(null);
    if (file.size > bytesMax) return setRefused("The file is larger than 200 MB. Import it in parts.");
    const text = await file.text();
    const schema = schemaOf(await client.fetchQuery(tableQuery(table)));
    const found = /\.csv$/i.test(file.name) ? readCsv(text, schema) : readLines(text);
    // A batch takes each key once; of a key that the file has twice the last item counts.
    const last = new Map(found.items.map((item) => [JSON.stringify(schema.key.map((name) => item[name])), item]));
    setRead({ items: [...last.values()], faults: found.faults, name: file.name });
  };
  const write = async () => {
    if (!read) return;
    setDone(0);
    try {
      await writeBatches(
        table,
        read.items.map((Item) => ({ PutRequest: { Item } })),
        setDone,
      );
      notify(`${count(read.items.length, "item")} imported into ${table}.`);
      close();
    } catch (fault) {
      setRefused((fault as Error).message);
      setDone(null);
    } finally {
      await refreshItems(client, table);
    }
  };

  return (
    <Modal
      title={`Import into ${table}`}
      close={close}
      foot={
        <>
          <span className="soft grow" role="status">
            {done !== null && read && `${integer(done)} of ${count(read.items.length, "item")} written`}
          </span>
          <button className="button primary" disabled={!read || read.items.length === 0 || read.faults.length > 0 || done !== null} onClick={() => void write()}>
            {read ? `Import ${count(read.items.length, "item")}` : "Import"}
          </button>
        </>
      }
    >
      <p className="soft">
        Lines of DynamoDB JSON (also as an export to S3 has them) or of plain JSON, or CSV whose first line names the attributes. An item whose key is in the table already replaces the one there.
      </p>
      <label className="button" style={{ alignSelf: "flex-start" }}>
        <FileUp className="icon" aria-hidden />
        {read?.name ?? "Choose a file"}
        <input type="file" className="visually-hidden" accept=".json,.ndjson,.jsonl,.csv,.txt" onChange={(event) => void take(event.target.files?.[0])} />
      </label>
      {refused && (
        <p className="fault" role="alert">
          {refused}
        </p>
      )}
      {read && read.faults.length > 0 && (
        <div role="alert">
          <p className="fault">Nothing is imported until these lines are right:</p>
          <ul>
            {read.faults.map((fault) => (
              <li key={fault.line}>
                Line {fault.line}: {fault.message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Modal>
  );
}
