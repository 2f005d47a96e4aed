// The place in a table is kept with the entry of the browser's history that it belongs to: Back finds it, a new visit does not.

import { useLocation } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Place } from "#grid/grid-types.ts";

const prefix = "cairn:place:";
/** Of the entries that were left last. */
const most = 50;

export function usePlaceInHistory(): { place: Place | undefined; onLeave: (place: Place) => void } {
  const key = useLocation({ select: ({ state }) => state.__TSR_key }) ?? "";
  const place = useMemo(() => (key === "" ? undefined : readPlace(key)), [key]);
  const onLeave = useCallback((left: Place) => key !== "" && keepPlace(key, left), [key]);
  return { place, onLeave };
}

function readPlace(key: string): Place | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(prefix + key) ?? "null") as Place | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepPlace(key: string, place: Place): void {
  try {
    const kept = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
    for (const name of kept.slice(0, Math.max(0, kept.length - most))) sessionStorage.removeItem(name);
    sessionStorage.setItem(prefix + key, JSON.stringify(place));
  } catch {
    // Without storage Back begins at the top.
  }
}
