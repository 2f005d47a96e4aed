// Previews: addresses that show drafts and unsaved values, with the rights that their makers have when somebody looks.
// Makers keep the list of theirs, and end them at once. The token is part of the address and stored as a hash alone.

import { hash, randomBytes } from "node:crypto";
import { isAdminPersona, isLimitedKey, nameOf } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { parseDuration } from "#base/durations.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { getObject } from "#content/objects/objects.ts";
import { authorOf } from "#content/on-behalf.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { MadePreview, PreviewSummary } from "#contract/previews.ts";
import { confirmTemplate } from "#site/confirm-template.ts";
import { findPagePath } from "#site/object-pages.ts";
import {
  countPreviews,
  deleteExpiredPreviews,
  deletePreview,
  findPreview,
  insertPreview,
  listPreviews,
  type PreviewRow,
  putUnsaved,
} from "#storage/tables/site/previews.ts";

const defaultMs = 3_600_000;
const longestMs = 7 * 86_400_000;
const randomSize = 32;
const maxLive = 200;
const maxListed = 1_000;
const maxPath = 2_000;
/** Characters of the JSON text. */
const maxUnsaved = 1_000_000;
export const previewParameter = "_preview";
/** All pages of the site. */
export const everyPath = "/*";

interface Wanted {
  path: string;
  collection: string;
  object: string;
}

export async function createPreview(ctx: Context, body: Json): Promise<MadePreview> {
  const sent = readBody(body);
  const wanted = await findWanted(ctx, sent);
  const { storage, clock } = ctx;
  const created = clock.iso();
  const expires = new Date(clock.now() + sent.lifetimeMs).toISOString();
  const token = randomBytes(randomSize).toString("base64url");
  const id = randomBytes(9).toString("base64url");
  const maker = nameOf(ctx.actor);
  if ((await countPreviews(storage, maker, created)) >= maxLive) {
    fail("invalid", `You have ${maxLive} previews. End some of them, or wait until they expire.`);
  }
  const author = JSON.stringify(authorOf(ctx));
  await storage.write(async (tx) => {
    await deleteExpiredPreviews(tx, created);
    const shared = sent.shared ? 1 : 0;
    await insertPreview(tx, { id, hash: digestOf(token), author, maker, ...wanted, shared, created, expires });
  });
  const path = wanted.path === everyPath ? "/" : wanted.path;
  const mark = path.includes("?") ? "&" : "?";
  return { id, url: `${siteAddress(ctx)}${path}${mark}${previewParameter}=${token}`, expires };
}

/** Those of the caller; the admin persona sees all. */
export async function listOwnPreviews(ctx: Context): Promise<PreviewSummary[]> {
  mustBeKnown(ctx);
  const maker = seesAll(ctx) ? undefined : nameOf(ctx.actor);
  const since = new Date(ctx.clock.now() - longestMs).toISOString();
  const rows = await listPreviews(ctx.storage, { maker, since, now: ctx.clock.iso(), limit: maxListed });
  return rows.map((row) => ({
    ...{ id: row.id, path: row.path, shared: row.shared === 1, maker: row.maker },
    ...(row.collection !== "" && { collection: row.collection, object: row.object }),
    ...{ created: row.created, expires: row.expires },
  }));
}

/** A key for published content opens every path, and is no administrator: previews name drafts. */
function seesAll({ actor }: Context): boolean {
  return isAdminPersona(actor) && !isLimitedKey(actor);
}

export async function endPreview(ctx: Context, id: string): Promise<void> {
  const row = await findOwn(ctx, id);
  await ctx.storage.write(async (tx) => {
    await deletePreview(tx, row.id);
    tx.touch("previews");
  });
}

