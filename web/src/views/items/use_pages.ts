// SPDX-License-Identifier: Apache-2.0
// The pages of one answer. Where each begins is remembered; what is in it only while it is near the
// rows in sight (api/items lets go of the rest), so that memory does not grow with what was read.
import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Page } from "../../api/items";
import { pageQuery } from "../../api/items";
import type { Item } from "../../core/attribute";
import { equalItems } from "../../core/attribute";
import type { Compiled } from "../../core/question";

// One run of scrolling ends here; browsers cannot place rows much further down.
export const rowsMax = 400_000;
// A filter may hide page after page: so many are read unasked.
const hiddenPagesMax = 8;

interface KnownPage {
  start: Item | null;
  rows: number; // -1: not read yet
  scanned: number;
  units: number;
}

export interface Pages {
  rowCount: number; // of pages read
  rowAt(row: number): Item | undefined; // undefined: being read again
  see(first: number, last: number): void; // rows in sight
  more: boolean; // there may be rows behind the last one
  reading: boolean;
  paused: boolean; // a filter hid all of the last pages; `proceed` reads on
  proceed(): void;
  fault: Error | null;
  retry(): void;
  cost: { units: number; scanned: number; pages: number };
  loaded: Item[];
}

export function usePages(compiled: Compiled): Pages {
  const [known, setKnown] = useState<KnownPage[]>([{ start: null, rows: -1, scanned: 0, units: 0 }]);
  const [sight, setSight] = useState<[number, number]>([0, 0]);
  const [leave, setLeave] = useState(hiddenPagesMax); // pages that may still be read without a row

  const offsets = useMemo(() => {
    const all = [0];
    for (const page of known) all.push(all.at(-1)! + Math.max(page.rows, 0));
    return all;
  }, [known]);
  const read = known.at(-1)!.rows >= 0 ? known.length : known.length - 1;
  const rowCount = offsets[read]!;
  const more = read < known.length;

  const paused = more && read > 0 && leave <= 0;
  const wantsMore = more && !paused && rowCount < rowsMax && sight[1] >= rowCount - 60;
  const wanted = known.flatMap((_, i) => {
    const inSight = i < read && offsets[i + 1]! >= sight[0] - 60 && offsets[i]! <= sight[1] + 60;
    return inSight || (i === read && wantsMore) ? [i] : [];
  });
  const answers = useQueries({ queries: wanted.map((i) => pageQuery(compiled, known[i]!.start)) });

  useEffect(() => {
    for (const [at, answer] of answers.entries()) {
      if (answer.data) setKnown((before) => learn(before, wanted[at]!, answer.data));
    }
  }, [answers.map((answer) => answer.dataUpdatedAt).join(), wanted.join()]);

  useEffect(() => {
    const last = known[read - 1];
    if (last) setLeave((left) => (last.rows > 0 ? hiddenPagesMax : left - 1));
  }, [read]);

  const data = new Map(wanted.map((i, at) => [i, answers[at]?.data]));
  const failed = answers.find((answer) => answer.isError);
  return {
    rowCount,
    more,
    paused,
    reading: answers.some((answer) => answer.isFetching),
    fault: failed?.error ?? null,
    retry: () => void failed?.refetch(),
    proceed: () => setLeave(hiddenPagesMax),
    see: (first, last) => setSight(([a, b]) => (a === first && b === last ? [a, b] : [first, last])),
    rowAt: (row) => {
      let [page, end] = [0, read];
      while (end - page > 1) {
        const middle = (page + end) >> 1;
        if (offsets[middle]! <= row) page = middle;
        else end = middle;
      }
      return data.get(page)?.Items[row - offsets[page]!];
    },
    cost: {
      units: known.reduce((sum, page) => sum + page.units, 0),
      scanned: known.reduce((sum, page) => sum + page.scanned, 0),
      pages: read,
    },
    loaded: [...data.values()].flatMap((page) => page?.Items ?? []),
  };
}

// What a page that arrived tells: how many rows it has, and where the next one begins.
function learn(known: KnownPage[], at: number, page: Page): KnownPage[] {
  const before = known[at];
  if (!before) return known;
  const next = page.LastEvaluatedKey;
  const follower = known[at + 1];
  const followed = next === undefined ? follower === undefined : follower?.start != null && equalItems(follower.start, next);
  if (followed && before.rows === page.Items.length) return known;
  const now: KnownPage = { start: before.start, rows: page.Items.length, scanned: page.ScannedCount, units: page.ConsumedCapacity?.CapacityUnits ?? 0 };
  if (followed) return known.with(at, now);
  const fresh: KnownPage[] = next === undefined ? [] : [{ start: next, rows: -1, scanned: 0, units: 0 }];
  return [...known.slice(0, at), now, ...fresh];
}
