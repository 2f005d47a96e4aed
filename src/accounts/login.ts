// Signing in and out. Open to all callers, so nothing here reveals which users exist: one error for every reason, in the same time.

import {
  type Account,
  accountOf,
  actorOf,
  findAccountByLogin,
  findPasswordHash,
  isUsable,
  normalizeLogin,
  usersCollection,
} from "#access/accounts.ts";
import { audit } from "#access/audit.ts";
import { checkThrottle, clearFailures } from "#access/login-throttle.ts";
import { endSession, type StartedSession, startSession } from "#access/sessions.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import { hashPassword, verifyPassword } from "#base/passwords.ts";
import { react } from "#content/collection-hooks.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { objectRow } from "#content/objects/write-work.ts";
import type { Context } from "#context.ts";
import { buildDocument } from "#schemas/build.ts";
import { moveFormerSecrets } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import { updateObject } from "#storage/tables/object-writes.ts";
import { lockObject } from "#storage/tables/objects.ts";
import { deleteSession } from "#storage/tables/sessions.ts";

/** Where a session is used from; shown to its owner. */
export interface Client {
  address: string;
  agent: string;
}

export interface SignInStart extends Client {
  isRemembered: boolean;
  /** The value of the sent cookie; its session ends. */
  previous?: string | undefined;
}

export interface LoginAttempt extends SignInStart {
  /** E-mail address or id. */
  login: string;
  password: string;
}

export interface Login {
  account: Account;
  session: StartedSession;
}

/** Verified for unknown users, so that they take as long as known ones. */
let nobodysHash: Promise<string> | undefined;

export async function logIn(ctx: Context, { login, password, ...start }: LoginAttempt): Promise<Login> {
  const found = await findAccountByLogin(ctx, login);
  const throttled = { account: normalizeLogin(login), user: found?.id, address: start.address };
  await checkThrottle(ctx, throttled);
  const hash = found && (await findPasswordHash(ctx, found.id));
  nobodysHash ??= hashPassword("");
  const isRight = await verifyPassword(password, hash ?? (await nobodysHash));
  const proven = found && hash !== undefined && isRight ? { account: found, hash } : undefined;
  const begun = proven && (await signIn(ctx, proven, start));
  if (!begun) {
    audit(ctx, { type: "login.failed", user: found?.id });
    return fail("unauthenticated", "The email address or the password is wrong.");
  }
  await clearFailures(ctx, throttled);
  return begun;
}

/**
 * For a caller that has proven to be this user, by password or by passkey, while this was the password's hash.
 * Undefined when the user may not sign in.
 */
export async function signIn(
  ctx: Context,
  proven: { account: Account; hash: string },
  { address, agent, isRemembered, previous }: SignInStart,
): Promise<Login | undefined> {
  const account = await countLogin(ctx, proven.account, proven.hash);
  if (!account) return undefined;
  const session = await startSession(ctx, account, { address, agent, isRemembered });
  if (previous !== undefined) await endSession(ctx, previous);
  audit({ ...ctx, actor: await actorOf(ctx, account) }, { type: "login.succeeded", user: account.id });
  return { account, session };
}

/**
 * Checks again under lock, so that of two concurrent logins only one gets the last allowed one.
 * A login is not an edit: `modified` stays, and the only event is that of the login.
 */
async function countLogin(ctx: Context, { id, rid }: Account, hash: string): Promise<Account | undefined> {
  const collection = await getCollection(ctx, usersCollection);
  const { schema } = collection;
  const now = ctx.clock.iso();
  return ctx.storage.write(async (tx) => {
    const row = await lockObject(tx, usersCollection, id);
    if (row?.rid !== rid || row.secrets.password !== hash) return undefined;
    const user = storedDocument(ctx, schema, row);
    const { loginCount, maxLoginCount, ...account } = accountOf(user, { rid, password: hash });
    const isUsedUp = maxLoginCount > 0 && loginCount >= maxLoginCount;
    if (isUsedUp || !isUsable({ ...account, loginCount, maxLoginCount }, now)) return undefined;
    const { created, modified } = row;
    const secrets = moveFormerSecrets(schema, row.secrets);
    const changes = { loginCount: loginCount + 1, lastlogin: now };
    const { document } = buildDocument(
      schema,
      { ...user, ...changes },
      {
        ...{ now, created, modified, secrets, files: user },
        counter: 0,
        htmlclean: htmlclean(ctx),
        hashes: new Map(),
        changed: new Set(Object.keys(changes)),
      },
    );
    const entry = indexEntry(schema, document);
    await updateObject(tx, row, { write: { ...objectRow(collection, document, secrets), entry }, record: undefined });
    await react(ctx, tx, { type: "user.login", user: id });
    return accountOf(document, { rid, password: hash });
  });
}

/** Also ends the session of an admin who acted as this user: its cookie is gone. */
export async function logOut(ctx: Context, { session, account }: SignedIn): Promise<void> {
  await ctx.storage.write(async (tx) => {
    await deleteSession(tx, session.hash);
    if (session.impersonator !== null) await deleteSession(tx, session.impersonator);
    await react(ctx, tx, { type: "user.logout", user: account.id });
  });
  audit(ctx, { type: "logout", user: account.id });
}