/** Values of the object and texts of templates that are not saved: shown in this preview alone, for ten minutes. */
export async function putUnsavedValues(ctx: Context, id: string, body: Json): Promise<void> {
  const row = await findOwn(ctx, id);
  if (row.maker !== nameOf(ctx.actor)) fail("forbidden", "Values are laid over a preview by its maker alone.");
  const { values = {}, templates = {} } = isJsonObject(body) ? body : {};
  const problems: ErrorDetails = {};
  if (!isJsonObject(values)) problems.values = ["must be an object"];
  else if (row.collection === "" && Object.keys(values).length > 0)
    problems.values = ["are for the preview of an object"];
  if (!isJsonObject(templates) || Object.values(templates).some((text) => typeof text !== "string"))
    problems.templates = ["must be an object of texts by the id of the template"];
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  if (Object.keys(values as JsonObject).length > 0)
    allow(ctx, "update", { kind: "objects", collection: row.collection, publicOperations: [] });
  if (Object.keys(templates as JsonObject).length > 0) allow(ctx, "update", { kind: "templates" });
  for (const [template, text] of Object.entries(templates as Record<string, string>))
    await confirmTemplate(ctx, template, text);
  const text = JSON.stringify({ values, templates });
  if (text.length > maxUnsaved) fail("too-large", `Unsaved values take at most ${maxUnsaved} characters.`);
  await ctx.storage.write(async (tx) => {
    if (!(await putUnsaved(tx, id, text, ctx.clock.iso()))) noPreview(id);
  });
}

export function digestOf(token: string): string {
  return hash("sha256", token, "hex");
}

async function findOwn(ctx: Context, id: string): Promise<PreviewRow> {
  mustBeKnown(ctx);
  const row = await findPreview(ctx.storage, id);
  const isOwn = row !== undefined && (seesAll(ctx) || row.maker === nameOf(ctx.actor));
  return isOwn && row.expires > ctx.clock.iso() ? row : noPreview(id);
}

interface Sent {
  path?: string;
  collection?: string;
  id?: string;
  shared: boolean;
  lifetimeMs: number;
}

function readBody(body: Json): Sent {
  const { path, collection, id, shared = false, expires } = isJsonObject(body) ? body : {};
  const problems: ErrorDetails = {};
  if (path === undefined && collection === undefined)
    problems.path = ["is required, unless collection and id are sent"];
  if (path !== undefined && collection !== undefined) problems.path = ["must be left out when collection is sent"];
  if (path !== undefined && !isPath(path)) problems.path = ["must be a path of this site, such as /about, or /*"];
  for (const [name, value] of Object.entries({ collection, id })) {
    if (value !== undefined && typeof value !== "string") problems[name] = ["must be text"];
    else if (value === undefined && (collection ?? id) !== undefined) problems[name] = ["is required"];
  }
  if (typeof shared !== "boolean") problems.shared = ["must be true or false"];
  const lifetimeMs =
    expires === undefined ? defaultMs : typeof expires === "string" ? parseDuration(expires) : undefined;
  if (lifetimeMs === undefined || lifetimeMs <= 0 || lifetimeMs > longestMs)
    problems.expires = ["must be a duration of at most P7D, such as PT1H"];
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  return { path, collection, id, shared, lifetimeMs } as unknown as Sent;
}

function isPath(path: Json): boolean {
  return typeof path === "string" && path.length <= maxPath && /^\/(?![/\\])[^\\\p{Cc}#]*$/u.test(path);
}

/** Callers need the right to read what is shown: the object, or the templates of the site. */
async function findWanted(ctx: Context, { path, collection, id }: Sent): Promise<Wanted> {
  mustBeKnown(ctx);
  if (path !== undefined) {
    allow(ctx, "read", { kind: "templates" });
    return { path, collection: "", object: "" };
  }
  const [name, object] = [collection as string, id as string];
  const { text } = await getObject(ctx, name, object);
  const found = findPagePath(await getCollection(ctx, name), JSON.parse(text) as JsonObject);
  if (found === undefined) {
    fail("invalid", `Objects of "${name}" have no address. Set a URL pattern in the settings of the collection.`, {
      collection: ["has no address on the site"],
    });
  }
  return { path: found, collection: name, object };
}

function mustBeKnown({ actor }: Context): void {
  if (actor.kind === "anonymous") fail("unauthenticated", "Sign in to use previews.");
}

function noPreview(id: string): never {
  fail("not-found", `There is no preview "${id}".`);
}
