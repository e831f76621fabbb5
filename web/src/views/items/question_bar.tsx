// SPDX-License-Identifier: Apache-2.0
// The filter row: which structure, which keys, which filters; and before it runs, what that will cost.
import { ArrowDownNarrowWide, ArrowUpNarrowWide, ListFilter, Play } from "lucide-react";
import type { FormEvent } from "react";
import { useId, useState } from "react";
import type { Condition, Question } from "../../core/question";
import { isQuery } from "../../core/question";
import type { Structure, TableSchema } from "../../core/schema";
import { structureOf } from "../../core/schema";
import { FilterField, SortKeyField } from "./condition_field";
import { CostStrip } from "./cost_strip";

interface QuestionBarProps {
  schema: TableSchema;
  asked: Question;
  ask: (question: Question) => void;
  attributes: string[]; // names seen so far
  spent: { units: number; scanned: number; pages: number } | null;
}

const emptyFilter: Condition = { name: "", operator: "=", type: "S", values: [] };

function sortOf(structure: Structure, question: Question): Condition[] {
  return structure.sort.map((key) => {
    const given = question.sort.find((each) => each.name === key.name);
    return given ?? { name: key.name, operator: structure.sort.length > 1 ? "=" : "begins_with", type: key.type, values: [] };
  });
}

// begins_with is for strings and bytes.
function fitted(structure: Structure, conditions: Condition[]): Condition[] {
  return conditions.map((each) => {
    const type = structure.sort.find((key) => key.name === each.name)?.type ?? each.type;
    return { ...each, type, operator: type === "N" && each.operator === "begins_with" ? "=" : each.operator };
  });
}

export function QuestionBar({ schema, asked, ask, attributes, spent }: QuestionBarProps) {
  const [draft, setDraft] = useState(asked);
  const [from, setFrom] = useState(asked);
  if (from !== asked) {
    setFrom(asked);
    setDraft(asked);
  }
  const names = useId();
  const structure = structureOf(schema, draft.index) ?? schema.structures[0];
  const sort = fitted(structure, sortOf(structure, draft));
  const query = isQuery(structure, draft);
  const question: Question = { ...draft, sort: sort.filter((each) => each.values.some((value) => value !== "")), filters: draft.filters.filter((each) => each.name !== "") };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask(question);
  };
  const setFilter = (at: number, filter: Condition | null) =>
    setDraft({ ...draft, filters: filter ? draft.filters.with(at, filter) : draft.filters.toSpliced(at, 1) });

  return (
    <form className="question" onSubmit={submit} aria-label="Question" role="search">
      <div className="question-row">
        <select
          className="field"
          aria-label="Table or index"
          value={draft.index ?? ""}
          onChange={(event) => setDraft({ ...draft, index: event.target.value === "" ? null : event.target.value, partition: [], sort: [] })}
        >
          {schema.structures.map((each) => (
            <option key={each.index ?? ""} value={each.index ?? ""} disabled={!each.active}>
              {each.index ?? `${schema.name} (table)`}
            </option>
          ))}
        </select>
        {structure.partition.map((key, i) => (
          <div key={key.name} className="condition">
            <span className="condition-name" title={`Partition key ${key.name}`}>
              {key.name} =
            </span>
            <input
              aria-label={`Partition key ${key.name}`}
              placeholder="any partition: Scan"
              spellCheck={false}
              autoComplete="off"
              value={draft.partition[i] ?? ""}
              onChange={(event) => setDraft({ ...draft, partition: structure.partition.map((_, at) => (at === i ? event.target.value : (draft.partition[at] ?? ""))) })}
            />
          </div>
        ))}
        {sort.map((condition, i) => (
          <SortKeyField key={condition.name} condition={condition} change={(next) => setDraft({ ...draft, sort: sort.with(i, next) })} />
        ))}
        <button type="button" className="button quiet" onClick={() => setDraft({ ...draft, filters: [...draft.filters, emptyFilter] })}>
          <ListFilter className="icon" aria-hidden />
          Filter
        </button>
        {query && structure.sort.length > 0 && (
          <button type="button" className="button quiet" aria-label={draft.descending ? "Order: descending" : "Order: ascending"} onClick={() => setDraft({ ...draft, descending: !draft.descending })}>
            {draft.descending ? <ArrowDownNarrowWide className="icon" aria-hidden /> : <ArrowUpNarrowWide className="icon" aria-hidden />}
            {draft.descending ? "Descending" : "Ascending"}
          </button>
        )}
        {structure.kind !== "global" && (
          <button type="button" className="button quiet" aria-pressed={draft.consistent} onClick={() => setDraft({ ...draft, consistent: !draft.consistent })}>
            Strong
          </button>
        )}
        {!query && <SegmentSelect question={draft} change={setDraft} />}
        <button className="button primary">
          <Play className="icon" aria-hidden />
          {query ? "Query" : "Scan"}
        </button>
      </div>
      {draft.filters.length > 0 && (
        <div className="question-row">
          {draft.filters.map((filter, i) => (
            <FilterField key={i} condition={filter} known={names} change={(next) => setFilter(i, next)} remove={() => setFilter(i, null)} />
          ))}
        </div>
      )}
      <datalist id={names}>
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <CostStrip schema={schema} structure={structure} question={question} spent={spent} />
    </form>
  );
}

const segmentTotals = [4, 10, 100] as const;

// A Scan cut into segments lets a reader jump into the middle of a table of any size.
function SegmentSelect({ question, change }: { question: Question; change: (question: Question) => void }) {
  const { segment } = question;
  const total = segment?.total ?? 0;
  return (
    <>
      <select
        className="field"
        aria-label="Parts of the scan"
        value={total}
        onChange={(event) => change({ ...question, segment: event.target.value === "0" ? null : { number: 0, total: Number(event.target.value) } })}
      >
        <option value={0}>From the start</option>
        {[...new Set([...segmentTotals, ...(total > 0 ? [total] : [])])].sort((a, b) => a - b).map((parts) => (
          <option key={parts} value={parts}>
            {parts} parts
          </option>
        ))}
      </select>
      {segment && (
        <input
          className="field"
          style={{ width: 84 }}
          type="number"
          aria-label={`Part, 1 to ${segment.total}`}
          min={1}
          max={segment.total}
          value={segment.number + 1}
          onChange={(event) => change({ ...question, segment: { ...segment, number: Math.min(Math.max(Number(event.target.value) - 1, 0), segment.total - 1) } })}
        />
      )}
    </>
  );
}
