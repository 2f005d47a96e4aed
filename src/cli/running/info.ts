// info: versions, paths and counts of this installation.

import * as keys from "#access/api-keys.ts";
import { version } from "#base/version.ts";
import type { Call } from "#cli/call.ts";
import * as collections from "#content/collections/collections.ts";
import * as schemas from "#content/collections/schemas.ts";

export async function showInfo(call: Call): Promise<void> {
  const { dataDir, projectDir } = call.settings;
  const info = await call.work(async (ctx) => {
    const all = await collections.listCollections(ctx);
    return {
      version,
      node: process.versions.node,
      engine: ctx.storage.dialect.label,
      edition: ctx.settings.get("edition"),
      dataDir,
      projectDir,
      counts: {
        schemas: (await schemas.listSchemas(ctx)).length,
        collections: all.length,
        objects: all.reduce((sum, collection) => sum + collection.count, 0),
        keys: (await keys.listKeys(ctx)).length,
      },
    };
  });
  if (call.isJson) return call.out.json(info);
  const { counts, ...rest } = info;
  await call.out.table(
    ["Cairn", info.version],
    Object.entries({ ...rest, ...counts })
      .filter(([name]) => name !== "version")
      .map(([name, value]) => [name, String(value)]),
  );
}
