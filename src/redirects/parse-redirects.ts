// Reads redirects from text: CSV with the columns source, target and status, or the `_redirects` form of static hosts, one
// redirect a line with spaces between. Pure. Mistakes are reported by line, all of them.

import { type RedirectStatus, redirectStatuses } from "#contract/redirects.ts";
import { checkSource, checkTarget } from "./redirect-paths.ts";
import type { PlannedRedirect } from "./redirect-plan.ts";

export interface ParsedRedirect extends PlannedRedirect {
  line: number;
}

export interface LineError {
  line: number;
  message: string;
}

export function parseRedirects(text: string): { redirects: ParsedRedirect[]; errors: LineError[] } {
  const redirects: ParsedRedirect[] = [];
  const errors: LineError[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const isCsv = lines.some(isCsvLine);
  let isFirst = true;
  for (const [at, content] of lines.entries()) {
    const trimmed = content.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const cells = isCsv ? csvCells(content) : trimmed.split(/\s+/);
    const isHeading = isFirst && cells?.[0]?.trim().toLowerCase() === "source";
    isFirst = false;
    if (isHeading) continue;
    const result = cells ? checkLine(cells) : { problem: "quotes are not closed" };
    if ("problem" in result) errors.push({ line: at + 1, message: result.problem });
    else redirects.push({ ...result, line: at + 1 });
  }
  return { redirects, errors };
}

/** Paths hold no comma there, so a comma before any space separates columns. */
function isCsvLine(line: string): boolean {
  return /^\s*(?:"?source"?\s*,|"?\/[^\s,]*"?\s*,)/i.test(line);
}

function csvCells(line: string): string[] | undefined {
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (;;) {
    const found = cell.exec(line);
    if (!found) return undefined;
    cells.push(found[1]?.replaceAll('""', '"') ?? (found[2] as string).trim());
    if (found[3] === "") return cells;
  }
}

type Checked = PlannedRedirect | { problem: string };

/** `status` may carry the `!` of the `_redirects` form; conditions are refused. */
function checkLine([source = "", target = "", status = "", ...more]: string[]): Checked {
  if (more.some((cell) => cell.trim() !== "")) return { problem: "has more than source, target and status" };
  const isGone = target === "410" && status === "";
  return checkRedirect({
    source: unescaped(source),
    target: isGone ? "" : unescaped(target),
    status: isGone ? 410 : readStatus(status),
  });
}

/** Spreadsheets put a quote before what looks like a formula. */
function unescaped(text: string): string {
  return text.replace(/^'(?=[=+\-@])/, "");
}

function readStatus(text: string): number {
  const trimmed = text.trim().replace(/!$/, "");
  return trimmed === "" ? 301 : Number(trimmed);
}

export function checkRedirect(redirect: { source: string; target: string; status: number }): Checked {
  const from = checkSource(redirect.source);
  if ("problem" in from) return { problem: `source ${from.problem}` };
  const { status } = redirect;
  if (!isStatus(status)) return { problem: `status must be one of ${redirectStatuses.join(", ")}` };
  if (status === 410) {
    if (redirect.target.trim() !== "") return { problem: "target must be empty with status 410" };
    return { ...from, target: "", targetPath: null, status };
  }
  const to = checkTarget(redirect.target, from.source);
  return "problem" in to ? { problem: `target ${to.problem}` } : { ...from, ...to, status };
}

function isStatus(status: number): status is RedirectStatus {
  return redirectStatuses.includes(status as RedirectStatus);
}
