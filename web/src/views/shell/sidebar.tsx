// SPDX-License-Identifier: Apache-2.0
import { useQueryClient } from "@tanstack/react-query";
import { Lock, LockOpen, LogOut, Moon, Plus, Search, Sun, SunMoon } from "lucide-react";
import { actionOf, keysShown, nextTheme } from "../../actions/index";
import { dialog, settings } from "../../actions/state";
import { session, signOut } from "../../api/session";
import { useTables } from "../../api/tables";
import { itemsOf } from "../../core/route";
import type { Route } from "../../core/route";
import mark from "../../mark.svg";
import { Link, useRoute } from "../../ui/navigation";
import { useStore } from "../../ui/use_store";

const screens: [string, Route][] = [
  ["home", { screen: "home" }],
  ["partiql", { screen: "partiql", statement: "" }],
  ["design", { screen: "design", document: null }],
  ["itemSize", { screen: "itemSize" }],
  ["price", { screen: "price" }],
];
const shortTitles: Record<string, string> = { design: "Design", itemSize: "Item size", partiql: "PartiQL", price: "Price" };

export function Sidebar({ open }: { open: boolean }) {
  const route = useRoute();
  const { readOnly } = useStore(settings);
  return (
    <nav className={open ? "sidebar open" : "sidebar"} aria-label="Studio">
      <Link to={{ screen: "home" }} className="brand">
        <img src={mark} alt="" /> Keywright
      </Link>
      <button className="sidebar-search" onClick={() => dialog.set({ name: "palette" })}>
        <Search className="icon" aria-hidden />
        <span>Search</span>
        <kbd>{keysShown("mod+k")}</kbd>
      </button>
      <div className="nav">
        {screens.map(([id, to]) => {
          const { icon: Icon, title } = actionOf(id);
          return (
            <Link key={id} to={to} className="nav-link" aria-current={route.screen === to.screen ? "page" : undefined}>
              <Icon className="icon" aria-hidden />
              <span className="name">{shortTitles[id] ?? title}</span>
            </Link>
          );
        })}
      </div>
      <div className="nav-head">
        <span id="tables-head">Tables</span>
        {!readOnly && (
          <button className="button quiet only-icon" aria-label="Create a table" title="Create a table" onClick={() => dialog.set({ name: "createTable" })}>
            <Plus className="icon" aria-hidden />
          </button>
        )}
      </div>
      <div className="nav-scroll">
        <TableLinks route={route} />
      </div>
      <Foot />
    </nav>
  );
}

function TableLinks({ route }: { route: Route }) {
  const tables = useTables();
  const Icon = actionOf("createTable").icon;
  const current = route.screen === "items" || route.screen === "schema" ? route.table : null;
  if (tables.isPending) return <p className="nav-head">…</p>;
  if (tables.isError) return <p className="nav-head">Not reached</p>;
  if (tables.data.length === 0) return <p className="nav-head">No table yet</p>;
  return (
    <div className="nav" role="list" aria-labelledby="tables-head">
      {tables.data.map((name) => (
        <div role="listitem" key={name}>
          <Link to={itemsOf(name)} className="nav-link" title={name} aria-current={name === current ? "page" : undefined}>
            <Icon className="icon" aria-hidden />
            <span className="name">{name}</span>
          </Link>
        </div>
      ))}
    </div>
  );
}

function Foot() {
  const client = useQueryClient();
  const chosen = useStore(settings);
  const signed = useStore(session);
  const theme = actionOf("theme");
  const Theme = { system: SunMoon, light: Sun, dark: Moon }[chosen.theme];
  const Help = actionOf("shortcuts").icon;
  const accessKey = signed.state === "open" ? signed.credential?.accessKeyId : undefined;
  const ReadOnly = chosen.readOnly ? Lock : LockOpen;
  return (
    <div className="sidebar-foot">
      <button
        className="button quiet only-icon"
        aria-label={`Theme: ${chosen.theme}. Change to ${nextTheme(chosen.theme)}`}
        title={`Theme: ${chosen.theme}`}
        onClick={() => theme.run({ route: { screen: "home" }, settings: chosen, client })}
      >
        <Theme className="icon" aria-hidden />
      </button>
      <button
        className="button quiet"
        aria-pressed={chosen.readOnly}
        title={chosen.readOnly ? "Nothing can be changed from this page" : "Items and tables can be changed"}
        onClick={() => settings.set({ ...chosen, readOnly: !chosen.readOnly })}
      >
        <ReadOnly className="icon" aria-hidden />
        Read-only
      </button>
      <span className="grow" />
      {accessKey !== undefined && (
        <button className="button quiet only-icon" aria-label="Sign out" title={`Signed in as ${accessKey}. Sign out`} onClick={() => void signOut()}>
          <LogOut className="icon" aria-hidden />
        </button>
      )}
      <button className="button quiet only-icon" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={() => dialog.set({ name: "shortcuts" })}>
        <Help className="icon" aria-hidden />
      </button>
    </div>
  );
}
