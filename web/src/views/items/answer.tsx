// SPDX-License-Identifier: Apache-2.0
// The answer to a question as a grid, with what stands at its end.
import { Inbox, SearchX } from "lucide-react";
import { useEffect } from "react";
import type { Item } from "../../core/attribute";
import { count, integer } from "../../core/format";
import type { Compiled, Question } from "../../core/question";
import type { Structure, TableSchema } from "../../core/schema";
import type { Staged } from "../../core/staging";
import { Fault, Loading, State } from "../../ui/state";
import { Grid } from "./grid";
import type { Pages } from "./use_pages";
import { rowsMax, usePages } from "./use_pages";

interface AnswerProps {
  schema: TableSchema;
  structure: Structure;
  compiled: Compiled;
  question: Question;
  open: string | null;
  edits: Staged[];
  openItem: (item: Item) => void;
  openPartition: (item: Item) => void;
  removeItem: (item: Item) => void;
  report: (cost: Pages["cost"], attributes: string[]) => void;
}

export function Answer({ schema, structure, compiled, question, open, edits, openItem, openPartition, removeItem, report }: AnswerProps) {
  const pages = usePages(compiled);
  const { cost } = pages;
  const names = [...new Set(pages.loaded.flatMap((item) => Object.keys(item)))].slice(0, 200);
  useEffect(() => report(cost, names), [cost.units, cost.scanned, cost.pages, names.join("\n")]);
  const kinds = new Map(edits.map((each) => [each.id, each.edit.kind === "delete" ? ("removed" as const) : ("changed" as const)]));

  if (pages.rowCount === 0) {
    if (pages.fault) return <Fault fault={pages.fault} retry={pages.retry} />;
    if (pages.paused) return <Tail pages={pages} />;
    if (pages.more) return <Loading what="items" />;
    return <Nothing compiled={compiled} question={question} table={schema.name} />;
  }
  return (
    <Grid
      schema={schema}
      structure={structure}
      pages={pages}
      open={open}
      stagedKinds={kinds}
      openItem={openItem}
      openPartition={openPartition}
      removeItem={removeItem}
      tail={<Tail pages={pages} />}
    />
  );
}

function Tail({ pages }: { pages: Pages }) {
  if (pages.fault) {
    return (
      <>
        <span className="fault">{pages.fault.message}</span>
        <button className="button" onClick={pages.retry}>
          Try again
        </button>
      </>
    );
  }
  if (pages.paused) {
    return (
      <div className="state">
        <SearchX className="icon" aria-hidden />
        <h2>Nothing matched in the last {count(pages.cost.scanned, "item")} read</h2>
        <p>A filter hides items after they are read and paid for.</p>
        <button className="button" onClick={pages.proceed}>
          Keep reading
        </button>
      </div>
    );
  }
  if (pages.rowCount >= rowsMax) {
    return <span>These are {integer(rowsMax)} rows, as many as one run shows. Narrow the question, or scan in parts to look further on.</span>;
  }
  if (pages.more) return <span>{pages.reading ? "Reading on…" : ""}</span>;
  return <span>{count(pages.rowCount, "item")}. That is all.</span>;
}

function Nothing({ compiled, question, table }: { compiled: Compiled; question: Question; table: string }) {
  if (compiled.operation === "Scan" && !compiled.filtered) {
    const where = question.index ?? table;
    return (
      <State icon={Inbox} title={question.index === null ? `${table} is empty` : `No item is in ${where}`}>
        <p>{question.index === null ? "Add an item with New item, or import a file." : "An item is in an index when it has all of the index's key attributes."}</p>
      </State>
    );
  }
  return (
    <State icon={SearchX} title="No item answers this question">
      <p>{compiled.operation === "Query" ? "Keys compare exactly: check the prefix, the delimiter and the case." : "All of it was read, and nothing matched the filter."}</p>
    </State>
  );
}
