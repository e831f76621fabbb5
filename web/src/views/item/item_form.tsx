// SPDX-License-Identifier: Apache-2.0
// An item as fields: each attribute with its type and a field that fits it, lists and maps inside.
import { ChevronDown, ChevronRight, X } from "lucide-react";
import type { FormEvent } from "react";
import { useState } from "react";
import type { AttributeType, AttributeValue, Item } from "../../core/attribute";
import { attribute, attributeTypes, equal, isBase64, isNumber, typeNames, typeOf, visible, withAttribute } from "../../core/attribute";
import { count } from "../../core/format";
import type { TableSchema } from "../../core/schema";

interface ItemFormProps {
  schema: TableSchema;
  before: Item | null;
  item: Item;
  change: (item: Item) => void;
  readOnly: boolean;
}

export function ItemForm({ schema, before, item, change, readOnly }: ItemFormProps) {
  const names = [...schema.key, ...Object.keys(item).filter((name) => !schema.key.includes(name))];
  return (
    <div className="attributes">
      {names.map((name) => {
        const value = attribute(item, name);
        if (value === undefined) return null;
        return (
          <Field
            key={name}
            name={name}
            value={value}
            depth={0}
            isKey={schema.key.includes(name)}
            changed={before !== null && !equal(attribute(before, name), value)}
            readOnly={readOnly}
            change={(next) => change(withAttribute(item, name, next))}
          />
        );
      })}
      {!readOnly && <AddMember taken={Object.keys(item)} add={(name, value) => change(withAttribute(item, name, value))} />}
    </div>
  );
}

interface FieldProps {
  name: string;
  value: AttributeValue;
  depth: number;
  isKey: boolean;
  changed: boolean;
  readOnly: boolean;
  change: (value: AttributeValue | undefined) => void;
}

function Field({ name, value, depth, isKey, changed, readOnly, change }: FieldProps) {
  const [open, setOpen] = useState(depth < 2);
  const type = typeOf(value);
  const nested = type === "L" || type === "M";
  const many = "M" in value ? Object.keys(value.M).length : "L" in value ? value.L.length : 0;
  return (
    <div className={changed ? "attribute changed" : "attribute"}>
      <div className="attribute-name">
        <b>
          <bdi>{visible(name.slice(0, 200))}</bdi>
        </b>
        {isKey ? (
          <span className="key-mark">{typeNames[type]}, key</span>
        ) : (
          <select aria-label={`Type of ${name}`} value={type} disabled={readOnly} onChange={(event) => change(converted(value, event.target.value as AttributeType))}>
            {attributeTypes.map((each) => (
              <option key={each} value={each}>
                {typeNames[each]}
              </option>
            ))}
          </select>
        )}
      </div>
      {nested ? (
        <div className="members-head">
          <button type="button" className="button quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? <ChevronDown className="icon" aria-hidden /> : <ChevronRight className="icon" aria-hidden />}
            {type === "M" ? count(many, "attribute") : count(many, "element")}
          </button>
        </div>
      ) : (
        <Scalar name={name} value={value} readOnly={readOnly} change={change} />
      )}
      {isKey || readOnly ? (
        <span />
      ) : (
        <button type="button" className="button quiet only-icon" aria-label={`Remove ${name}`} onClick={() => change(undefined)}>
          <X className="icon" aria-hidden />
        </button>
      )}
      {nested && open && <Members value={value as { M: Item } | { L: AttributeValue[] }} depth={depth} readOnly={readOnly} change={change} />}
    </div>
  );
}

// So many members are drawn; what is beyond is edited as JSON.
const membersMax = 200;

function Members({ value, depth, readOnly, change }: { value: { M: Item } | { L: AttributeValue[] }; depth: number; readOnly: boolean; change: FieldProps["change"] }) {
  const entries: [string, AttributeValue][] = "M" in value ? Object.entries(value.M) : value.L.map((each, i) => [String(i), each]);
  const set = (name: string, next: AttributeValue | undefined) => {
    if ("M" in value) return change({ M: withAttribute(value.M, name, next) });
    const at = Number(name);
    change({ L: next === undefined ? value.L.toSpliced(at, 1) : at < value.L.length ? value.L.with(at, next) : [...value.L, next] });
  };
  return (
    <div className="nested">
      {entries.slice(0, membersMax).map(([name, each]) => (
        <Field key={name} name={name} value={each} depth={depth + 1} isKey={false} changed={false} readOnly={readOnly} change={(next) => set(name, next)} />
      ))}
      {entries.length > membersMax && <p className="hint">and {entries.length - membersMax} more, to be edited as JSON</p>}
      {!readOnly &&
        ("M" in value ? (
          <AddMember taken={Object.keys(value.M)} add={set} />
        ) : (
          <div className="add-attribute">
            <button type="button" className="button quiet" onClick={() => set(String(value.L.length), { S: "" })}>
              Add element
            </button>
          </div>
        ))}
    </div>
  );
}

