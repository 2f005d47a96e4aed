// What holds for users beyond their schema, by whichever door they are written: somebody can always administer the
// site, groups exist, no two people share an address, and nobody decides about their own rights.

import { type Account, accountOf, isUsable, usersCollection } from "#access/accounts.ts";
import { type Actor, isAdminPersona, isLimitedKey } from "#access/actor.ts";
import { readGroups } from "#access/groups.ts";
import { fail } from "#base/errors.ts";
import { foldCase } from "#base/text.ts";
import type { Change } from "#content/objects/change-object.ts";
import type { Context } from "#context.ts";
import { adminGroup } from "#contract/access-groups.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";
import { deleteTokensOf } from "#storage/tables/account-tokens.ts";
import { deleteGrantsOf } from "#storage/tables/oauth-grants.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { deleteSessionsOf } from "#storage/tables/sessions.ts";
import { findUserIdByEmail, listUsersOfGroup } from "#storage/tables/users.ts";
import type { OwnChange } from "./own-changes.ts";

/** Decided by administrators and by the service, never by the users themselves. */
export const reserved: ReadonlySet<string> = new Set([
  "groups",
  "active",
  "expiration",
  "maxLoginCount",
  "loginCount",
  "lastlogin",
  "passkeys",
  "created",
]);

interface UserState {
  document: JsonObject;
  secrets: ObjectSecrets;
}

export interface UserWrite {
  actor: Actor;
  before?: UserState;
  /** Absent: the user is deleted. */
  after?: UserState;
  now: string;
}

/** In the transaction of each write to a collection, once it has made other writers to the collection wait. */
export async function applyUserRules(
  tx: Tx,
  collection: string,
  { actor, before, after, now }: UserWrite,
): Promise<void> {
  if (collection !== usersCollection) return;
  const old = before && stateOf(before);
  const next = after && stateOf(after);
  if (isLimitedKey(actor)) checkNoAdmin(old, next);
  if (next) await checkGroups(tx, next, old);
  if (next) await checkEmail(tx, next);
  if (!old) return;
  // Links that were mailed are for the user with the address and the password of that time.
  if (next && (next.email !== old.email || next.passwordMark !== old.passwordMark)) await deleteTokensOf(tx, old.id);
  if (isWorkingAdmin(old, now) && !(next && isWorkingAdmin(next, now))) await checkOtherAdmin(tx, old, now);
  // They would not count any more in any case; once gone, nothing that is undone brings them back.
  const goesOn = next && isUsable(next, now) && next.passwordMark === old.passwordMark;
  if (goesOn) return;
  await deleteSessionsOf(tx, old.id);
  await deleteGrantsOf(tx, old.id);
}

function stateOf({ document, secrets }: UserState): Account {
  return accountOf(document, { rid: 0, password: secrets.password });
}

/** A key that is not for everything neither makes an administrator nor becomes one by another's record. */
function checkNoAdmin(old: Account | undefined, next: Account | undefined): void {
  if (!old?.groups.includes(adminGroup) && !next?.groups.includes(adminGroup)) return;
  fail("forbidden", "Only a key for every endpoint writes users of the group admin.");
}

async function checkGroups(tx: Tx, next: Account, old: Account | undefined): Promise<void> {
  const added = next.groups.filter((group) => !old?.groups.includes(group));
  if (added.length === 0) return;
  const known = await readGroups(tx);
  const unknown = added.filter((group) => !known.has(group));
  if (unknown.length === 0) return;
  fail("validation-failed", undefined, { groups: unknown.map((group) => `There is no group "${group}".`) });
}

/** People sign in by it in any case, so two that differ in case alone are one. */
async function checkEmail(tx: Tx, { id, email }: Account): Promise<void> {
  if (email === "" || (await findUserIdByEmail(tx, foldCase(email), id)) === undefined) return;
  fail("validation-failed", undefined, { email: ["Another user has this e-mail address."] });
}

function isWorkingAdmin(account: Account, now: string): boolean {
  return account.groups.includes(adminGroup) && isUsable(account, now);
}

async function checkOtherAdmin(tx: Tx, { id }: Account, now: string): Promise<void> {
  for (const row of await listUsersOfGroup(tx, adminGroup)) {
    const account = accountOf(JSON.parse(row.doc), { rid: 0 });
    if (account.id !== id && isWorkingAdmin(account, now)) return;
  }
  fail("in-use", "This is the last active administrator: make another one first.");
}

/** Whether somebody changes their own record without being an administrator. */
function isOwnChange({ actor }: Context, collection: string): boolean {
  return collection === usersCollection && !isAdminPersona(actor);
}

/** What users may not decide about themselves stays as it is stored, whatever was sent. */
export function limitOwnChange(
  ctx: Context,
  collection: string,
  asked: Change,
  { current, own }: { current: JsonObject; own: OwnChange | undefined },
): Change {
  const change = own?.address === undefined ? asked : withAddress(asked, current);
  if (!isOwnChange(ctx, collection)) return change;
  const isOpen = ([name]: [string, unknown]) => !reserved.has(name);
  const isKept = ([name]: [string, unknown]) => reserved.has(name);
  return {
    ...change,
    input: Object.fromEntries([
      ...Object.entries(change.input).filter(isOpen),
      ...Object.entries(current).filter(isKept),
    ]),
    ...(change.changed && { changed: new Set([...change.changed].filter((name) => !reserved.has(name))) }),
  };
}

/** The new one waits for its link. */
function withAddress(change: Change, { email }: JsonObject): Change {
  const input = Object.entries(change.input).filter(([name]) => name !== "email");
  return { ...change, input: Object.fromEntries([...input, ...(email === undefined ? [] : [["email", email]])]) };
}

export function checkOwnProperty(ctx: Context, collection: string, property: string): void {
  if (isOwnChange(ctx, collection) && reserved.has(property)) {
    fail("forbidden", `Only an administrator changes "${property}".`);
  }
}
