// What holds for users beyond their schema, by whichever door they are written: at least one administrator can sign in,
// none locks themselves out, groups exist, no two users share an address, and users do not decide about their own rights.

import { type Account, accountOf, isUsable, reservedProperties, usersCollection } from "#access/accounts.ts";
import { isAdminPersona, isLimitedKey } from "#access/actor.ts";
import { readGroups } from "#access/groups.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { foldCase } from "#base/text.ts";
import type { Change, ObjectState } from "#content/objects/change.ts";
import { type AppliedWrite, type ChangeRequest, type ChangeRules, differing } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import { adminGroup } from "#contract/access-groups.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Reader, Tx } from "#storage/port.ts";
import { deleteTokensOf } from "#storage/tables/account-tokens.ts";
import { deleteGrantsOf } from "#storage/tables/oauth-grants.ts";
import { deletePreferencesOf } from "#storage/tables/preferences.ts";
import { deleteSessionsOf } from "#storage/tables/sessions.ts";
import { findUserIdByEmail, listUsersOfGroup } from "#storage/tables/users.ts";
import { proofField } from "./identity-proof.ts";
import { checkOwnChange, finishOwnChange, type OwnChange, openOwnChange } from "./own-changes.ts";
import { passwordCheck } from "./password-rule.ts";
import { userAudit } from "./user-audit.ts";

/** Of another user: what it may do, and who can sign in as it. */
const powerProperties = ["groups", "email", "password", "active", "expiration", "maxLoginCount"];

/** Noted by the service. They belong to the person, wherever the record is: a trusted import brings them along. */
const noted = ["loginCount", "lastlogin", "passkeys"];

export function registerUserRules(app: Pick<App, "settings" | "rules">): void {
  app.rules.add(usersCollection, {
    check: passwordCheck(app),
    asides: [proofField],
    checkProperty,
    openChange: openUserChange,
    apply: applyUserRules,
    power: { properties: powerProperties, isInDeletion: true, isIn: isUserPower },
    findProblems: (db, { document, before }) => problemsOf(db, accountFrom(document), before && accountFrom(before)),
    serviceProperties: { names: noted, areLocal: false },
    audit: userAudit,
  });
}

async function openUserChange(ctx: Context, request: ChangeRequest): Promise<ChangeRules> {
  const own = await openOwnChange(ctx, request);
  return {
    limit: (change, current) => limitOwnChange(ctx, change, { current, own }),
    judge: (change) => checkOwnChange(ctx, change, own),
    finish: () => own && finishOwnChange(ctx, own),
  };
}

/** Own changes have their own proof (own-changes.ts). */
function isUserPower({ actor, before, after }: Omit<AppliedWrite, "now">): boolean {
  if (!before || !after) return true;
  if (actor.kind === "user" && actor.id === before.document.id) return false;
  return before.secrets.password !== after.secrets.password || differing(powerProperties, before, after).length > 0;
}

/** In the transaction of each write, once it has made other writers to the collection wait. */
async function applyUserRules(tx: Tx, { actor, before, after, now }: AppliedWrite): Promise<void> {
  const old = before && stateOf(before);
  const next = after && stateOf(after);
  if (isLimitedKey(actor)) checkNoAdmin(old, next);
  const problems = next ? await problemsOf(tx, next, old) : {};
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  if (!old) return;
  // Links that were mailed are for the user with the address and the password of that time.
  if (next && (next.email !== old.email || next.passwordMark !== old.passwordMark)) await deleteTokensOf(tx, old.id);
  if (isWorkingAdmin(old, now) && !(next && isWorkingAdmin(next, now))) {
    const loss = { now, property: next && lostBy(next) };
    await checkOtherAdmin(tx, old, loss);
    checkNotOneself(actor, old, loss);
  }
  // Sessions and grants are not valid any more in any case; deleted, they do not come back when the change is reverted.
  const goesOn = next && isUsable(next, now) && next.passwordMark === old.passwordMark;
  if (goesOn) return;
  if (!next) await deletePreferencesOf(tx, old.id);
  await deleteSessionsOf(tx, old.id);
  await deleteGrantsOf(tx, old.id);
}

