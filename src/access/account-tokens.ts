// One-time tokens: random, short-lived, bound to the very user they were made for; only their hash is stored.

import { hash, randomBytes } from "node:crypto";
import type { Clock } from "#base/clock.ts";
import {
  deleteExpiredTokens,
  deleteTokensOf,
  findToken as findRow,
  insertToken,
  type TokenPurpose,
  type TokenRow,
  takeToken as takeRow,
} from "#storage/account-tokens.ts";
import { lockName } from "#storage/name-locks.ts";
import type { Storage, Tx } from "#storage/port.ts";

export interface TokenParts {
  storage: Storage;
  clock: Clock;
}

/** Without a user: for whoever comes. */
export interface TokenUse {
  purpose: TokenPurpose;
  user?: { id: string; rid: number };
}

/** 32 random bytes, base64url. A user has one live token for each purpose: this one takes the place of the last. */
export function issueToken(app: TokenParts, use: TokenUse, lifetimeMs: number): Promise<string> {
  return app.storage.write((tx) => issueTokenIn(tx, app, use, lifetimeMs));
}

/** Together with what else the transaction does. */
export async function issueTokenIn(
  tx: Tx,
  { clock }: Pick<TokenParts, "clock">,
  { purpose, user }: TokenUse,
  lifetimeMs: number,
): Promise<string> {
  const bytes = randomBytes(32);
  const token = bytes.toString("base64url");
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

function live(row: TokenRow | undefined, purpose: TokenPurpose, clock: Clock): TokenRow | undefined {
  return row?.purpose === purpose && row.expires > clock.iso() ? row : undefined;
}

function digest(token: string): string {
  return hash("sha256", token, "hex");
}
