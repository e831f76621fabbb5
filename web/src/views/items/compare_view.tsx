// SPDX-License-Identifier: Apache-2.0
// The table and every index side by side, asked the same: how each reads, what that costs, in which
// order the items come, which of them it lacks and what of them it does not project.
import { useQueries } from "@tanstack/react-query";
import type { Page } from "../../api/items";
import { pageQuery } from "../../api/items";
import type { Item } from "../../core/attribute";
import { attribute } from "../../core/attribute";
import { askedOf } from "../../core/compare";
import { entityOf } from "../../core/entity";
import { count, unitCount, unitsOf } from "../../core/format";
import type { Compiled, Question } from "../../core/question";
import { compile } from "../../core/question";
import { itemsOf } from "../../core/route";
import type { Structure, TableSchema } from "../../core/schema";
import { identity, projects } from "../../core/schema";
import { Link } from "../../ui/navigation";
import { Fault, Loading } from "../../ui/state";
import { KeySignature } from "../schema/key_signature";
import { EntityTag, KeyText } from "./cell";

interface CompareViewProps {
  schema: TableSchema;
  question: Question;
  openItem: (item: Item) => void;
}

interface Asked {
  structure: Structure;
  question: Question;
  compiled: Compiled;
}

export function CompareView({ schema, question, openItem }: CompareViewProps) {
  const asked = schema.structures.flatMap((structure): Asked[] => {
    const own = askedOf(structure, question, schema);
    const result = compile(own, schema);
    return result.ok ? [{ structure, question: own, compiled: result.compiled }] : [];
  });
  const answers = useQueries({ queries: asked.map(({ compiled }) => pageQuery(compiled, null)) });
  const everyone = new Map<string, Item>();
  for (const answer of answers) {
    for (const item of answer.data?.Items ?? []) {
      const id = identity(schema, item);
      const known = everyone.get(id);
      if (!known || Object.keys(known).length < Object.keys(item).length) everyone.set(id, item);
    }
  }
  return (
    <div className="compare" tabIndex={0} role="region" aria-label="The table and its indexes side by side">
      {asked.map((each, i) => (
        <section key={each.structure.index ?? ""} className="compare-column" aria-label={each.structure.index ?? schema.name}>
          <Head schema={schema} asked={each} page={answers[i]?.data} />
          {answers[i]?.isError && <Fault fault={answers[i].error as Error} />}
          {answers[i]?.isPending && <Loading what={each.structure.index ?? schema.name} />}
          {answers[i]?.data && <Column schema={schema} structure={each.structure} page={answers[i].data} everyone={everyone} openItem={openItem} />}
        </section>
      ))}
    </div>
  );
}

function Head({ schema, asked: { structure, question, compiled }, page }: { schema: TableSchema; asked: Asked; page: Page | undefined }) {
  return (
    <header>
      <div className="row">
        <h2>
          <Link to={itemsOf(schema.name, question)}>{structure.index ?? schema.name}</Link>
        </h2>
        <KeySignature structure={structure} />
      </div>
      <div className="row soft">
        <span className={compiled.operation === "Query" ? "badge query" : "badge scan"}>{compiled.operation}</span>
        {page && (
          <span>
            {unitCount(page.ConsumedCapacity?.CapacityUnits ?? 0)} {unitsOf(page.ConsumedCapacity?.CapacityUnits ?? 0)}, {count(page.ScannedCount, "item")} read, {page.Count} shown
            {page.LastEvaluatedKey ? ", first page" : ""}
          </span>
        )}
      </div>
    </header>
  );
}

interface ColumnProps {
  schema: TableSchema;
  structure: Structure;
  page: Page;
  everyone: Map<string, Item>;
  openItem: (item: Item) => void;
}

function Column({ schema, structure, page, everyone, openItem }: ColumnProps) {
  const here = new Set(page.Items.map((item) => identity(schema, item)));
  // Of a page that is not the last one nobody can say what the rest lacks.
  const missing = page.LastEvaluatedKey ? [] : [...everyone].filter(([id]) => !here.has(id));
  const keys = [...structure.partition, ...structure.sort];
  return (
    <>
      {page.Items.map((item) => {
        const id = identity(schema, item);
        const whole = everyone.get(id) ?? item;
        const lost = Object.keys(whole).filter((name) => !projects(schema, structure, name));
        return (
          <div key={id} className="compare-item">
            <div className="row">
              <Entity item={item} schema={schema} openItem={openItem} />
            </div>
            {keys.map((key) => (
              <div key={key.name} className="line">
                <KeyText value={attribute(item, key.name)} />
              </div>
            ))}
            {lost.length > 0 && <div className="line lost" title={lost.join(", ")}>Not projected: {lost.slice(0, 4).join(", ")}{lost.length > 4 ? ` and ${lost.length - 4} more` : ""}</div>}
          </div>
        );
      })}
      {missing.map(([id, item]) => (
        <div key={id} className="compare-item missing">
          <div className="row">
            <Entity item={item} schema={schema} openItem={openItem} />
            <span style={{ fontFamily: "var(--sans)" }}>{why(structure, item)}</span>
          </div>
          <div className="line">
            {schema.key.map((name) => (
              <span key={name}>
                <KeyText value={attribute(item, name)} />{" "}
              </span>
            ))}
          </div>
        </div>
      ))}
    </>
  );
}

function why(structure: Structure, item: Item): string {
  const lacking = [...structure.partition, ...structure.sort].filter((key) => attribute(item, key.name) === undefined).map((key) => key.name);
  return lacking.length > 0 ? `not in this index: no ${lacking.join(", ")}` : "not in this answer";
}

function Entity({ item, schema, openItem }: { item: Item; schema: TableSchema; openItem: (item: Item) => void }) {
  const entity = entityOf(item, schema.structures[0]);
  return (
    <button className="button quiet" style={{ height: 20, padding: 0 }} title="Open the item" onClick={() => openItem(item)}>
      <EntityTag name={entity?.name ?? "Item"} colour={entity?.colour ?? 8} />
    </button>
  );
}
