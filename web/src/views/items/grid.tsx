// SPDX-License-Identifier: Apache-2.0
// Rows of an answer. Only what is in sight is drawn; a partition's rows stand together under a line.
import { useVirtualizer } from "@tanstack/react-virtual";
import type { KeyboardEvent, ReactNode } from "react";
import { useEffect, useMemo, useRef, useState } from "react";
import { notify } from "../../actions/state";
import type { Item } from "../../core/attribute";
import { attribute, equal } from "../../core/attribute";
import type { Column } from "../../core/columns";
import { extended } from "../../core/columns";
import { print, printItem } from "../../core/exact_json";
import { entityOf } from "../../core/entity";
import type { Structure, TableSchema } from "../../core/schema";
import { identity, keyNames, projects } from "../../core/schema";
import { EntityTag, KeyText, ValueText } from "./cell";
import type { Pages } from "./use_pages";
import { rowsMax } from "./use_pages";

const rowHeight = 28;
const headHeight = 30;
const entityWidth = 112;

interface GridProps {
  schema: TableSchema;
  structure: Structure;
  pages: Pages;
  open: string | null; // the identity of the item that is open
  stagedKinds: Map<string, "changed" | "removed">;
  openItem: (item: Item) => void;
  openPartition: (item: Item) => void;
  removeItem: (item: Item) => void;
  tail: ReactNode;
}

export function Grid({ schema, structure, pages, open, stagedKinds, openItem, openPartition, removeItem, tail }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const keys = useMemo(() => keyNames(schema, structure), [schema, structure]);
  const indexKeys = useMemo(() => new Set(schema.structures.flatMap((each) => keyNames(schema, each))), [schema]);
  const columns = useColumns(keys, pages.loaded);
  const skeletons = pages.more && !pages.paused && pages.rowCount < rowsMax && pages.fault === null ? 12 : 0;
  const virtualizer = useVirtualizer({
    count: pages.rowCount + skeletons,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: headHeight,
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => pages.see(first, last), [first, last]);

  const move = (row: number, column: number) => {
    const next = { row: Math.min(Math.max(row, 0), Math.max(pages.rowCount - 1, 0)), column: Math.min(Math.max(column, 0), columns.length) };
    setActive(next);
    virtualizer.scrollToIndex(next.row);
    scroller.current?.querySelector(`[data-column="${next.column}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const press = (event: KeyboardEvent) => {
    const { row, column } = active;
    const page = Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2, 1);
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      PageDown: () => move(row + page, column),
      PageUp: () => move(row - page, column),
      Home: () => move(0, column),
      End: () => move(pages.rowCount - 1, column),
      Enter: () => act(openItem),
      Delete: () => act(removeItem),
    };
    if (event.key === "c" && (event.ctrlKey || event.metaKey) && event.target === event.currentTarget && getSelection()?.isCollapsed !== false) {
      const item = pages.rowAt(row);
      if (item) copyCell(item, columns[column - 1]?.name);
      return;
    }
    const found = moves[event.key];
    if (!found || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    event.preventDefault();
    found();
  };
  const act = (what: (item: Item) => void) => {
    const item = pages.rowAt(active.row);
    if (item) what(item);
  };

  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={`Items of ${structure.index ?? schema.name}`}
      aria-rowcount={pages.more ? -1 : pages.rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={pages.rowCount > 0 ? `cell-${active.row}-${active.column}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        <div role="columnheader" className="cell sticky" style={{ width: entityWidth }} data-column={0}>
          Entity
        </div>
        {columns.map((column, i) => (
          <div
            key={column.name}
            role="columnheader"
            data-column={i + 1}
            title={column.name}
            className={`cell${column.key ? " key" : ""}${column.number ? " number" : ""}`}
            style={{ width: column.width }}
          >
            <bdi>{column.name}</bdi>
          </div>
        ))}
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = index < pages.rowCount ? pages.rowAt(index) : undefined;
          const shift = { transform: `translateY(${start - headHeight}px)` };
          if (!item) {
            return (
              <div key={index} role="row" aria-hidden className="grid-row" style={shift}>
                {[entityWidth, ...columns.map((column) => column.width)].slice(0, 6).map((width, i) => (
                  <div key={i} className="skeleton" style={{ width: width - 20 }} />
                ))}
              </div>
            );
          }
          const id = identity(schema, item);
          const before = index > 0 ? pages.rowAt(index - 1) : undefined;
          const again = before !== undefined && structure.partition.every((key) => equal(attribute(before, key.name), attribute(item, key.name)));
          const mark = stagedKinds.get(id);
          const classes = ["grid-row", !again && index > 0 && structure.sort.length > 0 ? "first" : "", active.row === index ? "active" : "", id === open ? "open" : "", mark ? "staged" : "", mark === "removed" ? "removed" : ""];
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={id === open}
              className={classes.filter((each) => each !== "").join(" ")}
              style={shift}
              onClick={() => setActive({ row: index, column: active.column })}
              onDoubleClick={() => openItem(item)}
            >
              <EntityCell row={index} item={item} base={schema.structures[0]} active={active} openItem={openItem} />
              {columns.map((column, i) => (
                <div
                  key={column.name}
                  role="gridcell"
                  id={`cell-${index}-${i + 1}`}
                  className={`cell${column.number ? " number" : ""}${active.row === index && active.column === i + 1 ? " active-cell" : ""}`}
                  style={{ width: column.width }}
                  onClick={() => setActive({ row: index, column: i + 1 })}
                >
                  <CellContent column={column} item={item} again={again && index !== first} partition={structure.partition[0]?.name === column.name} openPartition={openPartition} indexKey={indexKeys.has(column.name)} hidden={!projects(schema, structure, column.name)} />
                </div>
              ))}
            </div>
          );
        })}
      </div>
      <div className="grid-tail">{tail}</div>
    </div>
  );
}

