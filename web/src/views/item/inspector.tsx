// SPDX-License-Identifier: Apache-2.0
// One item, whole: as a form, as JSON or as DynamoDB JSON. What is changed here is staged.
import { Tab, TabList, TabPanel, TabProvider } from "@ariakit/react";
import { useQuery } from "@tanstack/react-query";
import { Trash2, X } from "lucide-react";
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import { notify, settings, stage, staged, unstage } from "../../actions/state";
import { ApiError } from "../../api/client";
import { itemQuery } from "../../api/items";
import { itemCostQuery } from "../../api/studio";
import type { AttributeValue, Item } from "../../core/attribute";
import { attribute, equalItems, pick, summary, visible } from "../../core/attribute";
import { parseDynamoItem, parseItem, printItem } from "../../core/exact_json";
import { bytes, unitCount, unitsOf } from "../../core/format";
import type { TableSchema } from "../../core/schema";
import { identity } from "../../core/schema";
import { editOf, rebased } from "../../core/staging";
import { Fault, Loading, State } from "../../ui/state";
import { useStore } from "../../ui/use_store";
import { ItemForm } from "./item_form";

const CodeEditor = lazy(() => import("../../ui/code_editor").then((m) => ({ default: m.CodeEditor })));

interface InspectorProps {
  schema: TableSchema;
  id: string; // an identity; "new" for an item that is to be
  close: () => void;
}

export function Inspector({ schema, id, close }: InspectorProps) {
  const panel = useRef<HTMLElement>(null);
  const key = id === "new" ? null : keyOf(schema, id);
  const edits = useStore(staged);
  const waiting = edits.find((each) => each.table === schema.name && each.id === id)?.edit;
  const created = waiting?.kind === "create" ? waiting.after : null;
  const item = useQuery({ ...itemQuery(schema.name, key ?? {}), enabled: key !== null && created === null, staleTime: 0 });
  useEffect(() => panel.current?.focus(), []);

  const before = key === null || created ? null : (item.data ?? null);
  const settled = id === "new" || created !== null || item.isFetchedAfterMount;
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="inspector"
      aria-label="Item"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        close();
        document.querySelector<HTMLElement>('[role="grid"]')?.focus();
      }}
    >
      <div className="inspector-head">
        <h2 className="grow">
          <bdi>{id === "new" ? "New item" : key ? Object.values(key).map((value) => visible(summary(value, 80))).join("  ") : "Item"}</bdi>
        </h2>
        <button className="button quiet only-icon" aria-label="Close the item" onClick={close}>
          <X className="icon" aria-hidden />
        </button>
      </div>
      {id !== "new" && key === null ? (
        <State title="This address names no item of the table" />
      ) : item.isError ? (
        <Fault fault={item.error} retry={() => void item.refetch()} />
      ) : !settled ? (
        <Loading what="the item" />
      ) : before === null && id !== "new" && !created ? (
        <State title="The item is not there">
          <p>It was deleted, or never written.</p>
        </State>
      ) : (
        <Editor
          key={JSON.stringify(before)}
          schema={schema}
          id={id}
          before={before}
          start={created ?? (waiting && "after" in waiting && before ? rebased(waiting, before) : (before ?? emptyItem(schema)))}
          removed={waiting?.kind === "delete"}
          outrun={waiting !== undefined && "before" in waiting && before !== null && !equalItems(waiting.before, before)}
          close={close}
        />
      )}
    </aside>
  );
}

function keyOf(schema: TableSchema, id: string): Item | null {
  try {
    const values = JSON.parse(id) as AttributeValue[];
    if (!Array.isArray(values) || values.length !== schema.key.length || values.some((value) => typeof value !== "object" || value === null)) return null;
    return Object.fromEntries(schema.key.map((name, i) => [name, values[i]!]));
  } catch {
    return null;
  }
}

function emptyItem(schema: TableSchema): Item {
  const base = schema.structures[0];
  return Object.fromEntries([...base.partition, ...base.sort].map(({ name, type }) => [name, { [type]: "" } as AttributeValue]));
}

interface EditorProps {
  schema: TableSchema;
  id: string;
  before: Item | null;
  start: Item;
  removed: boolean;
  outrun: boolean; // somebody else has written the item since the edit was staged
  close: () => void;
}

type Form = "form" | "json" | "dynamo";

