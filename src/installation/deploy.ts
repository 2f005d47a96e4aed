// After an update: the app migrates the database when it opens, so what is left is to
// report the migrations, and to clear the caches of the old version.

import { allow } from "#access/allow.ts";
import { react } from "#content/collection-hooks.ts";
import type { Context } from "#context.ts";
import { clearImages } from "#files/image-cache.ts";
import { invalidate } from "#storage/invalidate.ts";
import { listMigrations } from "#storage/whole-tables.ts";

export interface Deployed {
  /** Migrations of the database since the given time. */
  migrations: string[];
  cache: Cleared | undefined;
}

export interface Cleared {
  /** Number of removed derived images. */
  images: number;
}

/** Derived images, and the memory caches of every process of the installation. */
export async function clearCaches(ctx: Context): Promise<Cleared> {
  allow(ctx, "delete", { kind: "util", util: "cache" });
  const images = await clearImages(ctx.imageCache, "");
  await ctx.storage.write(async (tx) => {
    for (const scope of ["keys", "collections", "schemas", "settings", "sessions", "groups", "grants"] as const) {
      await invalidate(tx, scope, ctx.clock.iso());
    }
    await react(ctx, tx, { type: "site.changed", part: "all" });
  });
  return { images };
}

export async function deploy(ctx: Context, options: { since: string; skipCache: boolean }): Promise<Deployed> {
  allow(ctx, "update", { kind: "settings" });
  const migrations = await listMigrations(ctx.storage, options.since);
  return { migrations, cache: options.skipCache ? undefined : await clearCaches(ctx) };
}
