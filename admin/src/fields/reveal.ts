// Leads to a field that something hides: an item of a deck, a tab of a language. What hides fields listens for their paths.

import { useEffect, useRef } from "react";

interface Listener {
  path: string;
  /** Answers whether it shows the field; from then on the focus is its business. */
  show: (rest: string) => boolean;
}

const listeners = new Set<Listener>();

/** `show` gets what follows the path: of `deck.item-1.title`, in the field `deck`, that is `item-1.title`. */
export function useReveal(path: string, show: (rest: string) => boolean): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const listener: Listener = { path, show: (rest) => latest.current(rest) };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [path]);
}

/** Answers whether the field is shown by now. */
export function reveal(path: string): boolean {
  // The innermost first: what it lies in is open already.
  const hiding = [...listeners]
    .filter((listener) => path.startsWith(`${listener.path}.`))
    .sort((a, b) => b.path.length - a.path.length);
  return hiding.some((listener) => listener.show(path.slice(listener.path.length + 1)));
}
