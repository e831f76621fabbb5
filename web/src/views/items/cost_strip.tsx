// SPDX-License-Identifier: Apache-2.0
// What the question is and will cost, measured by the server by counting; and what it has cost.
import { useQuery } from "@tanstack/react-query";
import { estimateQuery } from "../../api/items";
import { scanCostQuery } from "../../api/studio";
import { count, integer, unitCount, unitsOf } from "../../core/format";
import type { Compiled, Question } from "../../core/question";
import { compile } from "../../core/question";
import type { Structure, TableSchema } from "../../core/schema";
import { useSettled } from "../../ui/use_settled";

interface CostStripProps {
  schema: TableSchema;
  structure: Structure;
  question: Question;
  spent: { units: number; scanned: number; pages: number } | null;
}

export function CostStrip({ schema, structure, question, spent }: CostStripProps) {
  const text = JSON.stringify(question);
  const settled = useSettled(text, 200) === text; // so that not every letter asks the server
  const result = compile(question, schema);
  return (
    <div className="verdict">
      {result.ok ? (
        <>
          <span className={result.compiled.operation === "Query" ? "badge query" : "badge scan"}>{result.compiled.operation}</span>
          <span>{result.compiled.reason}</span>
          {settled && <Before compiled={result.compiled} structure={structure} />}
        </>
      ) : (
        <span className="fault">{result.message}</span>
      )}
      {spent && spent.pages > 0 && (
        <span className="after">
          Read so far: <b>{count(spent.scanned, "item")}</b> in {count(spent.pages, "page")}, <b>{unitCount(spent.units)}</b> {unitsOf(spent.units)}
        </span>
      )}
    </div>
  );
}

function Before({ compiled, structure }: { compiled: Compiled; structure: Structure }) {
  const estimate = useQuery(estimateQuery(compiled));
  const strong = compiled.request.ConsistentRead === true;
  const whole = useQuery({ ...scanCostQuery(structure.itemCount, structure.bytes, strong ? "strong" : "eventual"), enabled: compiled.operation === "Scan" && structure.bytes > 0 });
  const page = estimate.data;
  return (
    <>
      {estimate.isError && <span className="fault">{estimate.error.message}</span>}
      {page && (
        <span title="Measured by asking the server to count this page">
          {page.LastEvaluatedKey ? "First page" : "All of it"}: <b>{unitCount(page.ConsumedCapacity?.CapacityUnits ?? 0)}</b> {unitsOf(page.ConsumedCapacity?.CapacityUnits ?? 0)} for {count(page.ScannedCount, "item")}
          {compiled.filtered && `, ${integer(page.Count)} shown`}.
        </span>
      )}
      {whole.data && page?.LastEvaluatedKey && (
        <span>
          Everything: about <b>{unitCount(whole.data.units)}</b> {unitsOf(whole.data.units)}.
        </span>
      )}
    </>
  );
}
