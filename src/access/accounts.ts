// The user behind a session: read from the collection `auth`, kept until any user changes, so that a changed group,
// password or state is felt on the next request.

import { hash } from "node:crypto";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { foldCase } from "#base/text.ts";
import type { App } from "#context.ts";
import { adminGroup, defaultGroup } from "#contract/access-groups.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { findObject, findSecrets } from "#storage/tables/objects.ts";
import { findUserIdByEmail } from "#storage/tables/users.ts";
import type { Actor, UserActor } from "./actor.ts";
import { loadGroups, permissionsOf } from "./groups.ts";
import { verdictRoom } from "./verdicts.ts";

export const usersCollection = "auth";

/** Decided by administrators and by the service, never by the users themselves. */
export const reservedProperties: ReadonlySet<string> = new Set([
  "groups",
  "active",
  "expiration",
  "maxLoginCount",
  "loginCount",
  "lastlogin",
  "passkeys",
  "created",
]);

export interface Account {
  id: string;
  /** Never used again, so a new user of the same id is a different one. */
  rid: number;
  email: string;
  name: string;
  groups: string[];
  isActive: boolean;
  /** ISO time after which the user may not sign in; empty: never. */
  expiration: string;
  maxLoginCount: number;
  loginCount: number;
  /** A mark of the present password that does not reveal it. */
  passwordMark: string;
}

const keptAccounts = 10_000;

const accounts = createVersionedMap<Storage, Account>(
  (storage) => storage.version(`objects:${usersCollection}`),
  verdictRoom(keptAccounts),
);

export async function findAccount(app: App, id: string): Promise<Account | undefined> {
  return accounts.get(app.storage, id, () => readAccount(app, id));
}

/** By e-mail address or id, whatever the case and the spaces around it. */
export async function findAccountByLogin(app: App, login: string): Promise<Account | undefined> {
  const name = normalizeLogin(login);
  if (name.includes("@")) return findAccountByEmail(app, name);
  return name === "" ? undefined : findAccount(app, name);
}

export async function findAccountByEmail(app: App, email: string): Promise<Account | undefined> {
  const id = await findUserIdByEmail(app.storage, normalizeLogin(email));
  return id === undefined ? undefined : findAccount(app, id);
}

export function normalizeLogin(login: string): string {
  return foldCase(login.trim());
}

/** Whether the user may be signed in at this moment. */
export function isUsable(account: Account, now: string): boolean {
  return account.isActive && !hasPassed(account.expiration, now);
}

/** A day without a time counts to its end. */
function hasPassed(expiration: string, now: string): boolean {
  if (expiration === "") return false;
  return expiration.endsWith("T00:00:00.000Z") ? expiration.slice(0, 10) < now.slice(0, 10) : expiration <= now;
}

export async function actorOf(
  app: App,
  account: Account,
  more: Pick<UserActor, "session" | "impersonator"> = {},
): Promise<UserActor> {
  const groups = await loadGroups(app.storage);
  return {
    kind: "user",
    id: account.id,
    rid: account.rid,
    isAdmin: account.groups.includes(adminGroup),
    permissions: permissionsOf(groups, account.groups),
    ...more,
  };
}

/** The stored hash, for the password check alone. */
export async function findPasswordHash(app: App, id: string): Promise<string | undefined> {
  return (await findSecrets(app.storage, usersCollection, id))?.password;
}

async function readAccount(app: App, id: string): Promise<Account | undefined> {
  const row = await findObject(app.storage, usersCollection, id);
  return row && accountOf(JSON.parse(row.doc), { rid: row.rid, password: await findPasswordHash(app, id) });
}

export function accountOf(
  user: JsonObject,
  { rid, password = "" }: { rid: number; password?: string | undefined },
): Account {
  const text = (name: string) => (typeof user[name] === "string" ? user[name] : "");
  const number = (name: string) => (typeof user[name] === "number" ? user[name] : 0);
  return {
    id: text("id"),
    rid,
    email: text("email"),
    name: text("name"),
    groups: Array.isArray(user.groups) ? user.groups.filter((group) => typeof group === "string") : [],
    isActive: user.active === true,
    expiration: text("expiration"),
    maxLoginCount: number("maxLoginCount"),
    loginCount: number("loginCount"),
    passwordMark: hash("sha256", password, "base64url").slice(0, 22),
  };
}

/** Of a session or a token; keys are in no group. */
export async function isInGroup(app: App, actor: Actor, groups: readonly string[]): Promise<boolean> {
  if (actor.kind !== "user" && actor.kind !== "token") return false;
  if (groups.includes(defaultGroup)) return true;
  const account = await findAccount(app, actor.id);
  return account?.groups.some((group) => groups.includes(group)) ?? false;
}
