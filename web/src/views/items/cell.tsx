// SPDX-License-Identifier: Apache-2.0
import type { AttributeValue } from "../../core/attribute";
import { summary, typeOf, visible } from "../../core/attribute";
import { colourOf, keyParts } from "../../core/entity";

// Text of anybody: shown as text, isolated from what stands around it, nothing in it hidden.
export function ValueText({ value }: { value: AttributeValue | undefined }) {
  if (value === undefined) return <span className="absent">–</span>;
  const type = typeOf(value);
  const text = visible(summary(value));
  if (type === "BOOL" || type === "NULL") return <span className="word">{text}</span>;
  const structured = type !== "S" && type !== "N";
  return (
    <bdi className={structured ? "structured" : undefined} dir={type === "S" ? "auto" : "ltr"}>
      {text === "" ? <span className="absent">(empty)</span> : text}
    </bdi>
  );
}

// A key's value: its prefix in the colour of its entity.
export function KeyText({ value, again }: { value: AttributeValue | undefined; again?: boolean }) {
  if (value === undefined || !("S" in value)) return <ValueText value={value} />;
  const { prefix, rest } = keyParts(value.S);
  const name = prefix.replace(/[#:|/]$/, "");
  return (
    <bdi dir="ltr" className={again ? "again" : undefined}>
      {prefix !== "" && <span className={again ? undefined : `prefix c${colourOf(name)}`}>{prefix}</span>}
      {visible(rest.length > 200 ? `${rest.slice(0, 200)}…` : rest)}
    </bdi>
  );
}

export function EntityTag({ name, colour }: { name: string; colour: number }) {
  return <span className={`entity c${colour}`}>{name}</span>;
}
