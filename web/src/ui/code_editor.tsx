// SPDX-License-Identifier: Apache-2.0
// A text editor for JSON, PartiQL and YAML. It lives in a shadow root, where its styles are constructed
// sheets: the page's policy allows no style element.
import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { SQLDialect, sql } from "@codemirror/lang-sql";
import { HighlightStyle, bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import type { Mark, Place } from "../core/design";
import { marking, offsetOf, setMarks } from "./code_marks";
import { yaml } from "./code_yaml";

export type Language = "json" | "partiql" | "yaml";

interface CodeEditorProps {
  label: string;
  language: Language;
  value: string;
  change: (text: string) => void;
  run?: () => void; // on Ctrl or Cmd and Enter
  hint?: string;
  readOnly?: boolean;
  marks?: readonly Mark[];
  spot?: Place | null; // each new one moves the cursor there
}

const noMarks: readonly Mark[] = [];

const partiql = SQLDialect.define({
  keywords: "select from where insert into value update set remove delete returning and or not between in is missing exists begins_with contains size attribute_type order by asc desc all old new modified",
  builtin: "",
  types: "",
  doubleQuotedStrings: false,
  identifierQuotes: '"',
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--e1)" },
  { tag: tags.string, color: "var(--e6)" },
  { tag: tags.number, color: "var(--e5)" },
  { tag: [tags.bool, tags.null], color: "var(--e4)" },
  { tag: tags.keyword, color: "var(--e2)", fontWeight: "560" },
  { tag: tags.special(tags.string), color: "var(--e1)" },
  { tag: tags.comment, color: "var(--soft)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontFeatureSettings: '"calt" 0', lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "10px 0" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent)",
  },
  ".cm-placeholder": { color: "var(--soft)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", border: "1px solid var(--line)", borderRadius: "6px", color: "var(--ink)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-tint)", color: "var(--ink)" },
});

function extensionsOf(language: Language): Extension {
  switch (language) {
    case "json":
      return [json(), foldGutter()];
    case "partiql":
      return [sql({ dialect: partiql, upperCaseKeywords: true }), autocompletion()];
    case "yaml":
      return [yaml, marking];
  }
}

export function CodeEditor({ label, language, value, change, run, hint, readOnly = false, marks = noMarks, spot = null }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ change, run });
  latest.current = { change, run };

  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host { display: flex; min-height: 0; } :host > div { flex: 1; min-width: 0; }");
    root.adoptedStyleSheets = [sheet];
    const parent = document.createElement("div");
    root.append(parent);
    const editor = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of([
            {
              key: "Mod-Enter",
              run: () => {
                latest.current.run?.();
                return latest.current.run !== undefined;
              },
            },
            ...historyKeymap,
            ...defaultKeymap, // Tab moves on, so that the keyboard is never caught here
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          extensionsOf(language),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
          EditorState.readOnly.of(readOnly),
          hint ? placeholder(hint) : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.change(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      parent.remove();
      view.current = null;
    };
  }, [language, readOnly, label, hint]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => view.current?.dispatch({ effects: setMarks.of(marks) }), [marks]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !spot) return;
    const at = offsetOf(editor.state.doc, spot);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    editor.focus();
    host.current?.scrollIntoView({ block: "nearest" });
  }, [spot]);

  return <div ref={host} />;
}
