// SPDX-License-Identifier: Apache-2.0
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notify, settings } from "../../actions/state";
import { refreshItems, writeBatches } from "../../api/items";
import { awaitTable, createTable } from "../../api/tables";
import type { Example } from "../../core/examples/index";
import { examples } from "../../core/examples/index";
import { integer } from "../../core/format";
import { itemsOf } from "../../core/route";
import { Link, navigate } from "../../ui/navigation";
import { useStore } from "../../ui/use_store";

export function ExampleCards({ existing }: { existing: string[] }) {
  const client = useQueryClient();
  const { readOnly } = useStore(settings);
  const [loading, setLoading] = useState<{ id: string; done: number; all: number } | null>(null);

  const load = async (example: Example) => {
    const items = [...example.items()];
    setLoading({ id: example.id, done: 0, all: items.length });
    try {
      await createTable(client, example.request);
      await awaitTable(example.table);
      await writeBatches(
        example.table,
        items.map((Item) => ({ PutRequest: { Item } })),
        (done) => setLoading({ id: example.id, done, all: items.length }),
      );
      await refreshItems(client, example.table);
      navigate(itemsOf(example.table));
      notify(`${example.title}: ${integer(items.length)} items are in the table.`);
    } catch (fault) {
      notify((fault as Error).message, { bad: true });
    } finally {
      setLoading(null);
    }
  };

  return (
    <div className="cards">
      {examples.map((example) => (
        <article key={example.id} className="card">
          <h3>{example.title}</h3>
          <p>{example.text}</p>
          <div className="card-asks">Shows {example.asks}.</div>
          {loading?.id === example.id ? (
            <div className="progress" role="progressbar" aria-label={`Loading ${example.title}`} aria-valuemin={0} aria-valuemax={loading.all} aria-valuenow={loading.done}>
              <div style={{ width: `${(100 * loading.done) / loading.all}%` }} />
            </div>
          ) : existing.includes(example.table) ? (
            <Link className="button" to={itemsOf(example.table)}>
              Open {example.table}
            </Link>
          ) : (
            <button className="button" disabled={loading !== null || readOnly} onClick={() => void load(example)}>
              Load with data
            </button>
          )}
        </article>
      ))}
    </div>
  );
}
