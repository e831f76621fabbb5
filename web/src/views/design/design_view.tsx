// SPDX-License-Identifier: Apache-2.0
// A model and a design as texts, what is wrong with them as one types, and the proof.
import { useQuery } from "@tanstack/react-query";
import { Play, RotateCcw } from "lucide-react";
import { useRef, useState } from "react";
import { demanded, drafts, keepDraft } from "../../actions/drafts";
import { keysShown } from "../../actions/index";
import { proveQuery } from "../../api/design";
import type { DocumentName, Place, TextName } from "../../core/design";
import { documents, emptyTexts, textNames } from "../../core/design";
import { exampleTexts } from "../../core/design_examples";
import { navigate } from "../../ui/navigation";
import { useStore } from "../../ui/use_store";
import { Findings } from "./findings";
import { ProofSection } from "./proof";
import { TextPane } from "./text_pane";
import { useExamination } from "./use_examination";

const titles: Record<DocumentName, string> = { leaderboard: "Leaderboard", shop: "Shop", tenants: "Tenants", tickets: "Tickets", own: "Your files" };

export function DesignView({ document: asked }: { document: DocumentName | null }) {
  const name = asked ?? drafts.get().open;
  return <Document key={name} name={name} />;
}

function Document({ name }: { name: DocumentName }) {
  const kept = useStore(drafts).texts[name];
  const texts = kept ?? exampleTexts(name);
  const [seed, setSeed] = useState("1");
  const [spot, setSpot] = useState<{ file: TextName; place: Place } | null>(null);
  const results = useRef<HTMLDivElement>(null);
  const examination = useExamination(texts);
  const demand = useStore(demanded)[name];
  const proof = useQuery({ ...proveQuery(demand ?? { ...texts, seed: 1 }), enabled: demand !== undefined });

  const complete = textNames.every((each) => texts[each].trim() !== "");
  const ready = complete && /^\d{1,15}$/.test(seed) && !proof.isFetching;
  const prove = () => {
    if (!ready) return;
    const next = { ...texts, seed: Number(seed) };
    if (JSON.stringify(next) === JSON.stringify(demand)) void proof.refetch();
    else demanded.set({ ...demanded.get(), [name]: next });
    results.current?.scrollIntoView({ block: "start" });
  };
  const open = (file: TextName, text: string) => {
    keepDraft("own", { ...(drafts.get().texts.own ?? emptyTexts), [file]: text });
    navigate({ screen: "design", document: "own" });
  };
  const changedSince = demand !== undefined && textNames.some((each) => demand[each] !== texts[each]);
  return (
    <div className="workbench">
      <header className="page-head">
        <h1>Design by proof</h1>
        <span className="soft">What you store, what you ask, and the table that answers it</span>
      </header>
      <div className="workbench-bar" style={{ borderBottom: "1px solid var(--line)" }}>
        <select className="field" aria-label="Design to work at" value={name} onChange={(event) => navigate({ screen: "design", document: event.target.value as DocumentName })}>
          {documents.map((each) => (
            <option key={each} value={each}>
              {titles[each]}
            </option>
          ))}
        </select>
        {kept && (
          <button className="button quiet" onClick={() => keepDraft(name, null)}>
            <RotateCcw className="icon" aria-hidden />
            {name === "own" ? "Clear" : "Undo my changes"}
          </button>
        )}
        <span className="grow" />
        <label className="row">
          Seed
          <input className="field seed" inputMode="numeric" value={seed} aria-invalid={!/^\d{1,15}$/.test(seed)} onChange={(event) => setSeed(event.target.value)} />
        </label>
        <button className="button primary" disabled={!ready} onClick={prove}>
          <Play className="icon" aria-hidden />
          Prove
        </button>
        <kbd>{keysShown("mod+enter")}</kbd>
      </div>
      <div className="split-two">
        <div>
          {textNames.map((file) => (
            <TextPane
              key={file}
              name={file}
              text={texts[file]}
              marks={examination.marks[file]}
              spot={spot?.file === file ? spot.place : null}
              change={(text) => keepDraft(name, { ...(drafts.get().texts[name] ?? texts), [file]: text })}
              open={(text) => open(file, text)}
              run={prove}
            />
          ))}
        </div>
        <div className="scroll" tabIndex={0} role="region" aria-label="Findings and proof">
          <div className="sheet">
            <Findings examination={examination} go={(file, place) => setSpot({ file, place })} />
            <div ref={results} className="proof-place">
              <ProofSection proof={proof} asked={demand !== undefined} changedSince={changedSince} />
            </div>
          </div>
        </div>
      </div>
    </div>
  );
}
