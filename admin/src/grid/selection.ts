// Which objects are selected: single ones by their ids, or all that match. Pure.

export interface Selection {
  ids: ReadonlySet<string>;
  /** All that match, also those that were never loaded; `ids` is empty then. */
  isAll: boolean;
  /** Where a range begins: the row that was chosen last without Shift. */
  anchor: number | undefined;
}

export const nothingSelected: Selection = { ids: new Set(), isAll: false, anchor: undefined };

export function isSelected({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id);
}

export function countSelected({ ids, isAll }: Selection, total: number): number {
  return isAll ? total : ids.size;
}

/** `loaded` gives the ids that are known while "all" turns into single ones. */
export function toggle(selection: Selection, row: number, id: string, loaded: () => Iterable<string>): Selection {
  const ids = new Set(selection.isAll ? loaded() : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, isAll: false, anchor: row };
}

/** From the anchor to this row; rows that are not loaded have no id and are left out. */
export function extend(selection: Selection, row: number, idAt: (row: number) => string | undefined): Selection {
  const anchor = selection.anchor ?? row;
  const ids = new Set(selection.isAll ? [] : selection.ids);
  const [from, to] = anchor < row ? [anchor, row] : [row, anchor];
  for (let at = from; at <= to; at += 1) {
    const id = idAt(at);
    if (id !== undefined) ids.add(id);
  }
  return { ids, isAll: false, anchor };
}

/** A range by keyboard gives rows back when it shrinks: what lies between the last row and this one is taken out. */
export function extendBy(
  selection: Selection,
  { from, to }: { from: number; to: number },
  idAt: (row: number) => string | undefined,
): Selection {
  const anchor = selection.anchor ?? from;
  const isShrinking = Math.abs(to - anchor) < Math.abs(from - anchor);
  const ids = new Set(selection.ids);
  const id = isShrinking ? idAt(from) : undefined;
  if (id !== undefined) ids.delete(id);
  return extend({ ids, isAll: false, anchor }, to, idAt);
}

export function selectLoaded(ids: Iterable<string>): Selection {
  return { ids: new Set(ids), isAll: false, anchor: undefined };
}

export function selectAll(): Selection {
  return { ids: new Set(), isAll: true, anchor: undefined };
}

/** Without objects that are gone. */
export function without(selection: Selection, gone: Iterable<string>): Selection {
  const ids = new Set(selection.ids);
  for (const id of gone) ids.delete(id);
  return { ...selection, ids };
}
