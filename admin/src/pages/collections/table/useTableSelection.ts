// What is selected in a table, and what was changed there since the list was asked for.

import { useCallback, useState } from "react";
import { countSelected, nothingSelected, type Selection } from "#grid/selection.ts";
import type { Rows } from "#grid/useRows.ts";

export interface TableSelection {
  selection: Selection;
  setSelection: (selection: Selection) => void;
  count: number;
  loadedIds: () => string[];
  /** Ids of objects that were changed here. */
  changed: ReadonlySet<string>;
  markChanged: (ids: Iterable<string>) => void;
  /** The question before all of them are deleted is open. */
  isDeleting: boolean;
  askDelete: () => void;
  endDelete: () => void;
}

/** `asked`: search and filters; others have nothing to do with what was selected before. */
export function useTableSelection(asked: string, rows: Rows): TableSelection {
  const [held, setHeld] = useState({ asked, selection: nothingSelected, changed: new Set<string>() });
  const [isDeleting, setIsDeleting] = useState(false);
  const now = held.asked === asked ? held : { asked, selection: nothingSelected, changed: new Set<string>() };
  if (now !== held) setHeld(now);
  const { selection, changed } = now;
  const setSelection = useCallback((next: Selection) => setHeld((before) => ({ ...before, selection: next })), []);
  const { loaded } = rows;
  const loadedIds = useCallback(() => loaded().map(({ id }) => id), [loaded]);
  return {
    selection,
    setSelection,
    count: countSelected(selection, rows.total ?? 0),
    loadedIds,
    changed,
    markChanged: (ids) => setHeld((before) => ({ ...before, changed: new Set([...before.changed, ...ids]) })),
    isDeleting,
    askDelete: () => setIsDeleting(true),
    endDelete: () => setIsDeleting(false),
  };
}
