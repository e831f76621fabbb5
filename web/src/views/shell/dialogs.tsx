// SPDX-License-Identifier: Apache-2.0
// The one dialog that is open, and the demand for a key where the server wants signatures.
import { actions, keysShown } from "../../actions/index";
import { dialog } from "../../actions/state";
import { session } from "../../api/session";
import { Modal } from "../../ui/modal";
import { useStore } from "../../ui/use_store";
import { CopyTable } from "../tables/copy_table";
import { CreateTable } from "../tables/create_table";
import { DeleteTable, EmptyTable } from "../tables/delete_table";
import { ExportItems } from "../tables/export_items";
import { ImportItems } from "../tables/import_items";
import { Palette } from "./palette";
import { SignIn } from "./sign_in";

export function Dialogs() {
  const open = useStore(dialog);
  const signed = useStore(session);
  const close = () => dialog.set(null);
  if (signed.state === "locked") return <SignIn message={signed.message} close={null} />;
  switch (open?.name) {
    case undefined:
    case "review":
      return null;
    case "palette":
      return <Palette />;
    case "signIn":
      return <SignIn message={null} close={close} />;
    case "createTable":
      return <CreateTable close={close} />;
    case "deleteTable":
      return <DeleteTable table={open.table} close={close} />;
    case "emptyTable":
      return <EmptyTable table={open.table} close={close} />;
    case "copyTable":
      return <CopyTable table={open.table} close={close} />;
    case "import":
      return <ImportItems table={open.table} close={close} />;
    case "export":
      return <ExportItems table={open.table} close={close} />;
    case "shortcuts":
      return <Shortcuts close={close} />;
  }
}

const gridKeys: [string, string][] = [
  ["Move in the grid", "Arrows"],
  ["First, last row read", "Home, End"],
  ["Open the item", "Enter"],
  ["Copy the cell, or the item", "Ctrl+C"],
  ["Stage the item's deletion", "Delete"],
  ["Close the item", "Esc"],
];

function Shortcuts({ close }: { close: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" close={close}>
      <div className="shortcuts">
        {actions
          .filter((action) => action.keys !== "")
          .map((action) => [action.title, keysShown(action.keys)] as const)
          .concat(gridKeys)
          .map(([title, keys]) => (
            <div key={title} style={{ display: "contents" }}>
              <span>{title}</span>
              <kbd>{keys}</kbd>
            </div>
          ))}
      </div>
    </Modal>
  );
}
