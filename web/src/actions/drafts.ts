// SPDX-License-Identifier: Apache-2.0
// The designs somebody works at: kept by the browser between visits. Which of them a proof was asked
// for is kept for this visit only.
import type { ProofDemand } from "../api/design";
import type { DocumentName, Texts } from "../core/design";
import { documents, isDocument } from "../core/design";
import { createStore } from "../core/store";

export interface Drafts {
  open: DocumentName; // the last one
  texts: Partial<Record<DocumentName, Texts>>; // of those that are changed
}

const draftsKey = "keywright.design";
function storedDrafts(): Drafts {
  const drafts: Drafts = { open: "leaderboard", texts: {} };
  try {
    const stored = JSON.parse(localStorage.getItem(draftsKey) ?? "{}") as Partial<Drafts>;
    if (typeof stored.open === "string" && isDocument(stored.open)) drafts.open = stored.open;
    for (const name of documents) {
      const texts = stored.texts?.[name];
      if (typeof texts?.model === "string" && typeof texts.design === "string") drafts.texts[name] = { model: texts.model, design: texts.design };
    }
  } catch {
    // As if nothing were kept.
  }
  return drafts;
}

export const drafts = createStore<Drafts>(storedDrafts());
drafts.subscribe(() => {
  try {
    localStorage.setItem(draftsKey, JSON.stringify(drafts.get()));
  } catch {
    // Kept for this visit only.
  }
});

export function keepDraft(name: DocumentName, texts: Texts | null): void {
  const { [name]: _, ...others } = drafts.get().texts;
  drafts.set({ open: name, texts: texts ? { ...others, [name]: texts } : others });
}

export const demanded = createStore<Partial<Record<DocumentName, ProofDemand>>>({});
