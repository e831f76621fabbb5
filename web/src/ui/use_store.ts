// SPDX-License-Identifier: Apache-2.0
import { useSyncExternalStore } from "react";
import type { Store } from "../core/store";

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
