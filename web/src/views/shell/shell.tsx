// SPDX-License-Identifier: Apache-2.0
// The frame around every screen: tables at the left, the screen, what floats above both.
import { useQueryClient } from "@tanstack/react-query";
import { Compass, Menu } from "lucide-react";
import { Suspense, lazy, useEffect } from "react";
import { actions, isPressed } from "../../actions/index";
import { dialog, settings, sidebarOpen } from "../../actions/state";
import mark from "../../mark.svg";
import { Link, currentRoute, useRoute } from "../../ui/navigation";
import { Loading, State } from "../../ui/state";
import { useStore } from "../../ui/use_store";
import { Home } from "../home/home";
import { ItemsView } from "../items/items_view";
import { Dialogs } from "./dialogs";
import { Notices } from "./notices";
import { Sidebar } from "./sidebar";

const PartiqlView = lazy(() => import("../partiql/partiql_view").then((m) => ({ default: m.PartiqlView })));
const DesignView = lazy(() => import("../design/design_view").then((m) => ({ default: m.DesignView })));
const ItemSizeView = lazy(() => import("../calculators/item_size_view").then((m) => ({ default: m.ItemSizeView })));
const PriceView = lazy(() => import("../calculators/price_view").then((m) => ({ default: m.PriceView })));
const SchemaView = lazy(() => import("../schema/schema_view").then((m) => ({ default: m.SchemaView })));

export function Shell() {
  const open = useStore(sidebarOpen);
  useShortcuts();
  return (
    <div className="shell">
      <header className="topbar">
        <button className="button quiet only-icon" aria-label="Tables" aria-expanded={open} onClick={() => sidebarOpen.set(!open)}>
          <Menu className="icon" aria-hidden />
        </button>
        <Link to={{ screen: "home" }} className="brand">
          <img src={mark} alt="" /> Keywright
        </Link>
        <button className="button quiet" onClick={() => dialog.set({ name: "palette" })}>
          Search
        </button>
      </header>
      {open && <button className="scrim" aria-label="Close the list of tables" onClick={() => sidebarOpen.set(false)} />}
      <Sidebar open={open} />
      <main className="main" id="main">
        <Suspense fallback={<Loading what="the screen" />}>
          <Screen />
        </Suspense>
      </main>
      <Dialogs />
      <Notices />
    </div>
  );
}

function Screen() {
  const route = useRoute();
  useEffect(() => {
    document.title = route.screen === "items" || route.screen === "schema" ? `${route.table} · Keywright` : "Keywright";
    sidebarOpen.set(false);
  }, [route]);
  switch (route.screen) {
    case "home":
      return <Home />;
    case "items":
      return <ItemsView key={route.table} route={route} />;
    case "schema":
      return <SchemaView key={route.table} table={route.table} />;
    case "partiql":
      return <PartiqlView statement={route.statement} />;
    case "design":
      return <DesignView document={route.document} />;
    case "itemSize":
      return <ItemSizeView />;
    case "price":
      return <PriceView />;
    case "unknown":
      return (
        <State icon={Compass} title="There is no such screen">
          <p>
            <code>{route.path}</code> leads nowhere. <Link to={{ screen: "home" }}>Go to the overview</Link>
          </p>
        </State>
      );
  }
}

function useShortcuts(): void {
  const client = useQueryClient();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]") !== null;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.defaultPrevented || (typing && plain) || (dialog.get() !== null && dialog.get()?.name !== "palette")) return;
      const state = { route: currentRoute(), settings: settings.get(), client };
      const action = actions.find((each) => isPressed(each.keys, event) && each.enabled(state));
      if (!action) return;
      event.preventDefault();
      action.run(state);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [client]);
}
