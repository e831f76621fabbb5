// SPDX-License-Identifier: Apache-2.0
// What an item weighs and costs. The server's own metering answers; nothing is computed here.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ItemCost } from "../../api/studio";
import { itemCostQuery } from "../../api/studio";
import type { Item } from "../../core/attribute";
import { parseDynamoItem, parseItem, printItem } from "../../core/exact_json";
import { bytes, count, integer, unitCount, unitsOf } from "../../core/format";
import { CodeEditor } from "../../ui/code_editor";
import { Fault, Loading } from "../../ui/state";

const sample: Item = {
  pk: { S: "PLAYER#u8231" },
  sk: { S: "MATCH#2026-06-23T14:00:00Z" },
  result: { S: "win" },
  ratingDelta: { N: "24" },
  rounds: { L: [{ N: "13" }, { N: "9" }] },
};

// Typed values say what they are; anything else is plain JSON.
function read(text: string) {
  const typed = parseDynamoItem(text);
  return typed.ok ? typed : parseItem(text);
}

export function ItemSizeView() {
  const [text, setText] = useState(printItem(sample));
  const parsed = read(text);
  const [item, setItem] = useState(sample);
  if (parsed.ok && JSON.stringify(parsed.value) !== JSON.stringify(item)) setItem(parsed.value);
  const size = useQuery({ ...itemCostQuery(item), placeholderData: keepPreviousData });
  return (
    <div className="workbench">
      <header className="page-head">
        <h1>Item size</h1>
        <span className="soft">JSON or DynamoDB JSON, weighed by the server as it bills</span>
      </header>
      <div className="split-two" style={{ marginTop: 12, borderTop: "1px solid var(--line)" }}>
        <div>
          <div className="code">
            <CodeEditor label="The item to weigh" language="json" value={text} change={setText} />
          </div>
          {!parsed.ok && (
            <p className="fault" role="alert" style={{ padding: "8px 14px" }}>
              {parsed.message}
            </p>
          )}
        </div>
        <div className="scroll" tabIndex={0} role="region" aria-label="Size of the item">{size.isError ? <Fault fault={size.error} /> : size.data ? <Weights size={size.data} /> : <Loading what="the size" />}</div>
      </div>
    </div>
  );
}

function Weights({ size }: { size: ItemCost }) {
  const heaviest = Math.max(...size.attributes.slice(0, 1).map((each) => each.nameBytes + each.valueBytes), 1);
  const facts: [string, number][] = [
    ["Read, eventual", size.readEventual],
    ["Read, strong", size.readStrong],
    ["Read, transactional", size.readTransactional],
    ["Write", size.write],
    ["Write, transactional", size.writeTransactional],
  ];
  return (
    <div className="sheet">
      <div>
        <div className="big">{bytes(size.bytes)}</div>
        <div className="soft">
          {size.bytes >= 1024 && `${integer(size.bytes)} bytes, `}of {bytes(size.bytesMax)} at most; {bytes(size.storedBytes)} in storage
          {!size.fits && <span className="fault"> Too large: the service refuses this item.</span>}
        </div>
      </div>
      <dl className="facts" style={{ margin: 0 }}>
        {facts.map(([title, value]) => (
          <div key={title} className="fact">
            <dt>{title}</dt>
            <dd>{unitCount(value)} {unitsOf(value)}</dd>
          </div>
        ))}
      </dl>
      <section>
        <div className="section-head">
          <h2>By attribute</h2>
          <span className="soft">name and value, {count(size.attributes.length, "attribute")}</span>
        </div>
        <div className="bars">
          {size.attributes.slice(0, 100).map((each) => (
            <div key={each.name} className="bar">
              <code title={each.name}>
                <bdi>{each.name}</bdi>
              </code>
              <div className="track" aria-hidden>
                <div style={{ width: `${(100 * (each.nameBytes + each.valueBytes)) / heaviest}%` }} />
              </div>
              <span className="number">{bytes(each.nameBytes + each.valueBytes)}</span>
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}
