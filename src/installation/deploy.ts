// After an update: the app migrates the database when it opens, so what is left is to
// report the migrations, and to clear the caches of the old version.

import { allow } from "#access/allow.ts";
import type { Context } from "#context.ts";
import type { ClearedCaches } from "#contract/admin.ts";
import { listMigrations } from "#storage/whole-tables.ts";
import { clearCaches } from "./caches.ts";

export interface Deployed {
  /** Migrations of the database since the given time. */
  migrations: string[];
  cache: ClearedCaches | undefined;
}

export async function deploy(ctx: Context, options: { since: string; skipCache: boolean }): Promise<Deployed> {
  allow(ctx, "update", { kind: "settings" });
  const migrations = await listMigrations(ctx.storage, options.since);
  return { migrations, cache: options.skipCache ? undefined : await clearCaches(ctx) };
}
