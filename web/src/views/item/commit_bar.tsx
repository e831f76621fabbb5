// SPDX-License-Identifier: Apache-2.0
// The edits that wait, and their review: every attribute before and after, one transaction.
import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { commit } from "../../actions/commit";
import { dialog, unstage } from "../../actions/state";
import type { AttributeValue } from "../../core/attribute";
import { summary, visible } from "../../core/attribute";
import { count } from "../../core/format";
import type { Staged } from "../../core/staging";
import { changesOf } from "../../core/staging";
import { Modal } from "../../ui/modal";
import { useStore } from "../../ui/use_store";

export function CommitBar({ table, edits }: { table: string; edits: Staged[] }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const open = useStore(dialog)?.name === "review";
  if (edits.length === 0) return null;
  const write = async () => {
    setBusy(true);
    if (await commit(client, table)) dialog.set(null);
    setBusy(false);
  };
  const discard = () => {
    for (const each of edits) unstage(table, each.id);
    dialog.set(null);
  };
  const commitButton = (
    <button className="button primary" disabled={busy} onClick={() => void write()}>
      Commit as one transaction
    </button>
  );
  return (
    <>
      <div className="commit-bar" role="region" aria-label="Staged changes">
        <strong>{count(edits.length, "staged change")}</strong>
        <span className="grow" />
        <button className="button quiet" onClick={discard}>
          Discard
        </button>
        <button className="button" onClick={() => dialog.set({ name: "review" })}>
          Review
        </button>
        {commitButton}
      </div>
      {open && (
        <Modal
          title={count(edits.length, "staged change")}
          wide
          close={() => dialog.set(null)}
          foot={
            <>
              <button className="button" onClick={discard}>
                Discard all
              </button>
              {commitButton}
            </>
          }
        >
          <p className="soft">All of these are written, or none: each on the condition that the item still is as you saw it.</p>
          {edits.map((each) => (
            <ChangeCard key={each.id} staged={each} />
          ))}
        </Modal>
      )}
    </>
  );
}

const titles = { create: "New", update: "Change", move: "Move", delete: "Delete" } as const;

function ChangeCard({ staged: { table, id, edit } }: { staged: Staged }) {
  const key = (JSON.parse(id) as AttributeValue[]).map((value) => visible(summary(value, 80))).join("  ");
  return (
    <article className="change-card">
      <header>
        <span className={edit.kind === "delete" ? "badge danger" : "badge query"}>{titles[edit.kind]}</span>
        <code className="grow">
          <bdi>{key}</bdi>
        </code>
        <button className="button quiet only-icon" aria-label={`Take back the change of ${key}`} onClick={() => unstage(table, id)}>
          <Undo2 className="icon" aria-hidden />
        </button>
      </header>
      <table className="diff">
        <thead>
          <tr>
            <th>Attribute</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {changesOf(edit).map(({ name, before, after }) => (
            <tr key={name}>
              <td>
                <bdi>{visible(name.slice(0, 100))}</bdi>
              </td>
              <td className={before ? "was" : undefined}>
                <Side value={before} />
              </td>
              <td className={after ? "is" : undefined}>
                <Side value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function Side({ value }: { value: AttributeValue | undefined }) {
  return value === undefined ? <span className="soft">–</span> : <bdi>{visible(summary(value, 400))}</bdi>;
}
