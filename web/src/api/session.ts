// SPDX-License-Identifier: Apache-2.0
// Who the page signs as, where the server checks signatures. Kept by the browser between visits as a
// key that cannot be read back; forgotten on request.
import { createStore } from "../core/store";
import type { Credential } from "./sigv4";

export type Session = { state: "open"; credential: Credential | null } | { state: "locked"; message: string };

export const session = createStore<Session>({ state: "open", credential: null });

export function lock(message: string): void {
  session.set({ state: "locked", message });
}

export async function signIn(credential: Credential, remember: boolean): Promise<void> {
  await inStore("readwrite", (store) => (remember ? store.put(credential, "credential") : store.delete("credential")));
  session.set({ state: "open", credential });
}

export async function signOut(): Promise<void> {
  await inStore("readwrite", (store) => store.delete("credential"));
  session.set({ state: "open", credential: null });
}

export async function restoreSession(): Promise<void> {
  const credential = (await inStore("readonly", (store) => store.get("credential"))) as Credential | undefined;
  if (credential) session.set({ state: "open", credential });
}

// A browser without its database (a private window, say) works, and forgets.
async function inStore(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve) => {
    const opening = indexedDB.open("keywright", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("session");
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const request = use(opening.result.transaction("session", mode).objectStore("session"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    };
  });
}
