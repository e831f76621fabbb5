// SPDX-License-Identifier: Apache-2.0
import { Combobox, ComboboxGroup, ComboboxGroupLabel, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from "@ariakit/react";
import { useQueryClient } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useState } from "react";
import { actions, keysShown } from "../../actions/index";
import { dialog, settings } from "../../actions/state";
import { useTables } from "../../api/tables";
import { itemsOf } from "../../core/route";
import { navigate, useRoute } from "../../ui/navigation";
import { useStore } from "../../ui/use_store";

const shownMax = 50;

// Every word must be somewhere in the title.
function matches(title: string, words: string[]): boolean {
  const lower = title.toLowerCase();
  return words.every((word) => lower.includes(word));
}

export function Palette() {
  const [text, setText] = useState("");
  const client = useQueryClient();
  const state = { route: useRoute(), settings: useStore(settings), client };
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const tables = (useTables().data ?? []).filter((name) => matches(name, words)).slice(0, shownMax);
  const commands = actions.filter((action) => action.id !== "palette" && action.enabled(state) && matches(action.title, words));
  const close = () => dialog.set(null);
  const pick = (run: () => void) => () => {
    close();
    run();
  };
  return (
    <Dialog open onClose={close} className="dialog palette" aria-label="Search" backdrop={<div className="backdrop" />}>
      <ComboboxProvider open focusLoop setValue={setText} setOpen={(open) => !open && close()}>
        <Combobox autoSelect placeholder="Search tables and commands" aria-label="Search tables and commands" />
        <ComboboxList className="palette-list" alwaysVisible>
          {tables.length > 0 && (
            <ComboboxGroup>
              <ComboboxGroupLabel className="palette-group">Tables</ComboboxGroupLabel>
              {tables.map((name) => (
                <ComboboxItem key={name} className="palette-item" onClick={pick(() => navigate(itemsOf(name)))}>
                  <Table2 className="icon" aria-hidden />
                  <span className="grow">{name}</span>
                </ComboboxItem>
              ))}
            </ComboboxGroup>
          )}
          {commands.length > 0 && (
            <ComboboxGroup>
              <ComboboxGroupLabel className="palette-group">Commands</ComboboxGroupLabel>
              {commands.map((action) => (
                <ComboboxItem key={action.id} className="palette-item" onClick={pick(() => action.run(state))}>
                  <action.icon className="icon" aria-hidden />
                  <span className="grow">{action.title}</span>
                  {action.keys !== "" && <kbd>{keysShown(action.keys)}</kbd>}
                </ComboboxItem>
              ))}
            </ComboboxGroup>
          )}
          {tables.length + commands.length === 0 && <p className="palette-group">Nothing has these words.</p>}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  );
}
