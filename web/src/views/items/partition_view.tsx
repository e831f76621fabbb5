// SPDX-License-Identifier: Apache-2.0
// One partition as one page: its items by entity, each entity with its own columns.
import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect } from "react";
import { readPage } from "../../api/items";
import type { Item } from "../../core/attribute";
import { attribute } from "../../core/attribute";
import { entityOf } from "../../core/entity";
import { count } from "../../core/format";
import type { Compiled } from "../../core/question";
import type { Structure, TableSchema } from "../../core/schema";
import { identity } from "../../core/schema";
import { Fault, Loading, State } from "../../ui/state";
import { EntityTag, KeyText, ValueText } from "./cell";
import type { Pages } from "./use_pages";

interface PartitionViewProps {
  schema: TableSchema;
  structure: Structure;
  compiled: Compiled;
  openItem: (item: Item) => void;
  report: (cost: Pages["cost"]) => void;
}

const shownColumns = 8;
// A page that a person can read; larger partitions are for the grid.
const pagesMax = 20;

interface Group {
  name: string;
  colour: number;
  items: Item[];
}

export function PartitionView({ schema, structure, compiled, openItem, report }: PartitionViewProps) {
  const answer = useInfiniteQuery({
    queryKey: ["items", schema.name, "partition", compiled.request],
    queryFn: ({ pageParam, signal }) => readPage(compiled, pageParam, signal),
    initialPageParam: null as Item | null,
    getNextPageParam: (page) => page.LastEvaluatedKey ?? null,
    enabled: compiled.operation === "Query",
  });
  const pages = answer.data?.pages ?? [];
  const units = pages.reduce((sum, page) => sum + (page.ConsumedCapacity?.CapacityUnits ?? 0), 0);
  const scanned = pages.reduce((sum, page) => sum + page.ScannedCount, 0);
  useEffect(() => report({ units, scanned, pages: pages.length }), [units, scanned, pages.length]);

  if (compiled.operation !== "Query") {
    return (
      <State icon={KeyRound} title="Which partition?">
        <p>Give a value for {structure.partition.map((key) => key.name).join(" and ")} above, and run the Query.</p>
      </State>
    );
  }
  if (answer.isError) return <Fault fault={answer.error} retry={() => void answer.refetch()} />;
  if (answer.isPending) return <Loading what="the partition" />;
  const groups = grouped(pages.flatMap((page) => page.Items), schema.structures[0]);
  if (groups.length === 0) {
    return (
      <State icon={KeyRound} title="This partition has no items">
        <p>Keys compare exactly: check the prefix, the delimiter and the case.</p>
      </State>
    );
  }
  return (
    <div className="scroll">
      <div className="collection">
        {groups.map((group) => (
          <section key={group.name}>
            <h2>
              <EntityTag name={group.name} colour={group.colour} />
              <span className="soft">{count(group.items.length, "item")}</span>
            </h2>
            <GroupTable schema={schema} structure={structure} group={group} openItem={openItem} />
          </section>
        ))}
        {answer.hasNextPage && pages.length < pagesMax && (
          <div>
            <button className="button" disabled={answer.isFetching} onClick={() => void answer.fetchNextPage()}>
              Read the next items
            </button>
          </div>
        )}
        {answer.hasNextPage && pages.length >= pagesMax && <p className="soft">The partition goes on. Items shows all of it, a page at a time.</p>}
      </div>
    </div>
  );
}

function grouped(items: Item[], base: Structure): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { name, colour } = entityOf(item, base) ?? { name: "Item", colour: 8 };
    const group = groups.get(name) ?? { name, colour, items: [] };
    group.items.push(item);
    groups.set(name, group);
  }
  return [...groups.values()];
}

interface GroupTableProps {
  schema: TableSchema;
  structure: Structure;
  group: Group;
  openItem: (item: Item) => void;
}

function GroupTable({ schema, structure, group, openItem }: GroupTableProps) {
  const first = (structure.sort[0] ?? structure.partition[0])!.name;
  const rest = [...new Set(group.items.slice(0, 50).flatMap((item) => Object.keys(item)))].filter(
    (name) => name !== first && !structure.partition.some((key) => key.name === name),
  );
  const columns = rest.slice(0, shownColumns);
  return (
    <div className="list" tabIndex={0} role="region" aria-label={`${group.name} items`} style={{ marginTop: 8 }}>
      <table>
        <thead>
          <tr>
            <th>{first}</th>
            {columns.map((name) => (
              <th key={name}>
                <bdi>{name.slice(0, 60)}</bdi>
              </th>
            ))}
            {rest.length > columns.length && <th>and {rest.length - columns.length} more</th>}
          </tr>
        </thead>
        <tbody>
          {group.items.map((item) => (
            <tr key={identity(schema, item)}>
              <td>
                <button onClick={() => openItem(item)}>
                  <KeyText value={attribute(item, first)} />
                </button>
              </td>
              {columns.map((name) => (
                <td key={name}>
                  <ValueText value={attribute(item, name)} />
                </td>
              ))}
              {rest.length > columns.length && <td />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
