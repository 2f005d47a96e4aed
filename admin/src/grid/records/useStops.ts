// One stop of the Tab key for a whole grid. Arrow keys go from control to control of a row, and from row to row. A row without
// controls is a stop itself. Elements get their `tabindex` here, so that cells may hold any links, buttons and switches.

import { type KeyboardEvent, type RefObject, useLayoutEffect } from "react";

const controls = "a[href], button:not(:disabled), input:not(:disabled), select, textarea";

/** Returns what the grid does on a key; rows are marked by `data-row`. */
export function useStops(grid: RefObject<HTMLElement | null>): (event: KeyboardEvent) => void {
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    let place = { row: -1, at: 0 };
    const settle = () => {
      const rows = stopsOf(element);
      const held = rows.flat().find((stop) => stop.matches(":focus"));
      // The row under the focus is gone: the focus stays at its place.
      const isLost = place.row >= 0 && !held && document.activeElement === document.body;
      const stop = held ?? nearest(rows, place) ?? firstOf(rows, element);
      for (const each of rows.flat()) each.tabIndex = each === stop ? 0 : -1;
      if (isLost) stop?.focus();
    };
    const note = (event: FocusEvent) => {
      const rows = stopsOf(element);
      const row = rows.findIndex((stops) => stops.includes(event.target as HTMLElement));
      if (row < 0) return;
      place = { row, at: rows[row]?.indexOf(event.target as HTMLElement) ?? 0 };
      settle();
    };
    const leave = (event: FocusEvent) => {
      // Without a next element the focus is lost to a row that goes, or to a layer above: `settle` sees which.
      if (event.relatedTarget && !element.contains(event.relatedTarget as Node)) place = { row: -1, at: 0 };
    };
    settle();
    const watch = new MutationObserver(settle);
    watch.observe(element, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    element.addEventListener("focusin", note);
    element.addEventListener("focusout", leave);
    return () => {
      watch.disconnect();
      element.removeEventListener("focusin", note);
      element.removeEventListener("focusout", leave);
    };
  }, [grid]);
  return press;
}

function press(event: KeyboardEvent): void {
  const rows = stopsOf(event.currentTarget as HTMLElement);
  const target = event.target as HTMLElement;
  const row = rows.findIndex((stops) => stops.includes(target));
  if (row < 0 || event.altKey || event.metaKey) return;
  const at = rows[row]?.indexOf(target) ?? 0;
  const next = nextStop(rows, row, at, event);
  if (!next || (isTyped(target) && event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  event.preventDefault();
  next.focus();
}

function nextStop(rows: HTMLElement[][], row: number, at: number, { key, ctrlKey }: KeyboardEvent) {
  const inRow = rows[row] ?? [];
  const isReversed = getComputedStyle(document.documentElement).direction === "rtl";
  const step = isReversed ? -1 : 1;
  const inRowAt = (place: number, stops = inRow) => stops[Math.min(place, stops.length - 1)];
  switch (key) {
    case "ArrowDown":
      return inRowAt(at, rows[row + 1] ?? []);
    case "ArrowUp":
      return inRowAt(at, rows[row - 1] ?? []);
    case "ArrowRight":
      return inRow[at + step];
    case "ArrowLeft":
      return inRow[at - step];
    case "Home":
      return ctrlKey ? rows[0]?.[0] : inRow[0];
    case "End":
      return ctrlKey ? rows.at(-1)?.at(0) : inRow.at(-1);
    default:
      return undefined;
  }
}

/** The controls of each row that is shown; a row without any stands for itself. */
function stopsOf(grid: HTMLElement): HTMLElement[][] {
  return [...grid.querySelectorAll<HTMLElement>("[data-row]")]
    .filter((row) => row.offsetParent !== null)
    .map((row) => {
      const found = [...row.querySelectorAll<HTMLElement>(controls)];
      return found.length > 0 || row.dataset.row === "head" ? found : [row];
    })
    .filter((stops) => stops.length > 0);
}

function nearest(rows: HTMLElement[][], place: { row: number; at: number }): HTMLElement | undefined {
  if (place.row < 0) return undefined;
  const stops = rows[Math.min(place.row, rows.length - 1)];
  return stops?.[Math.min(place.at, stops.length - 1)];
}

/** Rather a row than a head. */
function firstOf(rows: HTMLElement[][], grid: HTMLElement): HTMLElement | undefined {
  const inBody = rows.find(([stop]) => stop && grid.querySelector("tbody")?.contains(stop));
  return inBody?.[0] ?? rows[0]?.[0];
}

function isTyped(element: HTMLElement): boolean {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(element.type);
}
