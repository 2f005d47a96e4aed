// A value that components far from each other share: the last one set is shown by all.

import { useSyncExternalStore } from "react";

export interface SharedValue<T> {
  get(): T;
  set(value: T): void;
  /** Follows the value in a component. */
  use(): T;
}

export function sharedValue<T>(initial: T): SharedValue<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
