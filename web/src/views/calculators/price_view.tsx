// SPDX-License-Identifier: Apache-2.0
// What a month costs under every way to pay, each with its addends. The server computes.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MonthCost, MonthDemand } from "../../api/studio";
import { monthCostQuery } from "../../api/studio";
import { Fault, Loading } from "../../ui/state";

type NumberField = Exclude<keyof MonthDemand, "region" | "pointInTimeRecovery">;

const start: MonthDemand = {
  region: "us-east-1",
  readUnits: 200,
  writeUnits: 50,
  readUnitsPeak: 600,
  writeUnitsPeak: 150,
  storageGb: 25,
  backupGb: 0,
  utilizationPercent: 70,
  replicas: 0,
  pointInTimeRecovery: "no",
};

const fields: [NumberField, string, string][] = [
  ["readUnits", "Read units a second", "on average"],
  ["readUnitsPeak", "Read units a second", "at the peak"],
  ["writeUnits", "Write units a second", "on average"],
  ["writeUnitsPeak", "Write units a second", "at the peak"],
  ["storageGb", "Storage", "GB"],
  ["backupGb", "Backups", "GB"],
  ["utilizationPercent", "Utilization at the peak", "percent, of provisioned capacity"],
  ["replicas", "Replicas", "further regions"],
];

export function PriceView() {
  const [demand, setDemand] = useState(start);
  const cost = useQuery({ ...monthCostQuery(demand), placeholderData: keepPreviousData });
  return (
    <div className="workbench">
      <header className="page-head">
        <h1>Price of a month</h1>
        <span className="soft">Every way to pay, cheapest first</span>
      </header>
      <div className="split-two" style={{ marginTop: 12, borderTop: "1px solid var(--line)" }}>
        <div className="scroll">
          <form className="sheet" onSubmit={(event) => event.preventDefault()}>
            <div className="fields">
              <label className="stack">
                Region
                <input className="field mono" spellCheck={false} value={demand.region} onChange={(event) => setDemand({ ...demand, region: event.target.value })} />
              </label>
              <label className="row" style={{ alignSelf: "end", minHeight: 28 }}>
                <input
                  type="checkbox"
                  checked={demand.pointInTimeRecovery === "yes"}
                  onChange={(event) => setDemand({ ...demand, pointInTimeRecovery: event.target.checked ? "yes" : "no" })}
                />
                Point-in-time recovery
              </label>
              {fields.map(([name, title, hint]) => (
                <label key={name} className="stack">
                  <span>
                    {title} <span className="hint">{hint}</span>
                  </span>
                  <input
                    className="field"
                    type="number"
                    min={0}
                    step="any"
                    value={demand[name]}
                    onChange={(event) => setDemand({ ...demand, [name]: Number(event.target.value) })}
                  />
                </label>
              ))}
            </div>
          </form>
        </div>
        <div className="scroll" tabIndex={0} role="region" aria-label="Prices">
          {cost.isError ? <Fault fault={cost.error} /> : cost.data ? <Prices cost={cost.data} /> : <Loading what="the prices" />}
        </div>
      </div>
    </div>
  );
}

function Prices({ cost }: { cost: MonthCost }) {
  const most = Math.max(...cost.prices.map((price) => price.totalNano), 1);
  const share = (ppm: number) => `${(ppm / 10_000).toFixed(1)} %`;
  return (
    <div className="sheet">
      {cost.prices.map((price, i) => (
        <section key={`${price.billing} ${price.tableClass}`}>
          <div className="section-head">
            <h2>{price.billing.charAt(0).toUpperCase() + price.billing.slice(1)}</h2>
            <span className="soft grow">{price.tableClass}</span>
            {i === 0 && <span className="badge query">cheapest</span>}
            <b className={i === 0 ? "big" : undefined}>{price.total}</b>
          </div>
          <div className="bar-track" aria-hidden>
            {price.addends.map((addend, at) => (
              <div key={addend.name} className={`c${(at % 8) + 1}`} style={{ width: `${(100 * addend.monthlyNano) / most}%` }} />
            ))}
          </div>
          <table className="addends">
            <tbody>
              {price.addends.map((addend, at) => (
                <tr key={addend.name}>
                  <td>
                    <span className={`dot c${(at % 8) + 1}`} aria-hidden /> {addend.name}
                  </td>
                  <td className="soft">{addend.basis}</td>
                  <td className="number">{addend.monthly}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      <p className="soft">
        Provisioned capacity is cheaper where more than {share(cost.breakEvenReadPpm)} of it is read and {share(cost.breakEvenWritePpm)} of it written. Prices of {cost.region}, {cost.priceDate}.
        {cost.unverified.length > 0 && ` Not confirmed by a page of AWS: ${cost.unverified.join(", ")}.`}
      </p>
    </div>
  );
}
