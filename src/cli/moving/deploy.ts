// deploy.

import type { Call } from "#cli/call.ts";
import { clearedJson, removedText } from "#cli/running/caches.ts";
import * as deployment from "#installation/deploy.ts";

export async function deploy(call: Call, options: { skipCache?: boolean }): Promise<void> {
  const since = new Date().toISOString();
  const done = await call.work((ctx) => deployment.deploy(ctx, { since, skipCache: options.skipCache === true }));
  if (call.isJson)
    return call.out.json({ migrations: done.migrations, cache: done.cache ? clearedJson(done.cache) : null });
  if (done.migrations.length === 0) await call.out.line("The database is up to date.");
  for (const name of done.migrations) await call.out.line(`Database: ${name}.`);
  if (done.cache) await call.out.line(removedText(done.cache.deleted));
}
