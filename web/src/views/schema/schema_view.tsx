// SPDX-License-Identifier: Apache-2.0
import { useTable } from "../../api/tables";
import { bytes, count, integer } from "../../core/format";
import { itemsOf } from "../../core/route";
import type { Structure, TableDescription, TableSchema } from "../../core/schema";
import { schemaOf } from "../../core/schema";
import { Link } from "../../ui/navigation";
import { Fault, Loading } from "../../ui/state";
import { TableHead } from "../tables/table_head";
import { KeySignature } from "./key_signature";

export function SchemaView({ table: name }: { table: string }) {
  const table = useTable(name);
  if (table.isPending) return <Loading what={`the table ${name}`} />;
  if (table.isError) return <Fault fault={table.error} retry={() => void table.refetch()} />;
  const schema = schemaOf(table.data);
  return (
    <>
      <TableHead table={name} schema={schema} current="schema" />
      <div className="scroll">
        <div className="sheet">
          <Facts table={table.data} />
          <section>
            <div className="section-head">
              <h2>Table and indexes</h2>
            </div>
            <Structures schema={schema} />
          </section>
        </div>
      </div>
    </>
  );
}

function Facts({ table }: { table: TableDescription }) {
  const onDemand = table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST";
  const throughput = table.ProvisionedThroughput;
  const facts: [string, string][] = [
    ["Status", table.TableStatus.toLowerCase()],
    ["Items", integer(table.ItemCount ?? 0)],
    ["Size", bytes(table.TableSizeBytes ?? 0)],
    ["Capacity", onDemand ? "on demand" : `${throughput?.ReadCapacityUnits ?? 0} read, ${throughput?.WriteCapacityUnits ?? 0} write units`],
    ["Stream", table.StreamSpecification?.StreamEnabled ? (table.StreamSpecification.StreamViewType ?? "on").toLowerCase().replaceAll("_", " ") : "off"],
    ["Deletion protection", table.DeletionProtectionEnabled ? "on" : "off"],
    ["Created", table.CreationDateTime ? new Date(table.CreationDateTime * 1000).toISOString().slice(0, 16).replace("T", " ") : "unknown"],
  ];
  return (
    <dl className="facts" style={{ margin: 0 }}>
      {facts.map(([title, value]) => (
        <div key={title} className="fact">
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const kinds: Record<Structure["kind"], string> = { table: "Table", local: "Local index", global: "Global index" };

function Structures({ schema }: { schema: TableSchema }) {
  return (
    <div className="list" tabIndex={0} role="region" aria-label="Table and indexes">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Kind</th>
            <th>Key</th>
            <th>Projects</th>
            <th className="number">Items</th>
            <th className="number">Size</th>
          </tr>
        </thead>
        <tbody>
          {schema.structures.map((structure) => (
            <tr key={structure.index ?? ""}>
              <td>
                <Link to={itemsOf(schema.name, { index: structure.index })}>{structure.index ?? schema.name}</Link>{" "}
                {!structure.active && <span className="badge">being built</span>}
              </td>
              <td className="soft">{kinds[structure.kind]}</td>
              <td>
                <KeySignature structure={structure} />
              </td>
              <td className="soft">{projection(structure)}</td>
              <td className="number">{integer(structure.itemCount)}</td>
              <td className="number">{bytes(structure.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function projection(structure: Structure): string {
  switch (structure.projection) {
    case "ALL":
      return "all attributes";
    case "KEYS_ONLY":
      return "keys only";
    case "INCLUDE":
      return structure.included.length <= 4 ? `keys, ${structure.included.join(", ")}` : `keys and ${count(structure.included.length, "attribute")}`;
  }
}
