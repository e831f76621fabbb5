// SPDX-License-Identifier: Apache-2.0
// One condition: on a key (its name and type are given) or a filter on any attribute.
import { X } from "lucide-react";
import type { Condition, LiteralType, Operator } from "../../core/question";
import { literalTypes, operandCount, operatorNames, operators, sortOperators } from "../../core/question";
import { typeNames } from "../../core/attribute";

interface FieldProps {
  condition: Condition;
  change: (condition: Condition) => void;
}

export function SortKeyField({ condition, change }: FieldProps) {
  return (
    <div className="condition">
      <span className="condition-name" title={`Sort key ${condition.name}`}>
        {condition.name}
      </span>
      <OperatorSelect condition={condition} change={change} among={sortOperators} />
      <Operands condition={condition} change={change} hint="any value" />
    </div>
  );
}

interface FilterProps extends FieldProps {
  remove: () => void;
  known: string; // the id of a datalist of attribute names
}

export function FilterField({ condition, change, remove, known }: FilterProps) {
  return (
    <div className="condition">
      <input
        className="narrow"
        aria-label="Attribute to filter by"
        placeholder="attribute"
        list={known}
        spellCheck={false}
        value={condition.name}
        onChange={(event) => change({ ...condition, name: event.target.value })}
      />
      <OperatorSelect condition={condition} change={change} among={operators} />
      {operandCount(condition.operator) > 0 && (
        <select aria-label="Type of the value" value={condition.type} onChange={(event) => change({ ...condition, type: event.target.value as LiteralType })}>
          {literalTypes.map((type) => (
            <option key={type} value={type}>
              {typeNames[type]}
            </option>
          ))}
        </select>
      )}
      {condition.type !== "NULL" && <Operands condition={condition} change={change} hint="value" />}
      <button type="button" aria-label="Remove the filter" onClick={remove}>
        <X className="icon" aria-hidden />
      </button>
    </div>
  );
}

function OperatorSelect({ condition, change, among }: FieldProps & { among: readonly Operator[] }) {
  return (
    <select
      aria-label={`Comparison of ${condition.name || "the attribute"}`}
      value={condition.operator}
      onChange={(event) => {
        const operator = event.target.value as Operator;
        change({ ...condition, operator, values: condition.values.slice(0, Math.max(operandCount(operator), 0)) });
      }}
    >
      {among.map((operator) => (
        <option key={operator} value={operator}>
          {operatorNames[operator]}
        </option>
      ))}
    </select>
  );
}

function Operands({ condition, change, hint }: FieldProps & { hint: string }) {
  const many = operandCount(condition.operator);
  const set = (at: number, text: string) => {
    const values = Array.from({ length: many }, (_, i) => condition.values[i] ?? "");
    values[at] = text;
    change({ ...condition, values });
  };
  return Array.from({ length: many }, (_, i) => (
    <span key={i} style={{ display: "contents" }}>
      {i > 0 && <span className="between">and</span>}
      <input
        className={many > 1 ? "narrow" : undefined}
        aria-label={`${condition.name || "Attribute"}: ${i > 0 ? "upper value" : "value"}`}
        placeholder={hint}
        spellCheck={false}
        autoComplete="off"
        value={condition.values[i] ?? ""}
        onChange={(event) => set(i, event.target.value)}
      />
    </span>
  ));
}
