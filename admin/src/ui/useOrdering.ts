// Puts the entries of a list into another order: drag a handle, or Alt with the arrow keys. `moves.ts` has the menu.
//
//   const order = useOrdering({ count, direction: "column", onMove: (from, to) => setList(moved(list, from, to)) });
//   <li {...order.entry(at)}> <span {...order.handle(at)} className={css.grip} /> … </li>
//
// The entry that is dragged has `data-dragged`; beside the gap an entry has `data-drop="before"` or `"after"` (see
// ordering.module.css). The focus stays on what had it, also when its entry moves.

import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Direction, gapAt, placeInGap } from "./order.ts";

interface Options {
  count: number;
  direction: Direction;
  /** `levels`: how far it was dragged aside, in steps; 0 without `step`, and by keys. */
  onMove: (from: number, to: number, levels: number) => void;
  /** For a tree: the width of a level, in pixels. Then an entry may also be dragged in and out where it stands. */
  step?: number;
  isDisabled?: boolean;
}

interface Drag {
  from: number;
  /** Before which entry it would be dropped. */
  gap: number;
  levels: number;
}

export interface Ordering {
  /** For the element of an entry; it holds all of it, and the keys are heard there. */
  entry: (at: number) => {
    ref: (element: HTMLElement | null) => void;
    onKeyDown: (event: KeyboardEvent) => void;
    "data-dragged": true | undefined;
    "data-drop": "before" | "after" | undefined;
  };
  /** For what the entry is dragged by. */
  handle: (at: number) => { onPointerDown: (event: ReactPointerEvent) => void; style: { touchAction: "none" } };
  isDragging: boolean;
}

const back = new Set(["ArrowUp", "ArrowLeft"]);
const forward = new Set(["ArrowDown", "ArrowRight"]);
/** A press that moves less is a click, in pixels. */
const least = 4;

export function useOrdering({ count, direction, onMove, step, isDisabled = false }: Options): Ordering {
  const elements = useRef(new Map<number, HTMLElement>());
  const [drag, setDrag] = useState<Drag>();
  const end = useRef<() => void>(undefined);
  const focused = useRef<HTMLElement | undefined>(undefined);

  useEffect(() => () => end.current?.(), []);
  // An element that is put elsewhere in the page loses the focus.
  useLayoutEffect(() => {
    const element = focused.current;
    focused.current = undefined;
    if (element?.isConnected && document.activeElement !== element) element.focus();
  });

  const move = (from: number, to: number, levels = 0) => {
    if ((to === from && levels === 0) || to < 0 || to >= count) return;
    if (document.activeElement instanceof HTMLElement) focused.current = document.activeElement;
    onMove(from, to, levels);
  };

  const start = (from: number, event: ReactPointerEvent) => {
    if (isDisabled || event.button !== 0) return;
    const begin = { x: event.clientX, y: event.clientY };
    let gap: number | undefined;
    let levels = 0;
    const boxes = () =>
      Array.from({ length: count }, (_, at) => elements.current.get(at)?.getBoundingClientRect()).filter(
        (box) => box !== undefined,
      );
    const onPointerMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      if (gap === undefined && Math.hypot(x - begin.x, y - begin.y) < least) return;
      gap = gapAt(boxes(), { x, y }, direction);
      levels = step ? Math.trunc((x - begin.x) / step) : 0;
      setDrag({ from, gap, levels });
    };
    const finish = () => {
      removeEventListener("pointermove", onPointerMove);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", finish);
      removeEventListener("keydown", onKey, { capture: true });
      end.current = undefined;
      setDrag(undefined);
    };
    const drop = () => {
      finish();
      if (gap !== undefined) move(from, placeInGap(from, gap), levels);
    };
    const onKey = (pressed: globalThis.KeyboardEvent) => {
      if (pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopPropagation();
      finish();
    };
    addEventListener("pointermove", onPointerMove);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", finish);
    addEventListener("keydown", onKey, { capture: true });
    end.current = finish;
    // No text is selected on the way.
    event.preventDefault();
  };

  const dropAt = (at: number): "before" | "after" | undefined => {
    if (!drag || (placeInGap(drag.from, drag.gap) === drag.from && drag.levels === 0)) return undefined;
    if (drag.gap === at) return "before";
    return drag.gap === count && at === count - 1 ? "after" : undefined;
  };

  return {
    entry: (at) => ({
      ref: (element) => {
        if (element) elements.current.set(at, element);
        else elements.current.delete(at);
      },
      onKeyDown: (event) => {
        const step = back.has(event.key) ? -1 : forward.has(event.key) ? 1 : 0;
        if (!event.altKey || step === 0 || isDisabled) return;
        event.preventDefault();
        event.stopPropagation();
        move(at, at + step);
      },
      "data-dragged": drag?.from === at || undefined,
      "data-drop": dropAt(at),
    }),
    handle: (at) => ({ onPointerDown: (event) => start(at, event), style: { touchAction: "none" } }),
    isDragging: drag !== undefined,
  };
}
