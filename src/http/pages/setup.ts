// The first administrator: while there is no user, the console shows a link with a one-time token, and only its
// holder may create one. Each start makes a new token. Where nodes share a database, each accepts the tokens of all for a day: a
// balancer leads the link of one to another.

import { createHash, timingSafeEqual } from "node:crypto";
import { findToken, keepToken } from "#access/account-tokens.ts";
import { system } from "#access/actor.ts";
import { minPasswordLength } from "#accounts/password-rule.ts";
import { createFirstAdmin, hasUsers } from "#accounts/users.ts";
import { type App, contextFor, type Origin } from "#context.ts";

const sharedForMs = 86_400_000;

export interface SetupGate {
  /** The path to print on the console; undefined when there is a user already. */
  readonly link: string | undefined;
  /** Minimum length of a password. */
  minPassword(): number;
  /** Whether there is no user yet. */
  isOpen(): Promise<boolean>;
  /** Whether the token is valid now. */
  admits(token: unknown): Promise<boolean>;
  /** Closes the setup. Of several concurrent calls one succeeds; the others are refused. */
  createAdmin(account: { email: string; password: string; name?: string }, origin?: Origin): Promise<void>;
}

export async function createSetupGate(app: App, token: string): Promise<SetupGate> {
  const ctx = contextFor(app, system);
  const expected = digest(token);
  let isOpen = !(await hasUsers(ctx));
  const isShared = app.storage.isShared && !app.storage.isReadOnly;
  if (isOpen && isShared) await keepToken(app, token, { purpose: "setup", lifetimeMs: sharedForMs });
  const isKnown = async (sent: string) =>
    timingSafeEqual(digest(sent), expected) || (isShared && (await findToken(app, sent, "setup")) !== undefined);
  /** A user may have been created on the command line meanwhile. */
  const look = async () => {
    if (isOpen && (await hasUsers(ctx))) isOpen = false;
    return isOpen;
  };
  return {
    link: isOpen ? `/setup?token=${token}` : undefined,
    minPassword: () => minPasswordLength(app),
    isOpen: look,
    async admits(sent) {
      if (!isOpen || typeof sent !== "string" || !(await isKnown(sent))) return false;
      return look();
    },
    async createAdmin(account, origin) {
      await createFirstAdmin(contextFor(app, system, origin), account);
      isOpen = false;
    },
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
