// Clean-up: grants whose last token has expired, and self-registered clients without a grant after
// a day. By `oauth:gc`, by an administrator, and automatically once a day while the OAuth server is in use.

import { allow } from "#access/allow.ts";
import type { App, Context } from "#context.ts";
import type { Storage } from "#storage/port.ts";
import { countStaleClients, deleteStaleClients } from "#storage/tables/oauth-clients.ts";
import { deleteExpiredGrants } from "#storage/tables/oauth-grants.ts";
import { deleteExpiredTokens } from "#storage/tables/oauth-tokens.ts";
import { recordOAuth } from "./audit.ts";

export interface Collected {
  grants: number;
  /** The removed clients. */
  removed: { id: string; name: string }[];
}

const dayMs = 86_400_000;

export async function collectGarbage(ctx: Context): Promise<Collected> {
  allow(ctx, "delete", { kind: "oauth" });
  return deleteStale(ctx, { grants: true });
}

export async function deleteStale(app: App, { grants }: { grants: boolean }): Promise<Collected> {
  const now = app.clock.iso();
  const collected = await app.storage.write(async (tx) => {
    if (grants) await deleteExpiredTokens(tx, now);
    return {
      grants: grants ? await deleteExpiredGrants(tx, now) : 0,
      removed: (await deleteStaleClients(tx, aDayAgo(app))).map(({ id, name }) => ({ id, name })),
    };
  });
  for (const { id } of collected.removed) recordOAuth(app, { type: "client.deleted", clientId: id });
  return collected;
}

/** Clients that the next clean-up removes. */
export function countStale(app: App): Promise<number> {
  return countStaleClients(app.storage, aDayAgo(app));
}

function aDayAgo({ clock }: App): string {
  return new Date(clock.now() - dayMs).toISOString();
}

const sweptAt = new WeakMap<Storage, number>();

/** Called with each request to the OAuth server; works once a day, in the background. */
export function sweepDaily(app: App): void {
  const now = app.clock.now();
  if (now - (sweptAt.get(app.storage) ?? 0) < dayMs) return;
  sweptAt.set(app.storage, now);
  deleteStale(app, { grants: true }).catch((error) => {
    app.log.warn({ err: error }, "expired grants and stale clients could not be removed");
  });
}
