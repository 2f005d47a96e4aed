// Versions, paths and counts of this installation.

import { allow } from "#access/allow.ts";
import * as keys from "#access/api-keys.ts";
import { version } from "#base/version.ts";
import * as collections from "#content/collections/collections.ts";
import * as schemas from "#content/collections/schemas.ts";
import type { Context } from "#context.ts";
import type { InstallationInfo } from "#contract/admin.ts";

export async function getInfo(ctx: Context): Promise<InstallationInfo> {
  allow(ctx, "read", { kind: "settings" });
  const { settings } = ctx;
  const all = await collections.listCollections(ctx);
  return {
    version,
    node: process.versions.node,
    engine: ctx.storage.dialect.label,
    edition: settings.get("edition"),
    dataDir: settings.dataDir,
    projectDir: settings.projectDir,
    counts: {
      schemas: (await schemas.listSchemas(ctx)).length,
      collections: all.length,
      objects: all.reduce((sum, collection) => sum + collection.count, 0),
      keys: (await keys.listKeys(ctx)).length,
    },
  };
}
