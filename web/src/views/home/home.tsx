// SPDX-License-Identifier: Apache-2.0
import { useQueries } from "@tanstack/react-query";
import { dialog, settings } from "../../actions/state";
import { tableQuery, useTables } from "../../api/tables";
import { bytes, integer } from "../../core/format";
import { itemsOf } from "../../core/route";
import { schemaOf } from "../../core/schema";
import { Link } from "../../ui/navigation";
import { Fault, Loading } from "../../ui/state";
import { useStore } from "../../ui/use_store";
import { KeySignature } from "../schema/key_signature";
import { Connect } from "./connect";
import { ExampleCards } from "./example_cards";

// More tables than this are listed in the sidebar only.
const describedMax = 100;

export function Home() {
  const tables = useTables();
  const { readOnly } = useStore(settings);
  if (tables.isPending) return <Loading what="the tables" />;
  if (tables.isError) return <Fault fault={tables.error} retry={() => void tables.refetch()} />;
  const first = tables.data.length === 0;
  return (
    <div className="home">
      <div className="home-inner">
        {first ? (
          <>
            <h1 className="home-title">Start from a table that already works</h1>
            <p className="home-lead">
              A Query reads one partition along one key; that is the whole performance contract. Each example is a small design with data in it. Look at one, ask it, and change it.
            </p>
          </>
        ) : (
          <h1 className="home-title">Overview</h1>
        )}
        {!first && (
          <section>
            <div className="section-head">
              <h2 className="grow">Tables</h2>
              {!readOnly && (
                <button className="button" onClick={() => dialog.set({ name: "createTable" })}>
                  Create a table
                </button>
              )}
            </div>
            <TableList names={tables.data.slice(0, describedMax)} />
            {tables.data.length > describedMax && <p className="soft">The first {describedMax} of {integer(tables.data.length)} tables. The list at the left has all of them.</p>}
          </section>
        )}
        <section>
          <div className="section-head">
            <h2>Examples</h2>
            {first && !readOnly && (
              <span className="soft">
                or{" "}
                <button className="button" onClick={() => dialog.set({ name: "createTable" })}>
                  create an empty table
                </button>
              </span>
            )}
          </div>
          <ExampleCards existing={tables.data} />
        </section>
        <section>
          <div className="section-head">
            <h2>Design by proof</h2>
          </div>
          <div className="card">
            <p>
              Write down what you store and what you will ask, then a table for it. The proof stores rows through the design, asks every question and compares each answer; what a design cannot answer, it says why.
            </p>
            <Link className="button" to={{ screen: "design", document: null }}>
              Open a design
            </Link>
          </div>
        </section>
        <section>
          <div className="section-head">
            <h2>Connect your program</h2>
          </div>
          <Connect />
        </section>
      </div>
    </div>
  );
}

function TableList({ names }: { names: string[] }) {
  const described = useQueries({ queries: names.map(tableQuery) });
  return (
    <div className="list">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>Indexes</th>
            <th className="number">Items</th>
            <th className="number">Size</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, i) => {
            const table = described[i]?.data;
            const schema = table && schemaOf(table);
            return (
              <tr key={name}>
                <td>
                  <Link to={itemsOf(name)}>{name}</Link>
                </td>
                <td>{schema && <KeySignature structure={schema.structures[0]} />}</td>
                <td className="soft">
                  {schema
                    ?.structures.slice(1)
                    .map((structure) => structure.index)
                    .join(", ")}
                </td>
                <td className="number">{table && integer(table.ItemCount ?? 0)}</td>
                <td className="number">{table && bytes(table.TableSizeBytes ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
