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
