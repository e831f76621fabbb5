// SPDX-License-Identifier: Apache-2.0
// Marks beside the lines of an editor: the worst that was found on each, which moves with the text.
import type { Extension, Text } from "@codemirror/state";
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { Grade, Mark, Place } from "../core/design";
import { grades } from "../core/design";

export const setMarks = StateEffect.define<readonly Mark[]>();

// A place beyond the text is its nearest one.
export function offsetOf(text: Text, { line, column }: Place): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  return found.from + [...found.text].slice(0, Math.max(column - 1, 0)).join("").length;
}

class Dot extends GutterMarker {
  constructor(
    readonly grade: Grade,
    readonly messages: string,
  ) {
    super();
  }
  override eq(other: Dot): boolean {
    return other.grade === this.grade && other.messages === this.messages;
  }
  override toDOM(): Node {
    const dot = document.createElement("div");
    dot.className = `cm-dot ${this.grade}`;
    dot.title = this.messages;
    return dot;
  }
}

function dotsOf(text: Text, marks: readonly Mark[]): RangeSet<Dot> {
  const lines = new Map<number, Mark[]>();
  for (const mark of marks) {
    const start = text.lineAt(offsetOf(text, mark)).from;
    lines.set(start, [...(lines.get(start) ?? []), mark]);
  }
  const dots = [...lines].map(([start, here]) => {
    const worst = grades.find((grade) => here.some((mark) => mark.grade === grade)) ?? "note";
    return new Dot(worst, here.map((mark) => mark.message).join("\n")).range(start);
  });
  return RangeSet.of(dots, true);
}

const dots = StateField.define<RangeSet<Dot>>({
  create: () => RangeSet.empty,
  update: (before, transaction) => {
    const given = transaction.effects.find((effect) => effect.is(setMarks));
    return given ? dotsOf(transaction.newDoc, given.value as readonly Mark[]) : before.map(transaction.changes);
  },
});

const lines = EditorView.decorations.compute([dots], (state) => {
  const found: ReturnType<Decoration["range"]>[] = [];
  state.field(dots).between(0, state.doc.length, (from, _to, dot) => {
    if (dot.grade !== "note") found.push(Decoration.line({ class: `cm-marked ${dot.grade}` }).range(state.doc.lineAt(from).from));
  });
  return Decoration.set(found, true);
});

const look = EditorView.theme({
  ".cm-dots": { width: "12px" },
  ".cm-dot": { width: "7px", height: "7px", margin: "7px 0 0 5px", borderRadius: "50%", backgroundColor: "var(--edge)" },
  ".cm-dot.warning": { backgroundColor: "var(--warn)" },
  ".cm-dot.error": { backgroundColor: "var(--danger)", borderRadius: "2px" },
  ".cm-marked.warning": { backgroundColor: "var(--warn-tint)" },
  ".cm-marked.error": { backgroundColor: "var(--danger-tint)" },
});

export const marking: Extension = [dots, gutter({ class: "cm-dots", markers: (view) => view.state.field(dots) }), lines, look];
