// The objects that the last bulk change left as they are, for the dialog that lists them.

import type { BulkFailure } from "@contract/admin.ts";
import { useSyncExternalStore } from "react";

let shown: readonly BulkFailure[] = [];
const listeners = new Set<() => void>();

export function showFailures(failures: readonly BulkFailure[]): void {
  shown = failures;
  for (const listener of listeners) listener();
}

export function useFailures(): readonly BulkFailure[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
