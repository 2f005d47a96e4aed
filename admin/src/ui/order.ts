// Where an entry of an ordered list goes. Pure; `useOrdering.ts` adds pointer and keys, `moves.ts` the menu.

export type Move = "top" | "up" | "down" | "bottom";

/** A copy in which the entry at `from` stands at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  const taken = rest.splice(from, 1);
  rest.splice(to, 0, ...taken);
  return rest;
}

/** The place that an entry gets; its own where it cannot go further. */
export function placeAfter(move: Move, at: number, count: number): number {
  if (move === "top") return 0;
  if (move === "bottom") return count - 1;
  return move === "up" ? Math.max(0, at - 1) : Math.min(count - 1, at + 1);
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How the entries lie: beneath each other, beside each other, or in lines of several. */
export type Direction = "column" | "row" | "lines";

/** Before which entry a point lies: 0 to the number of boxes. */
export function gapAt(boxes: readonly Box[], { x, y }: { x: number; y: number }, direction: Direction): number {
  const isPast = ({ left, top, width, height }: Box): boolean => {
    if (direction === "column") return y > top + height / 2;
    if (direction === "row") return x > left + width / 2;
    return y > top + height || (y >= top && x > left + width / 2);
  };
  // Lists are read from the start: the entry counts as passed with all before it.
  return boxes.findLastIndex(isPast) + 1;
}

/** The place of an entry that is dropped into a gap: the gap after itself is its own place. */
export function placeInGap(from: number, gap: number): number {
  return gap > from ? gap - 1 : gap;
}
