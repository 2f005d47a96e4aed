// Sessions: begun at login, found by the cookie's value on each request, ended by logout, time, or a change of the user.
// Only the hash of the value is stored. The CSRF token is made from the value, and so belongs to this session alone.

import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { Clock } from "#base/clock.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import {
  deleteExpiredSessions,
  deleteSession,
  findSession as findRow,
  insertSession,
  type SessionRow,
  stampSessions,
} from "#storage/tables/sessions.ts";
import { verdictRoom } from "./verdicts.ts";

export interface SessionParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}

/** The user of the session, with the marks that must still match for it to go on. */
export interface SessionUser {
  id: string;
  rid: number;
  passwordMark: string;
}

export interface SessionStart {
  address: string;
  agent: string;
  isRemembered: boolean;
  /** The session of the admin that acts as this user, by its hash. */
  impersonator?: string;
}

export interface StartedSession {
  /** For the cookie; it exists nowhere else. */
  value: string;
  csrfToken: string;
  expires: string;
}

const idleMs = 12 * 3_600_000;
const rememberedMs = 30 * 86_400_000;
const stampEveryMs = 60_000;
const keptSessions = 10_000;

export async function startSession(app: SessionParts, user: SessionUser, start: SessionStart): Promise<StartedSession> {
  const value = randomBytes(32).toString("base64url");
  const now = app.clock.now();
  const created = new Date(now).toISOString();
  const expires = new Date(now + lifetime(start.isRemembered)).toISOString();
  const row: SessionRow = {
    hash: hashOf(value),
    userId: user.id,
    userRid: user.rid,
    passwordMark: user.passwordMark,
    created,
    lastSeen: created,
    expires,
    isRemembered: Number(start.isRemembered),
    impersonator: start.impersonator ?? null,
    address: start.address,
    agent: start.agent.slice(0, 200),
  };
  await app.storage.write(async (tx) => {
    await deleteExpiredSessions(tx, created);
    await insertSession(tx, row);
  });
  return { value, csrfToken: csrfTokenOf(value), expires };
}

export function findSession(
  app: SessionParts,
  value: string,
): SessionRow | undefined | Promise<SessionRow | undefined> {
  return findSessionByHash(app, hashOf(value));
}

/** By the hash of the value; kept until any session ends. */
const sessions = createVersionedMap<Storage, SessionRow>(
  (storage) => storage.version("sessions"),
  verdictRoom(keptSessions),
);

/** At once when it is kept, else a promise. */
export function findSessionByHash(
  app: SessionParts,
  digest: string,
): SessionRow | undefined | Promise<SessionRow | undefined> {
  const found = sessions.get(app.storage, digest, () => findRow(app.storage, digest));
  if (found instanceof Promise) return found.then((row) => stillValid(app, row));
  return stillValid(app, found) ?? readAgain(app, digest, found);
}

/** Another process may have moved the end of a kept one, which moves no version. */
async function readAgain(app: SessionParts, digest: string, kept: SessionRow | undefined) {
  const row = await findRow(app.storage, digest);
  if (row && kept) Object.assign(kept, row);
  return stillValid(app, row);
}

function stillValid(app: SessionParts, row: SessionRow | undefined): SessionRow | undefined {
  if (!row) return undefined;
  const now = app.clock.now();
  if (Date.parse(row.expires) <= now) return undefined;
  noteUse(app, row, now);
  return row;
}

export async function endSession(app: SessionParts, value: string): Promise<void> {
  await app.storage.write((tx) => deleteSession(tx, hashOf(value)));
}

export function csrfTokenOf(value: string): string {
  return createHmac("sha256", value).update("csrf").digest("base64url");
}

export function isCsrfTokenOf(value: string, sent: unknown): boolean {
  if (typeof sent !== "string") return false;
  const expected = Buffer.from(csrfTokenOf(value));
  const given = Buffer.from(sent);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Each use moves the end of an idle session; written at most once a minute, outside the request. */
function noteUse(app: SessionParts, row: SessionRow, now: number): void {
  if (now - Date.parse(row.lastSeen) < stampEveryMs) return;
  row.lastSeen = new Date(now).toISOString();
  row.expires = new Date(now + lifetime(row.isRemembered === 1)).toISOString();
  const { hash: digest, lastSeen, expires } = row;
  note(app.storage, (tx) => stampSessions(tx, [{ hash: digest, lastSeen, expires }])).catch((error) =>
    app.log.warn({ err: error }, "a session could not be stamped"),
  );
}

function lifetime(isRemembered: boolean): number {
  return isRemembered ? rememberedMs : idleMs;
}

export function hashOf(value: string): string {
  return hash("sha256", value, "hex");
}
