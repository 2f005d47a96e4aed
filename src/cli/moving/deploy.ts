// deploy: after an update of Cairn, and with a folder, a release of the definitions that git keeps.

import type { Call } from "#cli/call.ts";
import { clearedJson, removedText } from "#cli/running/caches.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { ImportReport, ItemRef } from "#contract/transfer.ts";
import * as deployment from "#installation/deploy.ts";
import { changedSettings, setSettingsAfter } from "#installation/settings.ts";
import { type Checkout, deployCheckout, readCheckout } from "#sync/read-checkout.ts";

interface DeployOptions {
  skipCache?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

interface Released extends ImportReport {
  /** Keys of settings. */
  settings: string[];
}

export async function deploy(call: Call, options: DeployOptions, folder?: string): Promise<void> {
  const since = new Date().toISOString();
  const isTrial = options.dryRun === true;
  const checkout = folder === undefined ? undefined : await readCheckout(folder);
  const skipCache = options.skipCache === true || isTrial;
  const { released, done } = await call.work(async (ctx) => ({
    released: checkout && (await release(ctx, checkout, { isTrial, isConfirmed: options.yes === true })),
    done: await deployment.deploy(ctx, { since, skipCache }),
  }));
  if (call.isJson) {
    const cache = done.cache ? clearedJson(done.cache) : null;
    const definitions = released ? { definitions: released as unknown as JsonObject } : {};
    return call.out.json({ migrations: done.migrations, cache, ...definitions });
  }
  if (done.migrations.length === 0) await call.out.line("The database is up to date.");
  for (const name of done.migrations) await call.out.line(`Database: ${name}.`);
  if (released) await showReleased(call, released, isTrial);
  if (done.cache) await call.out.line(removedText(done.cache.deleted));
}

async function release(
  ctx: Context,
  checkout: Checkout,
  { isTrial, isConfirmed }: { isTrial: boolean; isConfirmed: boolean },
): Promise<Released> {
  const settings = changedSettings(ctx, checkout.settings);
  const report = isTrial
    ? await deployCheckout(ctx, checkout, true)
    : await setSettingsAfter(ctx, () => deployCheckout(ctx, checkout, false), settings, { isConfirmed });
  return { ...report, settings: [...settings.keys()] };
}

async function showReleased(call: Call, released: Released, isTrial: boolean): Promise<void> {
  const { created, updated, unchanged, skipped, settings } = released;
  const print = async (mark: string, items: readonly ItemRef[]) => {
    for (const { kind, id } of items) await call.out.line(`${mark} ${kind} ${id}`);
  };
  await print("+", created);
  await print("~", updated);
  await print("-", skipped);
  for (const key of settings) await call.out.line(`~ setting ${key}`);
  const count = created.length + updated.length + settings.length;
  const words = isTrial ? "would change" : "changed";
  await call.out.line(`Definitions: ${count} ${words}, ${unchanged.length} are the same.`);
}
