// SPDX-License-Identifier: Apache-2.0
// Everything a person can do from anywhere: the palette, the keyboard and the menus read these rows.
import type { QueryClient } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { Braces, Calculator, CircleHelp, Columns3, Download, DraftingCompass, House, KeyRound, Lock, Plus, RefreshCw, Rows3, Scale, SunMoon, Table2, TableProperties, Terminal, Trash2, Undo2, Upload } from "lucide-react";
import type { Route } from "../core/route";
import { itemsOf } from "../core/route";
import { navigate } from "../ui/navigation";
import type { Settings, Theme } from "./state";
import { undo } from "./commit";
import { committed, dialog, settings } from "./state";

export interface ActionState {
  route: Route;
  settings: Settings;
  client: QueryClient;
}

export interface Action {
  id: string;
  title: string;
  icon: LucideIcon;
  keys: string; // "mod+k"; "" for none
  enabled(state: ActionState): boolean;
  run(state: ActionState): void;
}

const tableOf = (route: Route): string | null => (route.screen === "items" || route.screen === "schema" ? route.table : null);
const always = () => true;
const onTable = ({ route }: ActionState) => tableOf(route) !== null;
const writable = ({ settings }: ActionState) => !settings.readOnly;
const writableTable = (state: ActionState) => onTable(state) && writable(state);
const onItems = ({ route }: ActionState) => route.screen === "items";

const themes: readonly Theme[] = ["system", "light", "dark"];
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!;
}

export const actions: readonly Action[] = [
  { id: "palette", title: "Search tables and commands", icon: Terminal, keys: "mod+k", enabled: always, run: () => dialog.set({ name: "palette" }) },
  { id: "home", title: "Overview", icon: House, keys: "alt+h", enabled: always, run: () => navigate({ screen: "home" }) },
  { id: "partiql", title: "PartiQL editor", icon: Braces, keys: "alt+p", enabled: always, run: () => navigate({ screen: "partiql", statement: "" }) },
  { id: "design", title: "Design by proof", icon: DraftingCompass, keys: "alt+g", enabled: always, run: () => navigate({ screen: "design", document: null }) },
  { id: "itemSize", title: "Item size calculator", icon: Scale, keys: "alt+z", enabled: always, run: () => navigate({ screen: "itemSize" }) },
  { id: "price", title: "Price calculator", icon: Calculator, keys: "alt+m", enabled: always, run: () => navigate({ screen: "price" }) },
  { id: "createTable", title: "Create a table…", icon: Table2, keys: "", enabled: writable, run: () => dialog.set({ name: "createTable" }) },
  {
    id: "newItem",
    title: "New item",
    icon: Plus,
    keys: "alt+n",
    enabled: (state) => onItems(state) && writable(state),
    run: ({ route }) => route.screen === "items" && navigate({ ...route, item: "new" }),
  },
  {
    id: "undo",
    title: "Undo the last commit",
    icon: Undo2,
    keys: "alt+u",
    enabled: (state) => writable(state) && committed.get().length > 0,
    run: ({ client }) => void undo(client),
  },
  {
    id: "refresh",
    title: "Read again",
    icon: RefreshCw,
    keys: "alt+r",
    enabled: always,
    run: ({ client }) => void client.invalidateQueries(),
  },
  {
    id: "rows",
    title: "Show items",
    icon: Rows3,
    keys: "alt+1",
    enabled: onTable,
    run: ({ route }) => navigate(route.screen === "items" ? { ...route, view: "rows" } : itemsOf(tableOf(route)!)),
  },
  {
    id: "compare",
    title: "Show the table and its indexes side by side",
    icon: Columns3,
    keys: "alt+2",
    enabled: onTable,
    run: ({ route }) => navigate(route.screen === "items" ? { ...route, view: "compare" } : itemsOf(tableOf(route)!, {}, "compare")),
  },
  { id: "schema", title: "Show the schema", icon: TableProperties, keys: "alt+3", enabled: onTable, run: ({ route }) => navigate({ screen: "schema", table: tableOf(route)! }) },
  { id: "import", title: "Import items…", icon: Upload, keys: "", enabled: writableTable, run: ({ route }) => dialog.set({ name: "import", table: tableOf(route)! }) },
  { id: "export", title: "Export items…", icon: Download, keys: "", enabled: onTable, run: ({ route }) => dialog.set({ name: "export", table: tableOf(route)! }) },
  { id: "copyTable", title: "Copy the table…", icon: Table2, keys: "", enabled: writableTable, run: ({ route }) => dialog.set({ name: "copyTable", table: tableOf(route)! }) },
  { id: "emptyTable", title: "Empty the table…", icon: Trash2, keys: "", enabled: writableTable, run: ({ route }) => dialog.set({ name: "emptyTable", table: tableOf(route)! }) },
  { id: "deleteTable", title: "Delete the table…", icon: Trash2, keys: "", enabled: writableTable, run: ({ route }) => dialog.set({ name: "deleteTable", table: tableOf(route)! }) },
  {
    id: "theme",
    title: "Change the theme",
    icon: SunMoon,
    keys: "alt+t",
    enabled: always,
    run: () => settings.set({ ...settings.get(), theme: nextTheme(settings.get().theme) }),
  },
  {
    id: "readOnly",
    title: "Read-only mode on or off",
    icon: Lock,
    keys: "alt+o",
    enabled: always,
    run: () => settings.set({ ...settings.get(), readOnly: !settings.get().readOnly }),
  },
  { id: "signIn", title: "Sign in with an access key…", icon: KeyRound, keys: "", enabled: always, run: () => dialog.set({ name: "signIn" }) },
  { id: "shortcuts", title: "Keyboard shortcuts", icon: CircleHelp, keys: "?", enabled: always, run: () => dialog.set({ name: "shortcuts" }) },
];

export function actionOf(id: string): Action {
  const found = actions.find((action) => action.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

export function keysShown(keys: string): string {
  const names: Record<string, string> = isMac ? { mod: "⌘", alt: "⌥" } : { mod: "Ctrl", alt: "Alt" };
  return keys.split("+").map((key) => names[key] ?? key.toUpperCase()).join(isMac ? "" : "+");
}

// Whether the event is the keys of an action. `code` stands in where Alt makes another character.
export function isPressed(keys: string, event: KeyboardEvent): boolean {
  if (keys === "") return false;
  const parts = keys.split("+");
  const key = parts.at(-1)!;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  if (mod !== parts.includes("mod") || event.altKey !== parts.includes("alt")) return false;
  if (parts.includes("alt")) return event.code === `Key${key.toUpperCase()}` || event.code === `Digit${key}`;
  return event.key.toLowerCase() === key;
}
