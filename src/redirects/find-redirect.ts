// Finds the redirect of an address. All redirects are in memory, under the version of their scope. Callers let the storage
// catch up first. Whether the site is switched on is theirs to ask as well.

import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import type { App } from "#context.ts";
import type { RedirectStatus } from "#contract/redirects.ts";
import type { Storage } from "#storage/port.ts";
import { pageRedirects, type RedirectRow } from "#storage/tables/site/redirects.ts";
import { countHit } from "./redirect-hits.ts";
import { canonicalPath, fillTarget, isPattern, pathOfTarget, prefixOf, withQuery } from "./redirect-paths.ts";

export interface FoundRedirect {
  id: string;
  status: RedirectStatus;
  /** Filled with the rest of the path; empty for 410. */
  target: string;
}

export type StoredRedirect = Pick<RedirectRow, "id" | "source" | "target" | "status" | "origin">;

export interface RedirectTable {
  /** In order of source. */
  all: readonly StoredRedirect[];
  exact: ReadonlyMap<string, StoredRedirect>;
  /** By what the path begins with. */
  patterns: ReadonlyMap<string, StoredRedirect>;
}

const tables = createVersionedValue<Storage, RedirectTable>((storage) => storage.version("redirects"));

/** At once when it is in memory. */
export function redirectTable({ storage }: Pick<App, "storage">): RedirectTable | Promise<RedirectTable> {
  return tables.get(storage, () => loadTable(storage));
}

/** Undefined: it is not in memory, or may be out of date. */
export function knownTable({ storage }: Pick<App, "storage">): RedirectTable | undefined {
  return tables.find(storage);
}

async function loadTable(storage: Storage): Promise<RedirectTable> {
  const all: StoredRedirect[] = [];
  const exact = new Map<string, StoredRedirect>();
  const patterns = new Map<string, StoredRedirect>();
  for await (const rows of pageRedirects(storage)) {
    for (const { id, source, target, status, origin } of rows) {
      const redirect = { id, source, target, status, origin };
      all.push(redirect);
      if (isPattern(source)) patterns.set(prefixOf(source), redirect);
      else exact.set(source, redirect);
    }
  }
  return { all, exact, patterns };
}

/** `path` as sent, still encoded. */
export async function findRedirect(
  app: Pick<App, "storage">,
  path: string,
  kind: "exact" | "pattern",
): Promise<FoundRedirect | undefined> {
  const table = await redirectTable(app);
  if (table.all.length === 0) return undefined;
  const asked = canonicalPath(path);
  if (asked === undefined) return undefined;
  const found = kind === "exact" ? findExact(table, asked) : findPattern(table, asked);
  // A pattern may match its own target. Where no page has it, there is nothing.
  return found && pathOfTarget(found.target) === asked ? undefined : found;
}

function findExact({ exact }: RedirectTable, asked: string): FoundRedirect | undefined {
  return exact.get(asked) as FoundRedirect | undefined;
}

/** The longest source first. */
export function findPattern({ patterns }: Pick<RedirectTable, "patterns">, asked: string): FoundRedirect | undefined {
  if (patterns.size === 0) return undefined;
  let prefix = asked === "/" ? "" : asked;
  for (;;) {
    const found = patterns.get(prefix);
    if (found) {
      const rest = asked.slice(prefix.length + 1);
      return { id: found.id, status: found.status as RedirectStatus, target: fillTarget(found.target, rest) };
    }
    if (prefix === "") return undefined;
    prefix = prefix.slice(0, prefix.lastIndexOf("/"));
  }
}

export interface RedirectAnswer {
  status: RedirectStatus;
  /** Undefined for 410. */
  location: string | undefined;
}

/** The answer to the visitor; counted. `search`: the query of the request, without the question mark. */
export function answerRedirect(app: Pick<App, "storage" | "clock" | "log">, found: FoundRedirect, search: string) {
  countHit(app, found.id);
  const { status, target } = found;
  const answer: RedirectAnswer = { status, location: status === 410 ? undefined : withQuery(target, search) };
  return answer;
}
