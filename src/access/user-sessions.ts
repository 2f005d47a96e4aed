// The sessions of one user: where they are signed in, and the end of single ones. Users do this for themselves, the admin
// persona for everybody.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { deleteSession, deleteSessionsOf, listSessions, type SessionRow } from "#storage/tables/sessions.ts";
import { type Account, findAccount } from "./accounts.ts";
import { allow } from "./allow.ts";
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

export function listOwnSessions(ctx: Context, { account }: SignedIn): Promise<SessionAnswer[]> {
  return present(ctx, account);
}

/** `isCurrent`: it was the one that asks. */
export function endOwnSession(ctx: Context, { account }: SignedIn, id: string): Promise<{ isCurrent: boolean }> {
  return end(ctx, account, id);
}

export async function listUserSessions(ctx: Context, user: string): Promise<SessionAnswer[]> {
  allow(ctx, "read", { kind: "users" });
  return present(ctx, await accountOf(ctx, user));
}

export async function endUserSession(ctx: Context, user: string, id: string): Promise<{ isCurrent: boolean }> {
  allow(ctx, "delete", { kind: "users" });
  return end(ctx, await accountOf(ctx, user), id);
}

/** All of them but the one that asks; how many that were. */
export async function endUserSessions(ctx: Context, user: string): Promise<number> {
  allow(ctx, "delete", { kind: "users" });
  const account = await accountOf(ctx, user);
  const ended = await ctx.storage.write((tx) => deleteSessionsOf(tx, account.id, currentOf(ctx)));
  if (ended > 0) audit(ctx, { type: "session.ended", user: account.id, details: { sessions: ended } });
  return ended;
}

async function present(ctx: Context, account: Account): Promise<SessionAnswer[]> {
  return (await readLive(ctx, account)).map(({ hash, created, lastSeen, address, agent }) => ({
    id: hash.slice(0, idLength),
    ...{ created, lastSeen, address, agent },
    isCurrent: hash === currentOf(ctx),
  }));
}

async function end(ctx: Context, account: Account, id: string): Promise<{ isCurrent: boolean }> {
  const session = (await readLive(ctx, account)).find(({ hash }) => hash.slice(0, idLength) === id);
  if (!session) return fail("not-found", "There is no such session.");
  await ctx.storage.write((tx) => deleteSession(tx, session.hash));
  audit(ctx, { type: "session.ended", user: account.id });
  return { isCurrent: session.hash === currentOf(ctx) };
}

async function readLive(ctx: Context, account: Account): Promise<SessionRow[]> {
  const now = ctx.clock.iso();
  const rows = await listSessions(ctx.storage, account.id);
  return rows.filter((row) => isSessionOf(account, row) && row.expires > now);
}

async function accountOf(ctx: Context, user: string): Promise<Account> {
  return (await findAccount(ctx, user)) ?? fail("not-found", `There is no user "${user}".`);
}

/** The hash of the session that asks, if one does. */
function currentOf({ actor }: Context): string | undefined {
  return actor.kind === "user" ? actor.session : undefined;
}
