// The caches as an administrator sees them: what each holds in all processes, and clearing them. Clearing moves versions in the
// storage, so every process feels it before its next answer (base/caches/kinds.ts). It changes no answer, only its time.

import { allow } from "#access/allow.ts";
import { type CacheKind, type CacheSelection, clearKind, listKinds } from "#base/caches/kinds.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import type { CacheReport, ClearedCaches, ImagesReport } from "#contract/admin.ts";
import { clearImages, measureImages, measureImagesBy } from "#files/image-cache.ts";
import { clearAllImages } from "#media/images/derived-images.ts";
import { didYouMean } from "#rules/near-names.ts";
import { invalidate } from "#storage/invalidate.ts";
import { putClearing } from "#storage/tables/caches/clearings.ts";
import { entriesOf, sumFigures } from "./cache-figures.ts";

/** What is in memory besides the kinds, and is read again with everything. */
const definitions = ["keys", "collections", "schemas", "settings", "sessions", "groups", "grants"] as const;
const maxSelection = 2_000;

/** For callers that may clear them. */
export async function getCacheReport(ctx: Context): Promise<CacheReport> {
  requireRight(ctx);
  const images = await reportImages(ctx);
  return { ...(await sumFigures(ctx)), images };
}

async function reportImages(ctx: Context): Promise<ImagesReport> {
  const sums = await measureImages(ctx.imageCache);
  const open = new Set((await listOpenConfigs(ctx, "read")).map(({ id }) => id));
  const byCollection = [...measureImagesBy(ctx.imageCache)]
    .filter(([collection]) => open.has(collection))
    .map(([collection, sum]) => ({ collection, ...sum }))
    .sort((a, b) => b.bytes - a.bytes);
  return { ...sums, byCollection };
}

/** Every kind, and the definitions in memory. */
export async function clearCaches(ctx: Context): Promise<ClearedCaches> {
  requireRight(ctx);
  const entries = await entriesOf(ctx);
  const deleted = await clearImages(ctx.imageCache, "");
  const kinds = listKinds();
  await ctx.storage.write(async (tx) => {
    for (const { scope } of kinds) await putClearing(tx, scope);
    for (const scope of definitions) await invalidate(tx, scope, ctx.clock.iso());
    await react(ctx, tx, { type: "site.changed", part: "all" });
  });
  for (const kind of kinds) clearKind(ctx.storage, kind);
  return { deleted, cleared: { ...entries, images: deleted } };
}

/** One kind, or those of its entries that are selected. The number of entries: in all processes, as far as they are known. */
export async function clearCache(ctx: Context, name: string, selection: CacheSelection = {}): Promise<number> {
  requireRight(ctx);
  const kind = findKind(name);
  const isPart = checkSelection(kind, selection);
  if (kind === cacheKinds.images) return clearAllImages(ctx);
  const entries = (await entriesOf(ctx))[name] ?? 0;
  await moveScope(ctx, kind, selection);
  const here = clearKind(ctx.storage, kind, isPart ? selection : undefined);
  return isPart ? here : Math.max(here, entries);
}

async function moveScope({ storage }: Context, { scope }: CacheKind, selection?: CacheSelection): Promise<void> {
  await storage.write((tx) => putClearing(tx, scope, selection));
}

function requireRight(ctx: Context): void {
  allow(ctx, "delete", { kind: "util", util: "cache" });
}

function findKind(name: string): CacheKind {
  const kinds = listKinds();
  const kind = kinds.find((one) => one.name === name);
  const names = kinds.filter(({ isClearedAlone }) => isClearedAlone).map((one) => one.name);
  if (!kind)
    fail(
      "not-found",
      `There is no cache "${name.slice(0, 100)}".${didYouMean(name, names)} The caches are ${names.join(", ")}.`,
    );
  if (!kind.isClearedAlone)
    fail("invalid", `The cache "${name}" is cleared only together with all others: clear everything.`, {
      name: ["cannot be cleared alone"],
    });
  return kind;
}

/** True: only a part is meant. */
function checkSelection({ name, isSelective }: CacheKind, { path, tag }: CacheSelection): boolean {
  for (const [parameter, value] of Object.entries({ path, tag })) {
    if (value === undefined) continue;
    const refuse = (why: string) => fail("invalid", `${parameter} ${why}.`, { [parameter]: [why] });
    if (!isSelective) refuse(`does not go with the cache "${name}"`);
    if (value === "" || value.length > maxSelection) refuse(`must have 1 to ${maxSelection} characters`);
    if (parameter === "path" && !value.startsWith("/")) refuse("must start with a slash");
    if (parameter === "path" && value.slice(0, -1).includes("*")) refuse("may have a * only at its end");
  }
  return path !== undefined || tag !== undefined;
}
