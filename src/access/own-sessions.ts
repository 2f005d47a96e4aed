// The sessions of the user that asks: lists where they are signed in, and ends single ones.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { deleteSession, listSessions, type SessionRow } from "#storage/tables/sessions.ts";
import { audit } from "./audit.ts";
import { isSessionOf, type SignedIn } from "./signed-in.ts";

export interface SessionAnswer {
  id: string;
  created: string;
  lastSeen: string;
  address: string;
  agent: string;
  /** The one that asks. */
  isCurrent: boolean;
}

/** Enough of the hash to name a session; it opens nothing. */
const idLength = 12;

export async function listOwnSessions(ctx: Context, current: SignedIn): Promise<SessionAnswer[]> {
  return (await readOwn(ctx, current)).map(({ hash, created, lastSeen, address, agent }) => ({
    id: hash.slice(0, idLength),
    ...{ created, lastSeen, address, agent },
    isCurrent: hash === current.session.hash,
  }));
}

/** `isCurrent`: it was the one that asks. */
export async function endOwnSession(ctx: Context, current: SignedIn, id: string): Promise<{ isCurrent: boolean }> {
  const session = (await readOwn(ctx, current)).find(({ hash }) => hash.slice(0, idLength) === id);
  if (!session) return fail("not-found", "There is no such session.");
  await ctx.storage.write((tx) => deleteSession(tx, session.hash));
  audit(ctx, { type: "session.ended", user: current.account.id });
  return { isCurrent: session.hash === current.session.hash };
}

async function readOwn(ctx: Context, { account }: SignedIn): Promise<SessionRow[]> {
  const now = ctx.clock.iso();
  const rows = await listSessions(ctx.storage, account.id);
  return rows.filter((row) => isSessionOf(account, row) && row.expires > now);
}
