// SPDX-License-Identifier: Apache-2.0
// What is wrong, dear or worth knowing; each entry leads to its place in the text.
import type { Finding } from "../../api/design";
import type { Grade, Place, TextName } from "../../core/design";
import { grades } from "../../core/design";
import { visible } from "../../core/attribute";
import { count } from "../../core/format";
import { Fault, Loading } from "../../ui/state";
import type { Examined } from "./use_examination";

// More than these nobody works through at once.
const shownMax = 50;

const badges: Record<Grade, string> = { error: "badge danger", warning: "badge scan", note: "badge" };

type Go = (file: TextName, place: Place) => void;

export function Findings({ examination, go }: { examination: Examined; go: Go }) {
  const { blank, pending, fault, answer, findings } = examination;
  if (blank) return <p className="soft">Write a model, open one from a file, or choose an example above.</p>;
  if (fault) return <Fault fault={fault} />;
  if (!answer) return <Loading what="the findings" />;
  const pressing = findings.filter((each) => each.grade !== "note");
  const notes = findings.filter((each) => each.grade === "note");
  return (
    <section aria-busy={pending}>
      <div className="section-head">
        <h2>Findings</h2>
        <span className="soft" role="status">
          {pending ? "Looking…" : summaryOf(findings)}
        </span>
      </div>
      <List findings={pressing} go={go} />
      {notes.length > 0 && (
        <details className="more">
          <summary>{count(notes.length, "note")}, worth knowing</summary>
          <List findings={notes} go={go} />
        </details>
      )}
    </section>
  );
}

function summaryOf(findings: readonly Finding[]): string {
  const counted = grades.flatMap((grade) => {
    const many = findings.filter((each) => each.grade === grade).length;
    return many === 0 ? [] : [count(many, grade)];
  });
  return counted.length === 0 ? "Nothing to find." : counted.join(", ");
}

function List({ findings, go }: { findings: readonly Finding[]; go: Go }) {
  return (
    <>
      <ul className="findings">
        {findings.slice(0, shownMax).map((each, i) => (
          <li key={i}>
            <button className={`finding ${each.grade}`} onClick={() => go(each.file, { line: each.line, column: each.column })}>
              <span className="where">
                <span className={badges[each.grade]}>{each.rule === "" ? "cannot be read" : each.grade}</span>
                <span>
                  {each.file}, line {each.line}
                </span>
                {each.rule !== "" && <code>{each.rule}</code>}
              </span>
              <bdi>{visible(each.message)}</bdi>
              {each.example !== "" && <code className="soft">{visible(each.example)}</code>}
              {each.fix !== "" && <bdi className="soft">{visible(each.fix)}</bdi>}
            </button>
          </li>
        ))}
      </ul>
      {findings.length > shownMax && <p className="soft">And {count(findings.length - shownMax, "more", "more")}. Mend these first.</p>}
    </>
  );
}
