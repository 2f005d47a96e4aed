// Errors of pages and templates of the last seven days, counted by their place. They are counted in memory and written in the
// background, so that a page that fails for every visitor costs one write in some seconds.

import { allow, isAllowed } from "#access/allow.ts";
import { CairnError } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { digest } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import type { SiteErrorInfo } from "#contract/site.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import {
  addSiteErrors,
  countSiteErrors,
  deleteOldSiteErrors,
  listSiteErrors,
  type SiteErrorRow,
} from "#storage/tables/site/site-errors.ts";
import { createTally, type Tally } from "#storage/tally.ts";
import type { PageRequest } from "./pages/page-request.ts";
import { pagesCollection } from "./pages/site-routes.ts";
import { SiteTemplateError } from "./template/errors.ts";

const dayMs = 24 * 3_600_000;
const keptMs = 7 * dayMs;
const maxErrors = 500;
const maxLength = 500;

interface SiteErrorPlace {
  kind: SiteErrorInfo["kind"];
  message: string;
  path: string;
  template?: string;
  line?: number;
  column?: number;
  /** Of the object that the page shows. */
  collection?: string;
  requestId?: string;
}

const stateOf = perInstance((_storage: Storage): { tally?: Tally<SiteErrorRow> } => ({}));

export function countSiteError({ storage, log, clock }: App, error: SiteErrorPlace): void {
  if (storage.isReadOnly) return;
  const state = stateOf(storage);
  state.tally ??= createTally({
    what: "errors of pages",
    log,
    write: (rows) =>
      note(storage, async (tx) => {
        await addSiteErrors(tx, rows);
        await deleteOldSiteErrors(tx, since(clock), maxErrors);
      }),
  });
  const { kind, template = "", line = 0, column = 0, collection = "", requestId: request = "" } = error;
  const [message, path] = [error.message, error.path].map((text) => text.slice(0, maxLength)) as [string, string];
  const id = digest(JSON.stringify([kind, template, line, column, message]));
  const now = clock.iso();
  if (state.tally.size >= maxErrors) return;
  state.tally.count(id, (known) => ({
    ...{ id, kind, template, line, column, message, path, collection, request },
    ...{ count: (known?.count ?? 0) + 1, first: known?.first ?? now, last: now },
  }));
}

/** `collection`: of the object that the page shows. */
export function countPageError(
  app: App,
  { path, requestId }: Pick<PageRequest, "path" | "requestId">,
  { error, collection = "" }: { error: unknown; collection?: string },
): void {
  // Failures of other kinds may hold anything; the log has them.
  const told = error instanceof CairnError ? error.message : "The page could not be made. The log says why.";
  const { message, template, line, column } =
    error instanceof SiteTemplateError ? error : { message: told, template: "", line: 0, column: 0 };
  countSiteError(app, { kind: "page", message, template, line, column, path, requestId, collection });
}

/** Writes what has been counted; also called before lists, and when the app closes. */
export async function flushSiteErrors({ storage }: Pick<App, "storage">): Promise<void> {
  await stateOf(storage).tally?.flush();
}

/** Places with an error in the last day; undefined for callers that may not see them. */
export async function countErrorsOfToday(ctx: Context): Promise<number | undefined> {
  const pages = { kind: "objects", collection: pagesCollection, publicOperations: [] } as const;
  if (!isAllowed(ctx.actor, "read", { kind: "templates" }) || !isAllowed(ctx.actor, "read", pages)) return undefined;
  return countSiteErrors(ctx.storage, new Date(ctx.clock.now() - dayMs).toISOString());
}

/** The newest first. */
export async function listErrorsOfSite(ctx: Context): Promise<SiteErrorInfo[]> {
  allow(ctx, "read", { kind: "templates" });
  await openCollection(ctx, "read", pagesCollection);
  await flushSiteErrors(ctx);
  const shown = new Set((await listOpenConfigs(ctx, "read")).map(({ id }) => id));
  const rows = await listSiteErrors(ctx.storage, since(ctx.clock));
  return rows.map(({ collection, request, path, ...row }) => ({
    ...row,
    kind: row.kind as SiteErrorInfo["kind"],
    path: collection === "" || shown.has(collection) ? path : "",
    requestId: request,
  }));
}

function since(clock: App["clock"]): string {
  return new Date(clock.now() - keptMs).toISOString();
}
