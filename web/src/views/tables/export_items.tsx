// SPDX-License-Identifier: Apache-2.0
// All items of the table as a file. Pages become parts of a Blob, which the browser may keep on disk.
import { useState } from "react";
import { scanAll } from "../../api/transfer";
import type { Item } from "../../core/attribute";
import { integer } from "../../core/format";
import { printCsv, printCsvHead, printLine } from "../../core/ndjson";
import { print } from "../../core/exact_json";
import { Modal } from "../../ui/modal";
import { saveFile } from "../../ui/save_file";

type Format = "dynamo" | "json" | "csv";
const formats: [Format, string, string, string][] = [
  ["dynamo", "DynamoDB JSON, a line each", "ndjson", "Every type is kept; Import reads it back the same."],
  ["json", "Plain JSON, a line each", "jsonl", "Every digit is kept; sets and binary become lists and text."],
  ["csv", "CSV", "csv", "One column an attribute; lists and maps as JSON in their field."],
];

export function ExportItems({ table, close }: { table: string; close: () => void }) {
  const [format, setFormat] = useState<Format>("dynamo");
  const [busy, setBusy] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState("");
  const run = async () => {
    const controller = new AbortController();
    setBusy(controller);
    try {
      const parts = await collect(table, format, (done) => setProgress(`${integer(done)} items read`), controller.signal);
      saveFile(parts, `${table}.${formats.find(([id]) => id === format)![2]}`);
      close();
    } catch (fault) {
      if (!controller.signal.aborted) setProgress((fault as Error).message);
      setBusy(null);
    }
  };
  return (
    <Modal
      title={`Export ${table}`}
      close={() => {
        busy?.abort();
        close();
      }}
      foot={
        <>
          <span className="soft grow" role="status">
            {progress}
          </span>
          <button className="button primary" disabled={busy !== null} onClick={() => void run()}>
            Export
          </button>
        </>
      }
    >
      <fieldset className="dialog-body" style={{ padding: 0 }}>
        <legend className="visually-hidden">Format</legend>
        {formats.map(([id, title, , text]) => (
          <label key={id} className="row" style={{ alignItems: "flex-start" }}>
            <input type="radio" name="format" checked={format === id} onChange={() => setFormat(id)} style={{ marginTop: 3 }} />
            <span>
              {title}
              <br />
              <span className="hint">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="soft">The whole table is read, page by page, and costs as much as a Scan.</p>
    </Modal>
  );
}

async function collect(table: string, format: Format, progress: (done: number) => void, signal: AbortSignal): Promise<Blob> {
  const parts: Blob[] = [];
  let done = 0;
  const names = new Set<string>();
  if (format === "csv") {
    // The columns are known when every item has been seen.
    for await (const items of scanAll(table, null, signal)) for (const item of items) for (const name of Object.keys(item)) names.add(name);
    parts.push(new Blob([printCsvHead([...names])]));
  }
  for await (const items of scanAll(table, null, signal)) {
    parts.push(new Blob([format === "csv" ? printCsv([...names], items) : items.map(lineOf(format)).join("")]));
    done += items.length;
    progress(done);
  }
  return new Blob(parts);
}

const lineOf = (format: Format) => (item: Item) => (format === "dynamo" ? `${printLine(item)}\n` : `${print({ M: item }).replace(/\n\s*/g, " ")}\n`);
