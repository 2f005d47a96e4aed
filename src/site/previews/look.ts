// Looks through a preview: from the token of an address to what it shows. The rights of its maker are asked each time.

import type { Author } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { findCollection, getCollection } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { findOnBehalf } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { isOnSite } from "#rules/on-site.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { presentDocument } from "#schemas/present.ts";
import type { PagePreview } from "#site/pages/page-request.ts";
import { findPreviewByToken, type PreviewRow, type UnsavedRow } from "#storage/tables/site/previews.ts";
import { digestOf, everyPath } from "./previews.ts";

const unsavedMs = 600_000;
const tokenForm = /^[\w-]{43}$/;

/** Undefined: it has ended, its maker has lost the right, or it is for another path. `path`: as sent, without a query. */
export async function lookThrough(app: App, token: string, path: string): Promise<PagePreview | undefined> {
  const found = await findLive(app, token);
  if (!found || !covers(found.row.path, path)) return undefined;
  const { row, maker } = found;
  const { values, templates } = readUnsaved(app, row);
  return {
    token,
    values: new Map(
      values && row.collection !== "" && mayChange(maker, row)
        ? [[`${row.collection}/${row.object}`, await laidOver(maker, row, values)]]
        : [],
    ),
    templates: new Map(mayTryTemplates(maker) ? Object.entries(templates ?? {}) : []),
    showsDrafts: (collection) => seesDrafts(maker, "read", collection),
    showsErrors: isAllowed(maker.actor, "read", { kind: "templates" }),
  };
}

/**
 * May files of this draft be sent as those of a published object are? Those of the object that the preview is of, or of all on
 * the site: a preview of another path does not say which objects stand there.
 */
export async function showsDraftFiles(
  app: App,
  token: string,
  { collection: id, id: object }: { collection: string; id: string },
): Promise<boolean> {
  const found = await findLive(app, token);
  if (!found) return false;
  const { row, maker } = found;
  const isCovered = row.collection === "" ? row.path === everyPath : row.collection === id && row.object === object;
  const collection = isCovered ? await findCollection(app, id) : undefined;
  return collection !== undefined && isOnSite(collection) && seesDrafts(maker, "read", id);
}

/** One that has not ended, and whose maker has kept the right. */
async function findLive(
  app: App,
  token: string,
): Promise<{ row: PreviewRow & UnsavedRow; maker: Context } | undefined> {
  if (!tokenForm.test(token)) return undefined;
  const row = await findPreviewByToken(app.storage, digestOf(token));
  if (!row || row.expires <= app.clock.iso()) return undefined;
  const maker = await findOnBehalf(app, JSON.parse(row.author) as Author);
  return maker && mayStillLook(maker, row) ? { row, maker } : undefined;
}

/** A preview of an object may be opened by the address it had when it was made, query included. */
function covers(wanted: string, path: string): boolean {
  return wanted === everyPath || (wanted.split("?")[0] as string) === path;
}

function mayStillLook({ actor }: Context, { collection }: PreviewRow): boolean {
  return isAllowed(
    actor,
    "read",
    collection === "" ? { kind: "templates" } : { kind: "objects", collection, publicOperations: [] },
  );
}

/** Texts of callers that may not write them never stand on the site. */
function mayChange({ actor }: Context, { collection }: PreviewRow): boolean {
  return isAllowed(actor, "update", { kind: "objects", collection, publicOperations: [] });
}

function mayTryTemplates({ actor }: Context): boolean {
  return isAllowed(actor, "update", { kind: "templates" });
}

function readUnsaved(
  { clock }: Pick<App, "clock">,
  { unsaved, unsavedAt }: UnsavedRow,
): { values?: JsonObject; templates?: Record<string, string> } {
  const isFresh = unsaved !== null && unsavedAt !== null && Date.parse(unsavedAt) > clock.now() - unsavedMs;
  return isFresh ? (JSON.parse(unsaved) as { values: JsonObject; templates: Record<string, string> }) : {};
}

/** Built leniently: values that do not fit are left out, texts are cleaned as if they were stored. */
async function laidOver(ctx: Context, { collection }: PreviewRow, values: JsonObject): Promise<JsonObject> {
  const { schema } = await getCollection(ctx, collection);
  const now = ctx.clock.iso();
  const built = presentDocument(schema, values, {
    created: now,
    modified: now,
    htmlclean: htmlclean(ctx),
  });
  return Object.fromEntries(Object.entries(built).filter(([name]) => name !== "id" && name in values));
}
