// SPDX-License-Identifier: Apache-2.0
// What the page itself decides: theme, read-only, which dialog is open, notices, staged edits.
import type { Edit, Staged } from "../core/staging";
import { createStore } from "../core/store";

export type Theme = "system" | "light" | "dark";
export interface Settings {
  theme: Theme;
  readOnly: boolean;
}

const settingsKey = "keywright.settings";
function storedSettings(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(settingsKey) ?? "{}") as Partial<Settings>;
    const theme = stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system";
    return { theme, readOnly: stored.readOnly === true };
  } catch {
    return { theme: "system", readOnly: false };
  }
}

export const settings = createStore<Settings>(storedSettings());
const applyTheme = () => {
  const { theme } = settings.get();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};
applyTheme();
settings.subscribe(() => {
  applyTheme();
  try {
    localStorage.setItem(settingsKey, JSON.stringify(settings.get()));
  } catch {
    // Kept for this visit only.
  }
});

export type DialogState =
  | { name: "palette" }
  | { name: "shortcuts" }
  | { name: "createTable" }
  | { name: "deleteTable"; table: string }
  | { name: "emptyTable"; table: string }
  | { name: "import"; table: string }
  | { name: "export"; table: string }
  | { name: "copyTable"; table: string }
  | { name: "review" }
  | { name: "signIn" };
export const dialog = createStore<DialogState | null>(null);
export const sidebarOpen = createStore(false);

export interface Notice {
  id: number;
  text: string;
  bad: boolean;
  action: { title: string; run: () => void } | null;
}
export const notices = createStore<Notice[]>([]);
let noticesMade = 0;

export function notify(text: string, options: { bad?: boolean; action?: Notice["action"] } = {}): void {
  const notice: Notice = { id: ++noticesMade, text, bad: options.bad ?? false, action: options.action ?? null };
  notices.set([...notices.get().slice(-3), notice]);
  if (!notice.bad) setTimeout(() => dismiss(notice.id), notice.action ? 15_000 : 5_000);
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

export const staged = createStore<Staged[]>([]);
// What is staged lives in this page: leaving it asks first.
globalThis.addEventListener?.("beforeunload", (event) => {
  if (staged.get().length > 0) event.preventDefault();
});

// What was committed since the page was opened, for undoing the last of it first.
export const committed = createStore<{ table: string; edits: readonly Edit[] }[]>([]);

export function stage(table: string, id: string, edit: Edit): void {
  const others = staged.get().filter((each) => each.table !== table || each.id !== id);
  staged.set([...others, { table, id, edit }]);
}

export function unstage(table: string, id: string): void {
  staged.set(staged.get().filter((each) => each.table !== table || each.id !== id));
}
