// SPDX-License-Identifier: Apache-2.0
// The modeller: what is wrong with a model and its design, and the proof that the design answers.
import { queryOptions } from "@tanstack/react-query";
import type { Grade, Place, TextName, Texts } from "../core/design";
import { askStudio } from "./client";

export interface Fault extends Place {
  file: TextName;
  message: string;
  suggestion: string;
}

export interface Finding extends Place {
  rule: string;
  grade: Grade;
  file: TextName;
  message: string;
  example: string;
  fix: string;
}

export interface Examination {
  sound: boolean;
  faults: Fault[]; // what cannot be read; if there is any, nothing is found
  findings: Finding[]; // errors first
  entities?: { name: string; rows: number; rowBytes: number }[];
  questions?: number;
  changes?: number;
}

type Verdict = { verdict: "proved" | "refuted" | "not expressible"; why?: string; nearest?: string };

export type QuestionProof = Verdict & {
  question: string;
  where: string; // the key condition
  asked: number;
  rows: number;
  pages: number;
  units: number;
  remarks: string[];
  counterexample?: string;
};

export type ChangeProof = Verdict & {
  change: string;
  runs: number;
  transactions: number;
  units: number;
};

// One way of breaking the design.
export interface Mutant {
  what: string;
  caught: boolean;
  by: string;
  harmless: string; // why nothing can notice it; "" if something must
}

export interface Proof {
  holds: boolean;
  seed: number;
  rows: number;
  items: number;
  questions: QuestionProof[];
  changes: ChangeProof[];
  mutants: Mutant[];
}

export interface ProofDemand extends Texts {
  seed: number;
}

// A model without a design is looked at alone.
export function checkQuery({ model, design }: Texts) {
  return queryOptions({
    queryKey: ["studio", "check", model, design],
    queryFn: ({ signal }) => askStudio<Examination>("check", design.trim() === "" ? { model } : { model, design }, signal),
    staleTime: Infinity,
    gcTime: 10_000, // one for every pause in typing
  });
}

// The server proves one design at a time: who leaves the screen finds the proof when coming back.
export function proveQuery(demand: ProofDemand) {
  return queryOptions({
    queryKey: ["studio", "prove", demand],
    queryFn: () => askStudio<Proof>("prove", demand),
    staleTime: Infinity,
    gcTime: 30 * 60_000,
    retry: false,
  });
}
