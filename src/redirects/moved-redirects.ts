// Redirects that moves leave behind: when the address of an object or the route of a page changes, the old one leads to the
// new one, from the same transaction on. Only addresses that the public could see count. An address that has a page again
// loses its redirect.

import { uuid } from "#base/ids.ts";
import { react } from "#content/collection-hooks.ts";
import { objectUrl } from "#content/query/object-url.ts";
import type { FollowedSettings, FollowedWrite } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Tx } from "#storage/port.ts";
import { deleteRedirectFrom, findRedirectRows, moveRedirects } from "#storage/tables/site/redirects.ts";
import { knownTable } from "./find-redirect.ts";
import { canonicalPath, checkTarget } from "./redirect-paths.ts";

const pagesCollection = "builder-pages";
/** Never on the site, whatever their settings say. */
const closed = new Set(["auth", "automations", "mailer"]);

export function registerMovedRedirects(app: App): void {
  app.rules.addToAll({ follow: followWrite, followSettings });
}

function followWrite(ctx: Context, tx: Tx, write: FollowedWrite): Promise<void> | undefined {
  const { id, settings } = write.collection;
  const isPage = id === pagesCollection;
  if ((settings.url === "" && !isPage) || closed.has(id) || !ctx.settings.get("site.enabled")) return undefined;
  if (!write.before && knownTable(ctx)?.all.length === 0) return undefined;
  const addressOf = isPage ? routeOf : (document: JsonObject) => addressIn(settings, document);
  const after = addressOf(JSON.parse(write.text) as JsonObject);
  const before = write.before && addressOf(write.before);
  if (after === undefined || before === after) return undefined;
  if (before !== undefined && ctx.settings.get("site.redirectMoved")) return move(ctx, tx, { before, after, isPage });
  return drop(ctx, tx, after, isPage);
}

/** The pattern of a whole collection: one redirect for all its objects, where the patterns differ before the id alone. */
function followSettings(ctx: Context, tx: Tx, { before, after }: FollowedSettings): Promise<void> | undefined {
  if (before.url === after.url && before.prettyUrl === after.prettyUrl) return undefined;
  const [from, to] = [prefixIn(before), prefixIn(after)];
  const isOn = ctx.settings.get("site.enabled") && ctx.settings.get("site.redirectMoved");
  if (!isOn || closed.has(after.id) || from === undefined || to === undefined) return undefined;
  return moveAll(ctx, tx, from, to);
}

/** The address of a published object; undefined: it has none. */
function addressIn(settings: CollectionConfig, document: JsonObject): string | undefined {
  if (document.draft === true || settings.onSite === false) return undefined;
  const path = objectUrl(settings, document);
  return path.includes("?") || /\/(?:\/|$)/.test(path) ? undefined : canonicalPath(path);
}

/** The route of a published page. `{name}` as the last segment stands for all below it. */
function routeOf({ draft, route }: JsonObject): string | undefined {
  if (draft === true || typeof route !== "string" || route === "") return undefined;
  const prefix = /^([^{}]*)\/\{\w+\}$/.exec(route)?.[1];
  if (prefix !== undefined) return prefix === "" ? undefined : `${canonicalPath(prefix)}/*`;
  return route.includes("{") ? undefined : canonicalPath(route);
}

/** Of addresses that end with the id, which is all that differs; undefined for others. */
function prefixIn({ url, prettyUrl, onSite }: CollectionConfig): string | undefined {
  const prefix = url.includes("{") ? /^([^{}]+)\/\{\{?\s*id\s*\}?\}$/.exec(url)?.[1] : prettyUrl ? url : undefined;
  return prefix === undefined || onSite === false ? undefined : canonicalPath(prefix);
}

interface Move {
  before: string;
  after: string;
  isPage: boolean;
}

function move(ctx: Context, tx: Tx, { before, after, isPage }: Move): Promise<void> | undefined {
  const [from, to] = [before, after].map((path) => (path.endsWith("/*") ? path.slice(0, -2) : undefined));
  if (from !== undefined && to !== undefined) return moveAll(ctx, tx, from, to);
  // A page for many addresses became a page for one, or the reverse.
  if (from !== undefined || to !== undefined) return undefined;
  tx.beforeCommit(`redirects ${before}`, async () => {
    await lockName(tx, "redirects");
    await deleteRedirectFrom(tx, after, isPage ? undefined : "moved");
    await store(ctx, tx, before, after);
  });
  return react(ctx, tx, { type: "site.changed", part: "redirects" });
}

function moveAll(ctx: Context, tx: Tx, from: string, to: string): Promise<void> | undefined {
  // What is not there would be sent deeper and deeper.
  if (from === to || `${to}/`.startsWith(`${from}/`)) return undefined;
  tx.beforeCommit(`redirects ${from}/*`, async () => {
    await lockName(tx, "redirects");
    await deleteRedirectFrom(tx, `${to}/*`, "moved");
    const [back] = await findRedirectRows(tx, [`${to}/*`]);
    if (!back) await store(ctx, tx, `${from}/*`, `${to}/:splat`);
  });
  return react(ctx, tx, { type: "site.changed", part: "redirects" });
}

async function store(ctx: Context, tx: Tx, source: string, to: string): Promise<void> {
  const target = checkTarget(to, source);
  if ("problem" in target) return;
  const now = ctx.clock.iso();
  await moveRedirects(tx, {
    ...{ id: uuid(), source, ...target, status: 301, origin: "moved" },
    ...{ created: now, updated: now },
  });
}

/** The order of requests puts redirects before objects: those that somebody has made by hand stay. */
async function dropKnown(ctx: Context, tx: Tx, address: string, isPage: boolean): Promise<void> {
  await deleteRedirectFrom(tx, address, isPage ? undefined : "moved");
  await react(ctx, tx, { type: "site.changed", part: "redirects" });
}

function drop(ctx: Context, tx: Tx, address: string, isPage: boolean): Promise<void> | undefined {
  const table = knownTable(ctx);
  return table && !table.exact.has(address) ? undefined : dropKnown(ctx, tx, address, isPage);
}
