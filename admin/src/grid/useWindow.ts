// The rows that are drawn of a long list: those in view, some beside them, and the one that has the focus, so that it is
// never lost. A list that is higher than an element can be is scrolled in larger steps.

import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  type Range as Seen,
  useVirtualizer,
  type VirtualItem,
} from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { type Range, scaleOf } from "./windows.ts";

const beside = 5;

export interface WindowOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Height of each row. */
  size: number;
  /** Of what sticks to the top. */
  headHeight?: number;
  /** Drawn wherever it is. */
  kept: number | undefined;
  /** Where it begins, in pixels of the list. */
  initialOffset?: number;
  onRange: (range: Range) => void;
}

export interface Window {
  items: VirtualItem[];
  /** Of the element that scrolls. */
  height: number;
  /**
   * The room before the first row that is drawn; the others follow it. A place of its own for each row would give each a style
   * of its own, which costs the browser ten times as much.
   */
  start: number;
  scrollTo: (index: number) => void;
  /** To this place, in pixels of the list. */
  jump: (offset: number) => void;
  offset: () => number;
  /** Rows that are seen at once. */
  page: number;
}

export function useWindow(options: WindowOptions): Window {
  const { scroller, count, size, headHeight = 0, kept, initialOffset = 0, onRange } = options;
  const [view, setView] = useState(600);
  const { height, ratio } = scaleOf(count * size, view);
  const latest = useRef({ ratio });
  latest.current.ratio = ratio;

  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(() => size, [size]),
    overscan: beside,
    initialOffset,
    scrollPaddingEnd: headHeight,
    observeElementOffset: (instance, report) =>
      observeElementOffset(instance, (offset, isScrolling) => report(offset * latest.current.ratio, isScrolling)),
    scrollToFn: (offset, how, instance) => elementScroll(offset / latest.current.ratio, how, instance),
    rangeExtractor: useCallback(
      (seen: Seen) => {
        const drawn = defaultRangeExtractor(seen);
        if (kept === undefined || kept >= count || drawn.includes(kept)) return drawn;
        return kept < (drawn[0] ?? 0) ? [kept, ...drawn] : [...drawn, kept];
      },
      [kept, count],
    ),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of rows moves all of them
  useEffect(() => virtualizer.measure(), [size]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setView(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  const first = virtualizer.range?.startIndex ?? Math.floor(initialOffset / size);
  const last = virtualizer.range?.endIndex ?? first + Math.ceil(view / size);
  const report = useRef(onRange);
  useEffect(() => {
    report.current = onRange;
  });
  useEffect(() => report.current({ first, last }), [first, last]);

  const offset = () => virtualizer.scrollOffset ?? initialOffset;
  const items = virtualizer.getVirtualItems();
  const [one, two] = items;
  // The kept row stands before the others as if it were the next one; nobody sees it there.
  const isApart = two !== undefined && two.index !== (one?.index ?? 0) + 1;
  const top = (isApart ? two.start - size : one?.start) ?? 0;
  return {
    items,
    height,
    start: ratio === 1 ? top : Math.max(0, top - offset() * (1 - 1 / ratio)),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
    jump: (to) => virtualizer.scrollToOffset(to),
    offset,
    page: Math.max(1, Math.floor((view - headHeight) / size) - 1),
  };
}
