// The place in a table is kept with the entry of the browser's history that it belongs to: Back finds it, a new visit does not.

import { useLocation } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Place } from "#grid/grid-types.ts";

const prefix = "cairn:place:";
/** Of the entries that were left last. */
const most = 50;

export function usePlaceInHistory(): { place: Place | undefined; onLeave: (place: Place) => void } {
  const [place] = useState(() => readPlace(currentKey()));
  // While the next page is fetched the browser stands at its entry already.
  const key = useRef("");
  const [path] = useState(() => location.pathname);
  useEffect(() => {
    if (location.pathname === path) key.current = currentKey();
  });
  const onLeave = useCallback((left: Place) => keepPlace(key.current, left), []);
  // Each change of the address may be another entry.
  useLocation();
  return { place, onLeave };
}

/** The router's name for the entry; its own copy of it is another one after the first load. */
function currentKey(): string {
  return (history.state as { __TSR_key?: string } | null)?.__TSR_key ?? "";
}

function readPlace(key: string): Place | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(prefix + key) ?? "null") as Place | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepPlace(key: string, place: Place): void {
  if (key === "") return;
  try {
    const kept = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
    for (const name of kept.slice(0, Math.max(0, kept.length - most))) sessionStorage.removeItem(name);
    sessionStorage.setItem(prefix + key, JSON.stringify(place));
  } catch {
    // Without storage Back begins at the top.
  }
}
