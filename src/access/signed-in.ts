// From a session cookie to its user. A session counts only while its user is the very one it began with,
// has the same password and may sign in; one that impersonates, only while the admin's own session does too.

import type { App } from "#context.ts";
import { adminGroup } from "#contract/access-groups.ts";
import type { SessionRow } from "#storage/tables/sessions.ts";
import { type Account, actorOf, findAccount, isUsable } from "./accounts.ts";
import type { UserActor } from "./actor.ts";
import { findSession, findSessionByHash } from "./sessions.ts";

export interface SignedIn {
  /** The cookie's value. */
  value: string;
  session: SessionRow;
  account: Account;
  actor: UserActor;
  /** The admin who acts as this user, and the session they do it from. */
  impersonator?: { session: SessionRow; account: Account };
}

/** The user of a session, as callers see it. */
export interface UserAnswer {
  id: string;
  email: string;
  name: string;
  groups: string[];
  isAdmin: boolean;
}

export async function findSignedIn(app: App, value: string): Promise<SignedIn | undefined> {
  const session = await findSession(app, value);
  const account = session && (await findHolder(app, session));
  if (!account) return undefined;
  const by = { session: session.hash };
  if (session.impersonator === null) return { value, session, account, actor: await actorOf(app, account, by) };
  const own = await findSessionByHash(app, session.impersonator);
  const admin = own && (await findHolder(app, own));
  if (!admin || !isAdmin(admin) || isAdmin(account)) return undefined;
  return {
    value,
    session,
    account,
    actor: await actorOf(app, account, { ...by, impersonator: admin.id }),
    impersonator: { session: own, account: admin },
  };
}

/** The user who began a session, or approved a grant, as they are now; undefined: it is over. */
export async function findHolder(app: App, session: Begun): Promise<Account | undefined> {
  const account = await findAccount(app, session.userId);
  return account && isSessionOf(account, session) && isUsable(account, app.clock.iso()) ? account : undefined;
}

type Begun = Pick<SessionRow, "userId" | "userRid" | "passwordMark">;

export function isSessionOf({ rid, passwordMark }: Account, session: Begun): boolean {
  return session.userRid === rid && session.passwordMark === passwordMark;
}

export function isAdmin({ groups }: Account): boolean {
  return groups.includes(adminGroup);
}

export function presentUser(account: Account): UserAnswer {
  const { id, email, name, groups } = account;
  return { id, email, name, groups, isAdmin: isAdmin(account) };
}