function stateOf({ document, secrets }: ObjectState): Account {
  return accountOf(document, { rid: 0, password: secrets.password });
}

function accountFrom(document: JsonObject): Account {
  return stateOf({ document, secrets: {} });
}

/** A limited key neither makes an administrator nor takes over the record of one. */
function checkNoAdmin(old: Account | undefined, next: Account | undefined): void {
  if (!old?.groups.includes(adminGroup) && !next?.groups.includes(adminGroup)) return;
  fail("forbidden", "Only a key for every endpoint may write users of the group admin.");
}

/** Users sign in by their address in upper or lower case, so addresses that differ in case alone are one. */
async function problemsOf(db: Reader, { id, email, groups }: Account, old: Account | undefined): Promise<ErrorDetails> {
  const details: ErrorDetails = {};
  const added = groups.filter((group) => !old?.groups.includes(group));
  const known = added.length > 0 ? await readGroups(db) : new Map();
  const unknown = added.filter((group) => !known.has(group));
  if (unknown.length > 0) details.groups = unknown.map((group) => `There is no group "${group}".`);
  if (email !== "" && (await findUserIdByEmail(db, foldCase(email), id)) !== undefined)
    details.email = ["Another user has this e-mail address."];
  return details;
}

function isWorkingAdmin(account: Account, now: string): boolean {
  return account.groups.includes(adminGroup) && isUsable(account, now);
}

/** A working administrator is to be none any more; without a property the user is deleted. */
interface Loss {
  now: string;
  property: string | undefined;
}

/** The property by which a user is no working administrator any more. */
function lostBy({ groups, isActive }: Account): string {
  if (!groups.includes(adminGroup)) return "groups";
  return isActive ? "expiration" : "active";
}

async function checkOtherAdmin(tx: Tx, { id }: Account, { now, property }: Loss): Promise<void> {
  for (const row of await listUsersOfGroup(tx, adminGroup)) {
    const account = accountOf(JSON.parse(row.doc), { rid: 0 });
    if (account.id !== id && isWorkingAdmin(account, now)) return;
  }
  refuseLoss("This is the last active administrator: make another one first.", property);
}

/** Somebody who has locked themselves out cannot undo it. */
function checkNotOneself(actor: AppliedWrite["actor"], { id }: Account, { property }: Loss): void {
  if (actor.kind !== "user" || actor.id !== id) return;
  refuseLoss("You would lock yourself out: ask another administrator to do this.", property);
}

function refuseLoss(message: string, property: string | undefined): never {
  fail("in-use", message, property === undefined ? undefined : { [property]: [message] });
}

/** What users may not decide about themselves stays as it is stored, whatever was sent. */
function limitOwnChange(
  { actor }: Context,
  asked: Change,
  { current, own }: { current: JsonObject; own: OwnChange | undefined },
): Change {
  const change = own?.address === undefined ? asked : withAddress(asked, current);
  if (isAdminPersona(actor)) return change;
  const isOpen = ([name]: [string, unknown]) => !reservedProperties.has(name);
  const isKept = ([name]: [string, unknown]) => reservedProperties.has(name);
  return {
    ...change,
    input: Object.fromEntries([
      ...Object.entries(change.input).filter(isOpen),
      ...Object.entries(current).filter(isKept),
    ]),
    ...(change.changed && { changed: new Set([...change.changed].filter((name) => !reservedProperties.has(name))) }),
  };
}

/** The new address waits for its link. */
function withAddress(change: Change, { email }: JsonObject): Change {
  const input = Object.entries(change.input).filter(([name]) => name !== "email");
  return { ...change, input: Object.fromEntries([...input, ...(email === undefined ? [] : [["email", email]])]) };
}

function checkProperty({ actor }: Context, property: string): void {
  if (!isAdminPersona(actor) && reservedProperties.has(property)) {
    fail("forbidden", `Only an administrator may change "${property}".`);
  }
}
