// Listeners to commits that touch a scope. A listener never delays or fails the writer.

import type { VersionScope } from "./port.ts";

export interface Watchers {
  add(scope: VersionScope, listener: () => void): () => void;
  notify(scope: VersionScope): void;
  notifyAll(): void;
}

export function createWatchers(): Watchers {
  const listeners = new Map<VersionScope, Set<() => void>>();
  const notify = (scope: VersionScope) => {
    for (const listener of listeners.get(scope) ?? []) setImmediate(listener);
  };
  return {
    add(scope, listener) {
      const all = listeners.get(scope) ?? new Set();
      listeners.set(scope, all.add(listener));
      return () => all.delete(listener);
    },
    notify,
    notifyAll() {
      for (const scope of listeners.keys()) notify(scope);
    },
  };
}
