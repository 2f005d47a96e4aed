// cache:clear, deploy.

import type { Call } from "#cli/call.ts";
import type { Json } from "#contract/json.ts";
import * as deployment from "#installation/deploy.ts";

export async function clearCache(call: Call): Promise<void> {
  const cleared = await call.work((ctx) => deployment.clearCaches(ctx));
  if (call.isJson) return call.out.json(cleared as unknown as Json);
  await call.out.line(`${removedText(cleared.images)} A running server reloads its caches.`);
}

export async function deploy(call: Call, options: { skipCache?: boolean }): Promise<void> {
  const since = new Date().toISOString();
  const done = await call.work((ctx) => deployment.deploy(ctx, { since, skipCache: options.skipCache === true }));
  if (call.isJson) return call.out.json({ migrations: done.migrations, cache: (done.cache ?? null) as Json });
  if (done.migrations.length === 0) await call.out.line("The database is up to date.");
  for (const name of done.migrations) await call.out.line(`Database: ${name}.`);
  if (done.cache) await call.out.line(removedText(done.cache.images));
}

function removedText(images: number): string {
  return images === 1 ? "1 derived image was removed." : `${images} derived images were removed.`;
}
