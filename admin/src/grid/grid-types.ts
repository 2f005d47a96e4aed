// What the grid, its heads and its rows share.

import type { ReactNode } from "react";
import type { MenuEntry } from "#ui/Menu.tsx";
import type { SortKey } from "./address.ts";
import type { Selection } from "./selection.ts";
import type { Range } from "./windows.ts";

export interface GridColumn<R> {
  id: string;
  label: string;
  /** In pixels. */
  width: number;
  /** Takes the space that is left. */
  isFlexible?: boolean;
  isSortable?: boolean;
  /** Stands at the end of its cell. */
  isNumeric?: boolean;
  /** Named to screen readers alone: what it shows is plain. */
  isLabelHidden?: boolean;
  /** `titleId` belongs to the element that names the row, in the title's cell. */
  render: (row: R, titleId: string) => ReactNode;
}

/** Where somebody was in a table: kept with its entry in the browser's history. */
export interface Place {
  /** In pixels of the list. */
  offset: number;
  row: number;
}

export interface SelectionProps {
  selection: Selection;
  onSelection: (selection: Selection) => void;
}

export interface GridProps<R> {
  /** Names the grid. */
  label: string;
  /** Another one begins at the top. */
  question: string;
  columns: readonly GridColumn<R>[];
  /** Column that names the rows. */
  titleColumn: string;
  /** undefined: not known yet. */
  total: number | undefined;
  rowAt: (index: number) => R | undefined;
  idOf: (row: R) => string;
  nameOf: (row: R) => string;
  /** Rows that are shown while they are on their way out, or were changed since the list was asked for. */
  markOf?: (row: R) => "changed" | "gone" | undefined;
  isStale?: boolean;
  onRange: (range: Range) => void;
  onOpen: (row: R, isNewTab: boolean) => void;
  sort?: readonly SortKey[];
  onSort?: (property: string, isAdding: boolean) => void;
  onSortBy?: (property: string, isDescending: boolean) => void;
  /** Without it nothing can be selected. */
  selecting?: SelectionProps;
  /** Ids of all rows that are held. */
  loadedIds?: () => string[];
  actionsOf?: (row: R) => readonly MenuEntry[];
  onDelete?: () => void;
  onMoveColumn?: (from: number, to: number) => void;
  onWidth?: (column: string, width: number) => void;
  onHideColumn?: (column: string) => void;
  /** Where it begins, and where it was left. */
  place?: Place | undefined;
  onLeave?: (place: Place) => void;
}
