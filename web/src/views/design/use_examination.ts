// SPDX-License-Identifier: Apache-2.0
// What the server says of the texts once typing pauses, in one list with faults first.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Examination, Finding } from "../../api/design";
import { checkQuery } from "../../api/design";
import type { Mark, TextName, Texts } from "../../core/design";
import { useSettled } from "../../ui/use_settled";

export interface Examined {
  blank: boolean; // there is nothing to look at
  pending: boolean; // what is shown is of an earlier text
  fault: Error | null;
  answer: Examination | undefined;
  findings: Finding[];
  marks: Record<TextName, Mark[]>;
}

export function useExamination({ model, design }: Texts): Examined {
  const now = useMemo(() => ({ model, design }), [model, design]);
  const settled = useSettled(now, 300);
  const blank = settled.model.trim() === "";
  const check = useQuery({ ...checkQuery(settled), enabled: !blank, placeholderData: keepPreviousData });
  const answer = blank ? undefined : check.data;
  const found = useMemo(() => {
    const faults = (answer?.faults ?? []).map((each): Finding => ({ ...each, rule: "", grade: "error", example: "", fix: each.suggestion }));
    const findings = [...faults, ...(answer?.findings ?? [])];
    return { findings, marks: { model: findings.filter((each) => each.file === "model"), design: findings.filter((each) => each.file === "design") } };
  }, [answer]);
  return { blank, pending: settled !== now || check.isFetching, fault: check.error, answer, ...found };
}
