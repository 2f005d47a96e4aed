// What ends a template: a mistake with its place, or a tag that ends the page.

import type { TemplateError } from "#contract/templates.ts";

/** A template on the way to the mistake: the page, its layouts, partials. */
export interface WayStep {
  template: string;
  /** Names of the arguments that a partial was given. */
  args?: readonly string[];
}

export interface SourceLine {
  number: number;
  text: string;
}

/** For people who build the site; visitors never see it. */
export class SiteTemplateError extends Error {
  readonly template: string;
  /** 0: the mistake has no place. */
  readonly line: number;
  readonly column: number;
  readonly way: readonly WayStep[];
  /** The line of the mistake, five before and five after it. */
  readonly lines: readonly SourceLine[];

  constructor(told: TemplateError, { way, lines }: { way: readonly WayStep[]; lines: readonly SourceLine[] }) {
    super(told.message);
    this.name = "SiteTemplateError";
    this.template = told.template ?? way.at(-1)?.template ?? "";
    this.line = told.line;
    this.column = told.column;
    this.way = way;
    this.lines = lines;
  }
}

/** Thrown by tags that end the page. */
export class PageEnd extends Error {
  readonly end: { kind: "redirect"; target: string; status: number } | { kind: "abort"; status: number };

  constructor(end: PageEnd["end"]) {
    super("The page has ended");
    this.end = end;
  }
}

const around = 5;

export function linesAround(text: string, line: number): SourceLine[] {
  if (line === 0) return [];
  const first = Math.max(1, line - around);
  const lines = text.split("\n").slice(first - 1, line + around);
  return lines.map((part, index) => ({ number: first + index, text: part.slice(0, 500) }));
}

/** Names that come near, best first: at most three. */
export function nearNames(name: string, known: Iterable<string>): string[] {
  const most = Math.max(1, Math.ceil(name.length / 3));
  const near: { name: string; distance: number }[] = [];
  for (const other of known) {
    if (Math.abs(other.length - name.length) > most) continue;
    const distance = editDistance(name.toLowerCase(), other.toLowerCase());
    if (distance <= most) near.push({ name: other, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, 3).map((one) => one.name);
}

/** " Did you mean `a` or `b`?", or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearNames(name, known).map((one) => `"${one}"`);
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

function editDistance(a: string, b: string): number {
  if (a.length > 60 || b.length > 60) return a === b ? 0 : 60;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let at = 1; at <= b.length; at++) {
      const swapped = a[row - 1] === b[at - 1] ? 0 : 1;
      current[at] = Math.min((before[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (before[at - 1] ?? 0) + swapped);
    }
    before = current;
  }
  return before[b.length] ?? 0;
}
