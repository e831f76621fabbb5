// SPDX-License-Identifier: Apache-2.0
// A table's screen: the question, its answer as rows, side by side or as one partition, and an item.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { notify, settings, stage, staged } from "../../actions/state";
import { itemQuery } from "../../api/items";
import { useTable } from "../../api/tables";
import type { Item } from "../../core/attribute";
import { attribute, pick, summary } from "../../core/attribute";
import type { Question } from "../../core/question";
import { compile, everything } from "../../core/question";
import type { Route } from "../../core/route";
import type { TableSchema } from "../../core/schema";
import { identity, schemaOf, structureOf } from "../../core/schema";
import { navigate } from "../../ui/navigation";
import { Fault, Loading } from "../../ui/state";
import { useStore } from "../../ui/use_store";
import { CommitBar } from "../item/commit_bar";
import { Inspector } from "../item/inspector";
import { TableHead } from "../tables/table_head";
import { Answer } from "./answer";
import { CompareView } from "./compare_view";
import { PartitionView } from "./partition_view";
import { QuestionBar } from "./question_bar";

type ItemsRoute = Extract<Route, { screen: "items" }>;

export function ItemsView({ route }: { route: ItemsRoute }) {
  const table = useTable(route.table);
  if (table.isPending) return <Loading what={`the table ${route.table}`} />;
  if (table.isError) return <Fault fault={table.error} retry={() => void table.refetch()} />;
  return <Items route={route} schema={schemaOf(table.data)} />;
}

function Items({ route, schema }: { route: ItemsRoute; schema: TableSchema }) {
  const client = useQueryClient();
  const edits = useStore(staged).filter((each) => each.table === schema.name);
  const [spent, setSpent] = useState<{ units: number; scanned: number; pages: number } | null>(null);
  const [attributes, setAttributes] = useState<string[]>([]);
  const { view, question } = route;
  const asked = JSON.stringify(question);
  const stable = useMemo(() => question, [asked]);
  const structure = structureOf(schema, question.index) ?? schema.structures[0];
  const result = compile(stable, schema);

  const ask = (next: Question) => {
    if (JSON.stringify(next) === asked) void client.invalidateQueries({ queryKey: ["items", schema.name] });
    navigate({ ...route, question: next, item: null });
  };
  const openItem = (item: Item) => navigate({ ...route, item: identity(schema, item) }, route.item === null ? "push" : "replace");
  const openPartition = (item: Item) => {
    const partition = structure.partition.map((key) => keyText(item, key.name));
    navigate({ ...route, view: "partition", item: null, question: { ...everything, index: question.index, partition } });
  };
  const removeItem = async (shown: Item) => {
    if (settings.get().readOnly) return notify("Read-only mode is on.");
    // The whole item, so that the deletion can be undone, whatever the row showed of it.
    const whole = await client.fetchQuery({ ...itemQuery(schema.name, pick(shown, schema.key)), staleTime: 0 });
    if (whole) stage(schema.name, identity(schema, whole), { kind: "delete", before: whole });
    else notify("That item is not there any more.", { bad: true });
  };

  return (
    <>
      <TableHead table={schema.name} schema={schema} current={view} question={question} />
      <QuestionBar schema={schema} asked={stable} ask={ask} attributes={attributes} spent={view === "compare" ? null : spent} />
      <div className="split">
        <div className="pane">
          {!result.ok ? (
            <Fault fault={new Error(result.message)} />
          ) : view === "compare" ? (
            <CompareView schema={schema} question={stable} openItem={openItem} />
          ) : view === "partition" ? (
            <PartitionView key={asked} schema={schema} structure={structure} compiled={result.compiled} openItem={openItem} report={setSpent} />
          ) : (
            <Answer
              key={asked}
              schema={schema}
              structure={structure}
              compiled={result.compiled}
              question={stable}
              open={route.item}
              edits={edits}
              openItem={openItem}
              openPartition={openPartition}
              removeItem={(item) => void removeItem(item)}
              report={(cost, names) => {
                setSpent(cost);
                setAttributes(names);
              }}
            />
          )}
        </div>
        {route.item !== null && <Inspector key={route.item} schema={schema} id={route.item} close={() => navigate({ ...route, item: null }, "replace")} />}
      </div>
      <CommitBar table={schema.name} edits={edits} />
    </>
  );
}

// A key's value as a person would type it.
function keyText(item: Item, name: string): string {
  const value = attribute(item, name);
  if (value === undefined) return "";
  return "S" in value ? value.S : summary(value, Infinity);
}
