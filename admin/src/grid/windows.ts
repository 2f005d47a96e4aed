// Which pages of a long result are held: those in view and one ahead; far ones are dropped. Pure.

export const pageSize = 100;

/** Browsers draw no element that is much higher than this. */
export const tallest = 15_000_000;

export interface Range {
  /** First row in view. */
  first: number;
  /** Last row in view. */
  last: number;
}

/** Pages in view, then the one that comes next in the direction of scrolling. An unknown total asks for the first in view alone. */
export function pagesFor(range: Range, total: number | undefined, isForward = true): number[] {
  if (total === undefined) return [Math.floor(range.first / pageSize)];
  // An empty result is asked for again when something was changed: a page without rows stays in use.
  if (total === 0) return [0];
  const lastPage = Math.floor((total - 1) / pageSize);
  const from = clamp(Math.floor(range.first / pageSize), 0, lastPage);
  const to = clamp(Math.floor(range.last / pageSize), from, lastPage);
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const ahead = isForward ? to + 1 : from - 1;
  if (ahead >= 0 && ahead <= lastPage) pages.push(ahead);
  return pages;
}

/** Of the pages that are held, those to drop: the farthest from what is needed, beyond `most`. */
export function pagesToDrop(held: readonly number[], needed: readonly number[], most: number): number[] {
  const distance = (page: number) => Math.min(...needed.map((one) => Math.abs(one - page)));
  const spare = held.filter((page) => !needed.includes(page)).sort((a, b) => distance(a) - distance(b));
  return spare.slice(Math.max(0, most - needed.length));
}

export interface Scale {
  /** Height of the element that scrolls. */
  height: number;
  /** Pixels of the result that one pixel of the element stands for. */
  ratio: number;
}

/** A result that is higher than an element can be is scrolled in larger steps. `view` is the height of what is seen of it. */
export function scaleOf(wanted: number, view: number): Scale {
  if (wanted <= tallest) return { height: wanted, ratio: 1 };
  return { height: tallest, ratio: (wanted - view) / (tallest - view) };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
