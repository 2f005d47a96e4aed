// Listeners to commits that touch a scope. A listener never delays or fails the writer.

import type { VersionScope } from "./port.ts";

export interface Watchers {
  add(scope: VersionScope, listener: () => void): () => void;
  notify(scope: VersionScope): void;
  notifyAll(): void;
  /** How many listen. */
  readonly size: number;
}

export function createWatchers(): Watchers {
  const listeners = new Map<VersionScope, Set<() => void>>();
  const notify = (scope: VersionScope) => {
    for (const listener of listeners.get(scope) ?? []) setImmediate(listener);
  };
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(scope, listener) {
      const all = listeners.get(scope) ?? new Set();
      if (!all.has(listener)) size += 1;
      listeners.set(scope, all.add(listener));
      return () => {
        if (all.delete(listener)) size -= 1;
      };
    },
    notify,
    notifyAll() {
      for (const scope of listeners.keys()) notify(scope);
    },
  };
}
