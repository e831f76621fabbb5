// SPDX-License-Identifier: Apache-2.0
// The proof: a verdict for every question and change, and how many broken designs it noticed.
import { CircleCheck, CircleX, FlaskConical } from "lucide-react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import type { ChangeProof, Mutant, Proof, QuestionProof } from "../../api/design";
import { visible } from "../../core/attribute";
import { conditionParts, unindented } from "../../core/design";
import { colourOf } from "../../core/entity";
import { count, integer, unitCount, unitsOf } from "../../core/format";
import { Fault, State } from "../../ui/state";

interface ProofSectionProps {
  proof: { data: Proof | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };
  asked: boolean;
  changedSince: boolean;
}

export function ProofSection({ proof, asked, changedSince }: ProofSectionProps) {
  return (
    <section aria-label="Proof" aria-busy={proof.isFetching}>
      {!asked ? (
        <State icon={FlaskConical} title="Not proved yet">
          <p>Prove makes rows from the model, stores them through the design in a database of their own, asks every question and compares each answer. Then it breaks the design on purpose, and must notice.</p>
        </State>
      ) : proof.isFetching ? (
        <Proving />
      ) : proof.error ? (
        <Fault fault={proof.error} retry={() => void proof.refetch()} />
      ) : (
        proof.data && <Proven proof={proof.data} changedSince={changedSince} />
      )}
    </section>
  );
}

function Proving() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <State title="Proving">
      <div className="progress endless" role="progressbar" aria-label="Proving">
        <div />
      </div>
      <p>Rows are stored, every question is asked, and the design is broken on purpose.{seconds > 0 && ` ${count(seconds, "second")} so far.`}</p>
    </State>
  );
}

function Proven({ proof, changedSince }: { proof: Proof; changedSince: boolean }) {
  const Icon = proof.holds ? CircleCheck : CircleX;
  const harmful = proof.mutants.filter((mutant) => mutant.harmless === "");
  const facts: [string, string][] = [
    ["Rows", integer(proof.rows)],
    ["Items", integer(proof.items)],
    ["Mistakes noticed", `${integer(harmful.filter((mutant) => mutant.caught).length)} of ${integer(harmful.length)}`],
    ["Seed", String(proof.seed)],
  ];
  return (
    <div className="proven">
      <p className="headline" role="status">
        <Icon className={`icon ${changedSince ? "soft" : proof.holds ? "good" : "bad"}`} aria-hidden />
        {proof.holds ? "Every question and every change is proved." : "The design is refuted."}
      </p>
      {changedSince && <p className="stale">This is the proof of an earlier text. Prove again.</p>}
      <dl className="facts">
        {facts.map(([title, value]) => (
          <div key={title} className="fact">
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Verdicts title="Questions">
        {proof.questions.map((each) => (
          <Question key={each.question} proof={each} />
        ))}
      </Verdicts>
      {proof.changes.length > 0 && (
        <Verdicts title="Changes">
          {proof.changes.map((each) => (
            <Change key={each.change} proof={each} />
          ))}
        </Verdicts>
      )}
      <Mutants mutants={proof.mutants} />
    </div>
  );
}

function Verdicts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <div className="section-head">
        <h2>{title}</h2>
      </div>
      <ul className="proofs">{children}</ul>
    </section>
  );
}

function Head({ name, proof, spent }: { name: string; proof: QuestionProof | ChangeProof; spent: string }) {
  const proved = proof.verdict === "proved";
  const Icon = proved ? CircleCheck : CircleX;
  return (
    <>
      <Icon className={proved ? "icon good" : "icon bad"} aria-hidden />
      <div className="line">
        <b>{name}</b>
        <span className={proved ? "badge query" : proof.verdict === "refuted" ? "badge danger" : "badge scan"}>{proof.verdict}</span>
        {spent !== "" && <span className="spent">{spent}</span>}
      </div>
      {proof.why && <bdi>{visible(proof.why)}</bdi>}
      {proof.nearest && <bdi className="soft">{visible(proof.nearest)}</bdi>}
    </>
  );
}

function Question({ proof }: { proof: QuestionProof }) {
  const spent = proof.asked === 0 ? "" : `asked ${count(proof.asked, "time")}, ${count(proof.rows, "row")}, ${unitCount(proof.units)} ${unitsOf(proof.units)}`;
  return (
    <li>
      <Head name={proof.question} proof={proof} spent={spent} />
      {proof.where !== "" && <KeyCondition text={proof.where} />}
      {proof.remarks.map((remark) => (
        <bdi key={remark} className="soft">
          {visible(remark)}
        </bdi>
      ))}
      {proof.counterexample && <pre className="example">{unindented(proof.counterexample).split("\n").map(visible).join("\n")}</pre>}
    </li>
  );
}

function Change({ proof }: { proof: ChangeProof }) {
  const how = proof.transactions > 0 ? " as a transaction" : "";
  return (
    <li>
      <Head name={proof.change} proof={proof} spent={`run ${count(proof.runs, "time")}${how}, ${unitCount(proof.units)} ${unitsOf(proof.units)}`} />
    </li>
  );
}

// Prefixes have the colour that they have in the grid.
function KeyCondition({ text }: { text: string }) {
  return (
    <code className="condition-text">
      {conditionParts(text).map((part, i) => {
        const colour = part.kind === "prefix" ? `prefix c${colourOf(part.text.replace(/[#:|/]$/, ""))}` : `part-${part.kind}`;
        return (
          <span key={i} className={colour}>
            {visible(part.text)}
          </span>
        );
      })}
    </code>
  );
}

function Mutants({ mutants }: { mutants: readonly Mutant[] }) {
  if (mutants.length === 0) return null;
  const groups: [string, readonly Mutant[], (mutant: Mutant) => string][] = [
    ["unnoticed", mutants.filter((each) => !each.caught && each.harmless === ""), () => "no question notices"],
    ["noticed", mutants.filter((each) => each.caught), (each) => each.by],
    ["harmless", mutants.filter((each) => each.harmless !== ""), (each) => each.harmless],
  ];
  return (
    <section>
      <div className="section-head">
        <h2>Broken on purpose</h2>
        <span className="soft">{count(mutants.length, "time")}: what a proof notices, a mistake cannot hide from</span>
      </div>
      {groups.map(([title, group, reason]) => group.length > 0 && (
        <details key={title} className="more" open={title === "unnoticed"}>
          <summary>
            {integer(group.length)} {title}
          </summary>
          <ul className="mutants">
            {group.map((mutant, i) => (
              <li key={i}>
                <bdi>{visible(mutant.what)}</bdi>
                <bdi className="soft">{visible(reason(mutant))}</bdi>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