// Longer strings are drawn when somebody wants to edit them.
const drawnMax = 10_000;

function Scalar({ name, value, readOnly, change }: Pick<FieldProps, "name" | "value" | "readOnly" | "change">) {
  const [whole, setWhole] = useState(false);
  const type = typeOf(value);
  if (type === "NULL") return <div className="members-head">null</div>;
  if ("BOOL" in value) {
    return (
      <label className="row" style={{ minHeight: 28 }}>
        <input type="checkbox" checked={value.BOOL} disabled={readOnly} onChange={(event) => change({ BOOL: event.target.checked })} />
        {String(value.BOOL)}
      </label>
    );
  }
  const set = type === "SS" || type === "NS" || type === "BS";
  const inner = (value as Record<string, string | string[]>)[type]!;
  const text = typeof inner === "string" ? inner : inner.join("\n");
  if (text.length > drawnMax && !whole) {
    return (
      <div className="members-head">
        {count(text.length, "character")}
        <button type="button" className="button quiet" onClick={() => setWhole(true)}>
          Show
        </button>
      </div>
    );
  }
  const parts = set ? text.split("\n") : [text];
  const bad = type.startsWith("N") ? parts.some((part) => part !== "" && !isNumber(part)) : type.startsWith("B") ? parts.some((part) => !isBase64(part)) : false;
  const single = type === "N" || (type === "S" && text.length < 44 && !text.includes("\n"));
  const props = {
    className: "field",
    "aria-label": set ? `${name}, one a line` : name,
    "aria-invalid": bad,
    value: text,
    readOnly,
    spellCheck: false,
    dir: type === "S" ? ("auto" as const) : ("ltr" as const),
    onChange: (event: { target: { value: string } }) => change({ [type]: set ? event.target.value.split("\n") : event.target.value } as unknown as AttributeValue),
  };
  const shown = visible(text).replaceAll("␊", "\n");
  return (
    <div>
      {single ? <input {...props} /> : <textarea {...props} rows={Math.min(Math.max(parts.length, Math.ceil(text.length / 44), 2), 10)} />}
      {shown !== text && <div className="hint">Has hidden characters: {shown.slice(0, 200)}</div>}
    </div>
  );
}

function AddMember({ taken, add }: { taken: string[]; add: (name: string, value: AttributeValue) => void }) {
  const [name, setName] = useState("");
  const [type, setType] = useState<AttributeType>("S");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === "" || taken.includes(name)) return;
    add(name, emptyOf(type));
    setName("");
  };
  return (
    <form className="add-attribute" onSubmit={submit}>
      <input className="field grow mono" placeholder="new attribute" aria-label="Name of a new attribute" spellCheck={false} value={name} aria-invalid={taken.includes(name)} onChange={(event) => setName(event.target.value)} />
      <select className="field" aria-label="Type of the new attribute" value={type} onChange={(event) => setType(event.target.value as AttributeType)}>
        {attributeTypes.map((each) => (
          <option key={each} value={each}>
            {typeNames[each]}
          </option>
        ))}
      </select>
      <button className="button" disabled={name === "" || taken.includes(name)}>
        Add
      </button>
    </form>
  );
}

function emptyOf(type: AttributeType): AttributeValue {
  const empty: Record<AttributeType, AttributeValue> = { S: { S: "" }, N: { N: "0" }, B: { B: "" }, BOOL: { BOOL: false }, NULL: { NULL: true }, SS: { SS: [""] }, NS: { NS: ["0"] }, BS: { BS: [""] }, L: { L: [] }, M: { M: {} } };
  return empty[type];
}

// Keeps what fits the new type: a text that is a number stays one.
function converted(value: AttributeValue, type: AttributeType): AttributeValue {
  const text = "S" in value ? value.S : "N" in value ? value.N : "B" in value ? value.B : "SS" in value ? value.SS[0] : "NS" in value ? value.NS[0] : undefined;
  if (text === undefined) return emptyOf(type);
  switch (type) {
    case "S":
      return { S: text };
    case "N":
      return isNumber(text) ? { N: text } : emptyOf(type);
    case "SS":
      return { SS: "NS" in value ? value.NS : [text] };
    case "NS":
      return isNumber(text) ? { NS: [text] } : emptyOf(type);
    case "L":
      return { L: [value] };
    default:
      return emptyOf(type);
  }
}
