// SPDX-License-Identifier: Apache-2.0
import { useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import type { FormEvent } from "react";
import { useState } from "react";
import { createTable, useTables } from "../../api/tables";
import { itemsOf } from "../../core/route";
import type { KeyType } from "../../core/schema";
import type { IndexField, KeyField } from "../../core/table_form";
import { emptyForm, faultOf, requestOf } from "../../core/table_form";
import { Modal } from "../../ui/modal";
import { navigate } from "../../ui/navigation";

export function CreateTable({ close }: { close: () => void }) {
  const client = useQueryClient();
  const existing = useTables().data ?? [];
  const [form, setForm] = useState(emptyForm);
  const [said, setSaid] = useState<string | null>(null);
  const fault = form.name === "" ? null : faultOf(form, existing);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refused = faultOf(form, existing);
    if (refused) return setSaid(refused);
    try {
      await createTable(client, requestOf(form));
      close();
      navigate(itemsOf(form.name));
    } catch (problem) {
      setSaid((problem as Error).message);
    }
  };
  const setIndex = (at: number, index: IndexField) => setForm({ ...form, indexes: form.indexes.with(at, index) });
  return (
    <Modal
      title="Create a table"
      close={close}
      foot={
        <>
          <span className="fault grow" role="alert">
            {fault ?? said}
          </span>
          <button className="button primary" form="create-table">
            Create
          </button>
        </>
      }
    >
      <form id="create-table" className="dialog-body" style={{ padding: 0 }} onSubmit={(event) => void submit(event)}>
        <label className="stack">
          Name
          <input className="field mono" autoFocus spellCheck={false} value={form.name} onChange={(event) => setForm({ ...form, name: event.target.value })} />
        </label>
        <div className="fields">
          <KeyInput title="Partition key" field={form.partition} change={(partition) => setForm({ ...form, partition })} />
          <KeyInput title="Sort key" optional field={form.sort} change={(sort) => setForm({ ...form, sort })} />
        </div>
        {form.indexes.map((index, i) => (
          <fieldset key={i} className="change-card" style={{ padding: 12 }}>
            <div className="dialog-body" style={{ padding: 0 }}>
              <div className="row">
                <label className="stack grow">
                  Global index
                  <input className="field mono" spellCheck={false} value={index.name} onChange={(event) => setIndex(i, { ...index, name: event.target.value })} />
                </label>
                <label className="stack">
                  Projects
                  <select className="field" value={index.projection} onChange={(event) => setIndex(i, { ...index, projection: event.target.value as IndexField["projection"] })}>
                    <option value="ALL">all attributes</option>
                    <option value="KEYS_ONLY">keys only</option>
                  </select>
                </label>
                <button type="button" className="button quiet only-icon" style={{ alignSelf: "end" }} aria-label={`Remove the index ${index.name}`} onClick={() => setForm({ ...form, indexes: form.indexes.toSpliced(i, 1) })}>
                  <X className="icon" aria-hidden />
                </button>
              </div>
              <div className="fields">
                <KeyInput title="Partition key" field={index.partition} change={(partition) => setIndex(i, { ...index, partition })} />
                <KeyInput title="Sort key" optional field={index.sort} change={(sort) => setIndex(i, { ...index, sort })} />
              </div>
            </div>
          </fieldset>
        ))}
        <div>
          <button
            type="button"
            className="button"
            disabled={form.indexes.length >= 20}
            onClick={() => {
              const n = form.indexes.length + 1;
              setForm({
                ...form,
                indexes: [...form.indexes, { name: `gsi${n}`, partition: { name: `gsi${n}pk`, type: "S" }, sort: { name: `gsi${n}sk`, type: "S" }, projection: "ALL" }],
              });
            }}
          >
            <Plus className="icon" aria-hidden />
            Add a global index
          </button>
        </div>
      </form>
    </Modal>
  );
}

function KeyInput({ title, field, optional, change }: { title: string; field: KeyField; optional?: boolean; change: (field: KeyField) => void }) {
  return (
    <div className="stack" style={{ display: "flex", flexDirection: "column", gap: 4 }}>
      <span style={{ fontWeight: 520 }}>
        {title} {optional && <span className="hint">optional</span>}
      </span>
      <div className="row">
        <input className="field mono grow" aria-label={`${title}: name`} spellCheck={false} value={field.name} onChange={(event) => change({ ...field, name: event.target.value })} />
        <select className="field" aria-label={`${title}: type`} value={field.type} onChange={(event) => change({ ...field, type: event.target.value as KeyType })}>
          <option value="S">String</option>
          <option value="N">Number</option>
          <option value="B">Binary</option>
        </select>
      </div>
    </div>
  );
}