function Editor({ schema, id, before, start, removed, outrun, close }: EditorProps) {
  const { readOnly } = useStore(settings);
  const [draft, setDraft] = useState(start);
  const [form, setForm] = useState<Form>("form");
  const [text, setText] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const size = useQuery({ ...itemCostQuery(draft), enabled: fault === null, placeholderData: (known) => known });
  const incomplete = schema.key.find((name) => isEmpty(attribute(draft, name)));
  const same = before !== null && equalItems(before, draft);
  const refused = fault ?? (invalid(size.error) ? size.error!.message : incomplete !== undefined ? `The key attribute ${incomplete} needs a value.` : null);

  const show = (next: Form) => {
    setForm(next);
    setFault(null);
    setText(next === "json" ? printItem(keyFirst(schema, draft)) : next === "dynamo" ? JSON.stringify(keyFirst(schema, draft), null, 2) : "");
  };
  const write = (next: string) => {
    setText(next);
    const parsed = form === "json" ? parseItem(next, before ?? draft) : parseDynamoItem(next);
    setFault(parsed.ok ? null : parsed.message);
    if (parsed.ok) setDraft(parsed.value);
  };
  const keep = () => {
    unstage(schema.name, id);
    if (!same) stage(schema.name, before ? identity(schema, before) : identity(schema, draft), editOf(schema, before, draft));
  };
  // Whoever leaves the item keeps what was typed: it is staged, not lost.
  const settled = useRef(false);
  const leaving = useRef<() => void>(() => {});
  leaving.current = () => {
    if (settled.current || readOnly || same || equalItems(start, draft)) return;
    if (refused === null) keep();
    else notify(`What you typed was not kept: ${refused}`, { bad: true });
  };
  useEffect(() => () => leaving.current(), []);

  const stageDraft = () => {
    settled.current = true;
    keep();
    close();
  };
  const remove = () => {
    settled.current = true;
    if (before) stage(schema.name, id, { kind: "delete", before });
    else unstage(schema.name, id);
    close();
  };

  return (
    <>
      <TabProvider selectedId={form} setSelectedId={(next) => show(next as Form)}>
        <TabList className="inspector-tabs" aria-label="Form of the item">
          <Tab id="form">Form</Tab>
          <Tab id="json">JSON</Tab>
          <Tab id="dynamo">DynamoDB JSON</Tab>
          {size.data && (
            <span className="weight" title={`${size.data.bytes} bytes. Read: ${size.data.readEventual} units eventually, ${size.data.readStrong} strongly. Write: ${size.data.write} units.`}>
              {bytes(size.data.bytes)}, {unitCount(size.data.write)} write {unitsOf(size.data.write)}
            </span>
          )}
        </TabList>
        <TabPanel className="inspector-body" tabId={form} focusable={false}>
          {form === "form" ? (
            <ItemForm schema={schema} before={before} item={draft} change={setDraft} readOnly={readOnly} />
          ) : (
            <div className="code">
              <Suspense fallback={<Loading what="the editor" />}>
                <CodeEditor label={form === "json" ? "The item as JSON" : "The item as DynamoDB JSON"} language="json" value={text} change={write} readOnly={readOnly} />
              </Suspense>
            </div>
          )}
        </TabPanel>
      </TabProvider>
      {!readOnly && (
        <div className="inspector-foot">
          {outrun && <p className="hint">Somebody has written this item since. Your change stands on top of what is there now: stage it again.</p>}
          {refused !== null && (
            <p className="fault" role="alert" style={{ flexBasis: "100%" }}>
              {refused}
            </p>
          )}
          <button className="button primary" disabled={refused !== null || (same && !removed)} onClick={stageDraft}>
            {removed ? "Keep the item" : before === null ? "Stage new item" : identity(schema, before) === identity(schema, draft) ? "Stage change" : "Stage move to the new key"}
          </button>
          {!same && before !== null && (
            <button className="button" onClick={() => { setDraft(before); setForm("form"); setFault(null); }}>
              Revert
            </button>
          )}
          <span className="grow" />
          {id !== "new" && !removed && (
            <button className="button quiet danger" onClick={remove}>
              <Trash2 className="icon" aria-hidden />
              {before ? "Stage deletion" : "Discard"}
            </button>
          )}
        </div>
      )}
    </>
  );
}

// The server would refuse the item; that it does not answer now is no fault of the item.
function invalid(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === "ValidationException" || error.code === "SerializationException");
}

// The key first, as people look for it there.
function keyFirst(schema: TableSchema, item: Item): Item {
  return { ...pick(item, schema.key), ...item };
}

function isEmpty(value: AttributeValue | undefined): boolean {
  if (value === undefined) return true;
  return ("S" in value && value.S === "") || ("N" in value && value.N === "") || ("B" in value && value.B === "");
}
