// The menu entries that move an entry of an ordered list.

import { ArrowDownToLine, ArrowUpToLine, type LucideIcon, MoveDown, MoveUp } from "lucide-react";
import type { ui } from "#words/en/ui.ts";
import type { MenuAction } from "./Menu.tsx";
import { type Move, placeAfter } from "./order.ts";

const icons: Record<Move, LucideIcon> = {
  top: ArrowUpToLine,
  up: MoveUp,
  down: MoveDown,
  bottom: ArrowDownToLine,
};
const shortcuts: Partial<Record<Move, string>> = { up: "Alt+ArrowUp", down: "Alt+ArrowDown" };

/** `words`: those of `uiWords`. What leads nowhere is there and disabled, so that the others keep their places. */
export function moveActions(
  words: Pick<typeof ui, "moves">,
  at: number,
  count: number,
  onMove: (from: number, to: number) => void,
): MenuAction[] {
  return (Object.keys(icons) as Move[]).map((move) => {
    const to = placeAfter(move, at, count);
    return {
      ...{ id: `move ${move}`, label: words.moves[move], icon: icons[move] },
      ...(shortcuts[move] && { shortcut: shortcuts[move] }),
      ...{ isDisabled: to === at, onAction: () => onMove(at, to) },
    };
  });
}
