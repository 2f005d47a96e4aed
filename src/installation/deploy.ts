// After a new version is in place: the database is brought up to it when the app opens, so what is left to do is to
// say what that was, and to throw away what was made by the old one.

import { allow } from "#access/allow.ts";
import type { Context } from "#context.ts";
import { clearImages } from "#files/image-cache.ts";
import { invalidate } from "#storage/invalidate.ts";
import { listMigrations } from "#storage/table-list.ts";

export interface Deployed {
  /** The changes of the database that were made since the given time. */
  migrations: string[];
  cache: Cleared | undefined;
}

export interface Cleared {
  /** Derived images that were thrown away. */
  images: number;
}

/** Derived images, and whatever any process of the installation has kept in memory. */
export async function clearCaches(ctx: Context): Promise<Cleared> {
  allow(ctx, "delete", { kind: "util", util: "cache" });
  const images = await clearImages(ctx.imageCache, "");
  await ctx.storage.write(async (tx) => {
    for (const scope of ["keys", "collections", "schemas", "settings", "sessions", "groups", "grants"] as const) {
      await invalidate(tx, scope, ctx.clock.iso());
    }
  });
  return { images };
}

export async function deploy(ctx: Context, options: { since: string; skipCache: boolean }): Promise<Deployed> {
  allow(ctx, "update", { kind: "settings" });
  const migrations = await listMigrations(ctx.storage, options.since);
  return { migrations, cache: options.skipCache ? undefined : await clearCaches(ctx) };
}
