// One-time tokens: random, short-lived, bound to the very user they were made for; only their hash is stored.

import { hash, randomBytes } from "node:crypto";
import type { Clock } from "#base/clock.ts";
import { lockName } from "#storage/name-locks.ts";
import { type Reader, type Storage, type Tx, UniqueViolation } from "#storage/port.ts";
import {
  deleteExpiredTokens,
  deleteTokensOf,
  findToken as findRow,
  insertToken,
  type TokenPurpose,
  type TokenRow,
  takeToken as takeRow,
} from "#storage/tables/account-tokens.ts";

export interface TokenParts {
  storage: Storage;
  clock: Clock;
}

/** Without a user: for anybody. */
export interface TokenUse {
  purpose: TokenPurpose;
  user?: { id: string; rid: number };
  /** A text that the token carries and is bound to: only the whole token is found. */
  note?: string;
}

const randomSize = 32;
/** Of the random part. */
const textLength = Math.ceil((randomSize * 4) / 3);

/** 32 random bytes, base64url, and the note if there is one. A user has one live token for each purpose: this one takes the place of the last. */
export function issueToken(app: TokenParts, use: TokenUse, lifetimeMs: number): Promise<string> {
  return app.storage.write((tx) => issueTokenIn(tx, app, use, lifetimeMs));
}

/** Together with what else the transaction does. */
export async function issueTokenIn(
  tx: Tx,
  { clock }: Pick<TokenParts, "clock">,
  { purpose, user, note = "" }: TokenUse,
  lifetimeMs: number,
): Promise<string> {
  const token = randomBytes(randomSize).toString("base64url") + Buffer.from(note).toString("base64url");
  const now = clock.now();
  const created = new Date(now).toISOString();
  const expires = new Date(now + lifetimeMs).toISOString();
  // Of two that are asked for at the same moment one is the last.
  if (user) await lockName(tx, `${purpose} ${user.id}`);
  await deleteExpiredTokens(tx, created);
  if (user) await deleteTokensOf(tx, user.id, purpose);
  const holder = { userId: user?.id ?? "", userRid: user?.rid ?? 0 };
  await insertToken(tx, { hash: digest(token), purpose, ...holder, created, expires });
  return token;
}

/** Of a token that others have made, for anybody. Several processes may have the same one. */
export async function keepToken(
  { storage, clock }: TokenParts,
  token: string,
  { purpose, lifetimeMs }: { purpose: TokenPurpose; lifetimeMs: number },
): Promise<void> {
  const [created, expires] = [0, lifetimeMs].map((ms) => new Date(clock.now() + ms).toISOString()) as [string, string];
  const row: TokenRow = { hash: digest(token), purpose, userId: "", userRid: 0, created, expires };
  await storage
    .write((tx) => insertToken(tx, row))
    .catch((error) => {
      if (!(error instanceof UniqueViolation)) throw error;
    });
}

/** Looks without using it up. */
export async function findToken(app: TokenParts, token: string, purpose: TokenPurpose): Promise<TokenRow | undefined> {
  return live(await findRow(app.storage, digest(token)), purpose, app.clock);
}

/** Uses it up: of several at once one gets it. */
export async function takeToken(
  tx: Tx,
  token: string,
  { purpose, clock }: { purpose: TokenPurpose; clock: Clock },
): Promise<TokenRow | undefined> {
  return live(await takeRow(tx, digest(token)), purpose, clock);
}

export function noteOf(token: string): string {
  return Buffer.from(token.slice(textLength), "base64url").toString("utf8");
}

/** How the user of a session has confirmed their identity. */
export type Confirmation = "passkey" | "password";

interface Confirming {
  /** Its hash. */
  session: string;
  user: { id: string; rid: number };
  lifetimeMs: number;
  by?: Confirmation;
}

/** Notes that the user of this session has just confirmed their identity. */
export async function confirmSession(
  { storage, clock }: TokenParts,
  { session, user, lifetimeMs, by = "passkey" }: Confirming,
): Promise<string> {
  const now = clock.now();
  const [created, expires] = [new Date(now).toISOString(), new Date(now + lifetimeMs).toISOString()];
  const hash = confirmationOf(session, by);
  await storage.write(async (tx) => {
    await takeRow(tx, hash);
    await insertToken(tx, { hash, purpose: "confirmed", userId: user.id, userRid: user.rid, created, expires });
  });
  return expires;
}

export async function findConfirmation(
  app: { storage: Reader; clock: Pick<Clock, "iso"> },
  session: string,
  by: Confirmation = "passkey",
): Promise<TokenRow | undefined> {
  return live(await findRow(app.storage, confirmationOf(session, by)), "confirmed", app.clock);
}

/** No token has this form, so none is taken for it. */
function confirmationOf(session: string, by: Confirmation): string {
  return digest(by === "passkey" ? `confirmed ${session}` : `confirmed by ${by} ${session}`);
}

function live(row: TokenRow | undefined, purpose: TokenPurpose, clock: Pick<Clock, "iso">): TokenRow | undefined {
  return row?.purpose === purpose && row.expires > clock.iso() ? row : undefined;
}

function digest(token: string): string {
  return hash("sha256", token, "hex");
}