// The value as text, or the whole item from the entity's cell.
function copyCell(item: Item, name: string | undefined): void {
  const value = name === undefined ? undefined : attribute(item, name);
  if (name !== undefined && value === undefined) return;
  void navigator.clipboard?.writeText(value === undefined ? printItem(item) : "S" in value ? value.S : print(value));
  notify(value === undefined ? "The item is copied as JSON." : "The value is copied.");
}

interface EntityCellProps {
  row: number;
  item: Item;
  base: Structure;
  active: { row: number; column: number };
  openItem: (item: Item) => void;
}

function EntityCell({ row, item, base, active, openItem }: EntityCellProps) {
  const entity = entityOf(item, base);
  return (
    <div
      role="gridcell"
      id={`cell-${row}-0`}
      className={`cell sticky${active.row === row && active.column === 0 ? " active-cell" : ""}`}
      style={{ width: entityWidth }}
    >
      <button className="open-partition" tabIndex={-1} aria-label="Open the item" title="Open the item" onClick={() => openItem(item)}>
        <EntityTag name={entity?.name ?? "Item"} colour={entity?.colour ?? 8} />
      </button>
    </div>
  );
}

interface CellContentProps {
  column: Column;
  item: Item;
  again: boolean;
  partition: boolean;
  indexKey: boolean; // the key of some index
  hidden: boolean; // the index does not project this attribute
  openPartition: (item: Item) => void;
}

function CellContent({ column, item, again, partition, indexKey, hidden, openPartition }: CellContentProps) {
  const value = attribute(item, column.name);
  if (!column.key && !indexKey) return hidden ? <span className="absent">not projected</span> : <ValueText value={value} />;
  if (!column.key && value === undefined) return <ValueText value={value} />;
  if (!partition || value === undefined) return <KeyText value={value} />;
  return (
    <button className="open-partition" tabIndex={-1} title="Open this partition" onClick={() => openPartition(item)}>
      <KeyText value={value} again={again} />
    </button>
  );
}

function useColumns(keys: readonly string[], items: readonly Item[]): readonly Column[] {
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const now = extended(columns, keys, items);
  if (now !== columns) setColumns(now);
  return now;
}
