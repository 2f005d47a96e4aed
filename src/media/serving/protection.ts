// Protected files: for the groups of their collection, or for callers that bring the password.
// In a link the password travels as `pwd`: encrypted under the site key, for one file or one depot, with an end if wanted.
// An authentic `pwd` cannot be guessed, so it opens also while guessing is locked out.

import { hash } from "node:crypto";
import { isInGroup } from "#access/accounts.ts";
import { isAdminPersona } from "#access/actor.ts";
import { type Counter, counterName, hit, unhit } from "#access/counters.ts";
import { createLru } from "#base/caches/lru.ts";
import { rateLimited } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { verifyPassword } from "#base/passwords.ts";
import { findSiteKey, getSiteKey, openText, sealText } from "#base/secrets.ts";
import type { App, Context } from "#context.ts";
import type { FileEntry } from "#schemas/values/resolve-file.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";

/** Wrong passwords from one address: at one lock, and at all files together. */
const maxTries = 20;
const maxTriesOfAddress = 100;
const triesMs = 900_000;

/** What the caller brings beside credentials. */
export interface Pass {
  /** From a link. */
  pwd?: string | undefined;
  /** As typed. */
  password?: string | undefined;
  /** Where the call comes from: wrong passwords are counted by it. */
  address: string;
}

/** What keeps a file from callers that may read its object. */
export interface Lock {
  collection: string;
  id: string;
  /** The file's path below its object. */
  path: readonly string[];
  /** Of the password; undefined: there is none. */
  hash: string | undefined;
  /** The path of what holds the password: the file, a folder, the depot. Guesses are counted by it. */
  holder: readonly string[];
  /** Members only; none: all callers that may read the object. */
  groups: readonly string[];
}

/** The nearest password counts; the flag is that of the depot, or of a file that stands alone. */
export function lockOf(
  { collection, id, groups }: { collection: string; id: string; groups: readonly string[] },
  entry: FileEntry,
  { secrets, isProtectedByDefault }: { secrets: ObjectSecrets; isProtectedByDefault: boolean },
): Lock {
  const guard = entry.locks.at(-1)?.value;
  const isProtected = guard?.protected ?? isProtectedByDefault;
  const holder = entry.locks.find(({ path }) => secrets[secretOf(path)] !== undefined)?.path;
  return {
    collection,
    id,
    path: entry.path,
    hash: holder && secrets[secretOf(holder)],
    holder: holder ?? entry.path,
    groups: isProtected === true ? groups : [],
  };
}

/** The name of the password of a file, folder or depot among the secrets of its object. */
export function secretOf(path: readonly string[]): string {
  return `${path.join(".")}.password`;
}

export function isLocked({ hash, groups }: Lock): boolean {
  return hash !== undefined || groups.length > 0;
}

/** Whether the caller passes the lock without a password. `hasRight`: may read the object by a right of their own. */
export async function isMember(ctx: Context, { hash, groups }: Lock, hasRight: boolean): Promise<boolean> {
  if (isAdminPersona(ctx.actor)) return true;
  if (hash !== undefined && !hasRight) return false;
  return groups.length === 0 || (await isInGroup(ctx, ctx.actor, groups));
}

export function hasPass({ pwd, password }: Pass): boolean {
  return Boolean(pwd || password);
}

/** Throws rate-limited after too many wrong ones. */
export async function opens(ctx: Context, lock: Lock, pass: Pass): Promise<boolean> {
  const { pwd, password, address } = pass;
  if (pwd && (await isRightLink(ctx, lock, pwd))) return true;
  if (!pwd && !password) return false;
  // Counted before it is looked at, so that many at once are no way around.
  await countTry(ctx, lock, address);
  if (!password || lock.hash === undefined || !(await isPasswordOf(lock.hash, password))) return false;
  await unhit(ctx, { takeBack: countersOf(lock, address) });
  return true;
}

interface Token {
  password: string;
  /** Milliseconds since 1970. */
  expires?: number;
}

async function isRightLink(ctx: Context, lock: Lock, pwd: string): Promise<boolean> {
  const key = findSiteKey(ctx.settings.dataDir);
  if (!key) return false;
  // For this file, or for everything below a folder or property around it.
  for (let length = lock.path.length; length > 0; length -= 1) {
    const text = openText(key, pwd, purposeOf({ ...lock, path: lock.path.slice(0, length) }));
    if (text === undefined) continue;
    const { password, expires } = JSON.parse(text) as Token;
    if (expires !== undefined && expires <= ctx.clock.now()) return false;
    // Where only membership is asked for, it is enough that the link was made here.
    return lock.hash === undefined || isPasswordOf(lock.hash, password);
  }
  return false;
}

/** The path is that of a file, or of a property or folder: then it opens everything below. */
export function makePwd(
  { settings }: Pick<App, "settings">,
  target: Pick<Lock, "collection" | "id" | "path">,
  token: Token,
): string {
  return sealText(getSiteKey(settings.dataDir), JSON.stringify(token), purposeOf(target));
}

function purposeOf({ collection, id, path }: Pick<Lock, "collection" | "id" | "path">): string {
  return `file ${JSON.stringify([collection, id, ...path])}`;
}

/** Verifying is slow on purpose; one link is asked for many times. */
const verdicts = createLru<boolean>(1_000);

export async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  const name = hash("sha256", `${password}\n${stored}`, "base64");
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = await verifyPassword(password, stored);
  verdicts.set(name, verdict);
  return verdict;
}

async function countTry(ctx: Context, lock: Lock, address: string): Promise<void> {
  const over = await hit(ctx, countersOf(lock, address), triesMs);
  if (over) throw rateLimited(over.waitMs);
}

/** One for the lock, one for all files together. */
function countersOf({ collection, id, holder }: Lock, address: string): Counter[] {
  const from = networkOf(address) ?? address;
  return [
    { name: counterOf([collection, id, ...holder, from]), limit: maxTries },
    { name: counterOf([from]), limit: maxTriesOfAddress },
  ];
}

function counterOf(what: string[]): string {
  return counterName("file-password", JSON.stringify(what));
}
