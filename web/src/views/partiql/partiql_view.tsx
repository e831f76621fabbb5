// SPDX-License-Identifier: Apache-2.0
// PartiQL: a statement, its answer and what that cost.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Braces, Play } from "lucide-react";
import { useState } from "react";
import { keysShown } from "../../actions/index";
import { settings } from "../../actions/state";
import type { StatementPage } from "../../api/statements";
import { executeStatement } from "../../api/statements";
import { useTables } from "../../api/tables";
import type { Item } from "../../core/attribute";
import { attribute } from "../../core/attribute";
import { extended } from "../../core/columns";
import { count, unitCount, unitsOf } from "../../core/format";
import { mayWrite, selectAll } from "../../core/statement";
import { CodeEditor } from "../../ui/code_editor";
import { navigate } from "../../ui/navigation";
import { Fault, State } from "../../ui/state";
import { useStore } from "../../ui/use_store";
import { KeyText } from "../items/cell";

// A statement's answer is read, not browsed: the grid of a table is for more.
const rowsMax = 2_000;

interface Answer {
  statement: string;
  items: Item[];
  token: string | null;
  units: number;
  pages: number;
}

function joined(before: Answer | null, statement: string, page: StatementPage): Answer {
  const known = before ?? { statement, items: [], token: null, units: 0, pages: 0 };
  return {
    statement,
    items: [...known.items, ...(page.Items ?? [])],
    token: page.NextToken ?? null,
    units: known.units + (page.ConsumedCapacity?.CapacityUnits ?? 0),
    pages: known.pages + 1,
  };
}

export function PartiqlView({ statement: given }: { statement: string }) {
  const client = useQueryClient();
  const { readOnly } = useStore(settings);
  const tables = useTables().data ?? [];
  const [text, setText] = useState(given);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const run = useMutation({
    mutationFn: ({ statement, before }: { statement: string; before: Answer | null }) => executeStatement(statement, before?.token ?? null),
    onSuccess: (page, { statement, before }) => {
      setAnswer(joined(before, statement, page));
      if (mayWrite(statement)) void client.invalidateQueries({ queryKey: ["items"] });
    },
  });
  const statement = text.trim();
  const barred = readOnly && statement !== "" && mayWrite(statement);
  const start = () => {
    if (statement === "" || barred) return;
    navigate({ screen: "partiql", statement }, "replace");
    setAnswer(null);
    run.mutate({ statement, before: null });
  };
  return (
    <div className="workbench">
      <header className="page-head">
        <h1>PartiQL</h1>
        <span className="soft">SELECT, INSERT, UPDATE and DELETE as the service has them</span>
      </header>
      <div className="editor-frame code">
        <CodeEditor label="PartiQL statement" language="partiql" value={text} change={setText} run={start} hint={`SELECT * FROM "Table" WHERE pk = 'PLAYER#u1'`} />
      </div>
      <div className="workbench-bar">
        <button className="button primary" disabled={statement === "" || barred || run.isPending} onClick={start}>
          <Play className="icon" aria-hidden />
          Run
        </button>
        <kbd>{keysShown("mod+enter")}</kbd>
        {tables.length > 0 && (
          <select className="field" aria-label="Start from a table" value="" onChange={(event) => setText(selectAll(event.target.value))}>
            <option value="">Select from a table…</option>
            {tables.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        {barred && <span className="fault">Read-only mode is on: only SELECT runs.</span>}
        <span className="grow" />
        {answer && (
          <span className="soft" role="status">
            {count(answer.items.length, "item")} in {count(answer.pages, "page")}, {unitCount(answer.units)} {unitsOf(answer.units)}
          </span>
        )}
      </div>
      <div className="scroll">
        {run.isError ? (
          <Fault fault={run.error} />
        ) : answer === null ? (
          <State icon={Braces} title={run.isPending ? "Running" : "The answer comes here"}>
            {!run.isPending && <p>A SELECT with the whole partition key in WHERE is a Query; without it, it reads the table.</p>}
          </State>
        ) : answer.items.length === 0 ? (
          <State icon={Braces} title={mayWrite(answer.statement) ? "Done" : answer.token ? "Nothing on this page" : "No item answers"}>
            {answer.token && <More answer={answer} run={run} />}
          </State>
        ) : (
          <>
            <Rows items={answer.items} />
            <div className="workbench-bar">
              {answer.token && answer.items.length < rowsMax && <More answer={answer} run={run} />}
              {answer.token && answer.items.length >= rowsMax && <span className="soft">These are as many as are shown here. Narrow the statement, or browse the table.</span>}
              {!answer.token && <span className="soft">That is all.</span>}
            </div>
          </>
        )}
      </div>
    </div>
  );
}

interface MoreProps {
  answer: Answer;
  run: { isPending: boolean; mutate: (what: { statement: string; before: Answer }) => void };
}

function More({ answer, run }: MoreProps) {
  return (
    <button className="button" disabled={run.isPending} onClick={() => run.mutate({ statement: answer.statement, before: answer })}>
      Read the next page
    </button>
  );
}

function Rows({ items }: { items: Item[] }) {
  const columns = extended([], [], items);
  return (
    <div className="collection" style={{ padding: "0 14px" }}>
      <div className="list" tabIndex={0} role="region" aria-label="Answer">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} className={column.number ? "number" : undefined}>
                  <bdi>{column.name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item, i) => (
              <tr key={i}>
                {columns.map((column) => (
                  <td key={column.name} className={column.number ? "number" : undefined}>
                    <KeyText value={attribute(item, column.name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
