// SPDX-License-Identifier: Apache-2.0
// A table's name, its screens as tabs, and what can be done with it.
import { Menu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from "@ariakit/react";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Plus } from "lucide-react";
import { actionOf } from "../../actions/index";
import { settings } from "../../actions/state";
import { bytes, count } from "../../core/format";
import type { Question } from "../../core/question";
import { everything } from "../../core/question";
import type { ItemsView, Route } from "../../core/route";
import type { TableSchema } from "../../core/schema";
import { Link, useRoute } from "../../ui/navigation";
import { useStore } from "../../ui/use_store";
import { KeySignature } from "../schema/key_signature";

interface TableHeadProps {
  table: string;
  schema: TableSchema;
  current: ItemsView | "schema";
  question?: Question;
}

export function TableHead({ table, schema, current, question = everything }: TableHeadProps) {
  const base = schema.structures[0];
  const at = (view: ItemsView): Route => ({ screen: "items", table, view, question, item: null });
  const partitionKnown = question.partition.some((text) => text !== "");
  const tabs: [string, string, Route][] = [
    ["rows", "Items", at("rows")],
    ...(partitionKnown || current === "partition" ? [["partition", "Partition", at("partition")] as [string, string, Route]] : []),
    ["compare", "Side by side", at("compare")],
    ["schema", "Schema", { screen: "schema", table }],
  ];
  return (
    <>
      <header className="page-head">
        <h1>{table}</h1>
        <KeySignature structure={base} />
        <span className="soft head-facts">
          {count(base.itemCount, "item")}, {bytes(base.bytes)}
        </span>
        <span className="grow" />
        <TableMenu />
      </header>
      <nav className="tabs" aria-label="Screens of the table">
        {tabs.map(([id, title, to]) => (
          <Link key={id} to={to} className="tab" aria-current={id === current ? "page" : undefined}>
            {title}
          </Link>
        ))}
      </nav>
    </>
  );
}

const menu = ["refresh", "", "import", "export", "copyTable", "", "emptyTable", "deleteTable"];

function TableMenu() {
  const client = useQueryClient();
  const state = { route: useRoute(), settings: useStore(settings), client };
  const newItem = actionOf("newItem");
  return (
    <div className="row">
      {newItem.enabled(state) && (
        <button className="button" onClick={() => newItem.run(state)}>
          <Plus className="icon" aria-hidden />
          New item
        </button>
      )}
      <MenuProvider>
        <MenuButton className="button only-icon" aria-label="More about this table">
          <Ellipsis className="icon" aria-hidden />
        </MenuButton>
        <Menu className="menu" gutter={4} portal>
          {menu.map((id, i) => {
            if (id === "") return <MenuSeparator key={i} className="menu-separator" />;
            const { icon: Icon, title, enabled, run } = actionOf(id);
            return (
              <MenuItem key={id} className={id.endsWith("eteTable") || id === "emptyTable" ? "menu-item danger" : "menu-item"} disabled={!enabled(state)} onClick={() => run(state)}>
                <Icon className="icon" aria-hidden />
                {title}
              </MenuItem>
            );
          })}
        </Menu>
      </MenuProvider>
    </div>
  );
}
