// What the menu of a column offers.

import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, EyeOff, UnfoldHorizontal } from "lucide-react";
import type { MenuEntry } from "#ui/Menu.tsx";
import type { grid } from "#words/en/grid.ts";
import { leastWidth } from "./columns.ts";
import type { GridProps } from "./grid-types.ts";

const step = 40;

interface HeadMenu<R> {
  at: number;
  grid: Pick<GridProps<R>, "columns" | "onSortBy" | "onWidth" | "onHideColumn">;
  words: typeof grid;
  onMove: (from: number, to: number) => void;
}

export function headMenu<R>({
  at,
  grid: { columns, onSortBy, onWidth, onHideColumn },
  words,
  onMove,
}: HeadMenu<R>): MenuEntry[] {
  const column = columns[at];
  if (!column) return [];
  const { id, width } = column;
  return [
    ...(column.isSortable && onSortBy
      ? [
          { id: "ascending", label: words.sortAscending, icon: ArrowUp, onAction: () => onSortBy(id, false) },
          { id: "descending", label: words.sortDescending, icon: ArrowDown, onAction: () => onSortBy(id, true) },
        ]
      : []),
    { id: "back", label: words.moveBack, icon: ArrowLeft, isDisabled: at === 0, onAction: () => onMove(at, at - 1) },
    {
      id: "on",
      label: words.moveOn,
      icon: ArrowRight,
      isDisabled: at === columns.length - 1,
      onAction: () => onMove(at, at + 1),
    },
    ...(onWidth
      ? [
          { id: "wider", label: words.wider, icon: UnfoldHorizontal, onAction: () => onWidth(id, width + step) },
          {
            id: "narrower",
            label: words.narrower,
            icon: UnfoldHorizontal,
            isDisabled: width <= leastWidth,
            onAction: () => onWidth(id, Math.max(leastWidth, width - step)),
          },
        ]
      : []),
    ...(onHideColumn && columns.length > 1
      ? [{ id: "hide", label: words.hideColumn, icon: EyeOff, onAction: () => onHideColumn(id) }]
      : []),
  ];
}
