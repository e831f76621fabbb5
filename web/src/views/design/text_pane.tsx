// SPDX-License-Identifier: Apache-2.0
// One of the two texts: its editor, and files in and out.
import { Download, FileUp } from "lucide-react";
import { useRef } from "react";
import { notify } from "../../actions/state";
import type { Mark, Place, TextName } from "../../core/design";
import { fileNameOf, textBytesMax } from "../../core/design";
import { bytes } from "../../core/format";
import { CodeEditor } from "../../ui/code_editor";
import { saveFile } from "../../ui/save_file";

interface TextPaneProps {
  name: TextName;
  text: string;
  marks: readonly Mark[];
  spot: Place | null;
  change: (text: string) => void;
  open: (text: string) => void;
  run: () => void;
}

const titles: Record<TextName, string> = { model: "Model", design: "Design" };
const hints: Record<TextName, string> = {
  model: "model: …\nentities: what you store\nquestions: what you ask\nchanges: what you write",
  design: "design: …\ntables: keys and indexes, and how each entity is written there",
};

export function TextPane({ name, text, marks, spot, change, open, run }: TextPaneProps) {
  const input = useRef<HTMLInputElement>(null);
  const title = titles[name];
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > textBytesMax) notify(`${file.name} is larger than ${bytes(textBytesMax)}: that is no ${name}.`, { bad: true });
    else open(await file.text());
  };
  return (
    <section className="text-pane" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <code className="soft grow">{fileNameOf(name, text)}</code>
        <input
          ref={input}
          type="file"
          hidden
          accept=".yaml,.yml"
          aria-label={`File with a ${name}`}
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = ""; // the same file may be opened again
          }}
        />
        <button className="button quiet only-icon" title={`Open a ${name} from a file`} aria-label={`Open a ${name} from a file`} onClick={() => input.current?.click()}>
          <FileUp className="icon" aria-hidden />
        </button>
        <button className="button quiet only-icon" title={`Save the ${name} as a file`} aria-label={`Save the ${name} as a file`} disabled={text === ""} onClick={() => saveFile(new Blob([text]), fileNameOf(name, text))}>
          <Download className="icon" aria-hidden />
        </button>
      </header>
      <div className="code">
        <CodeEditor label={`${title}, as YAML`} language="yaml" value={text} change={change} run={run} hint={hints[name]} marks={marks} spot={spot} />
      </div>
    </section>
  );
}
