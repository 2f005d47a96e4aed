// Proof that the user of a session is still there: they gave the password within ten minutes, or confirmed a passkey within five.
// A session that was left open is not enough, and neither is a script that runs in it.

import { fail } from "#base/errors.ts";
import type { Reader } from "#storage/port.ts";
import { findConfirmation } from "./account-tokens.ts";
import type { Actor } from "./actor.ts";

interface Asking {
  actor: Actor;
  storage: Reader;
  clock: { iso(): string };
}

/** For what holds every secret of the site: a key or a token has no session, and is refused. */
export async function requireRecentProof(ctx: Asking): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.session === undefined)
    return fail("forbidden", "This is for signed-in users: an API key has no session.");
  return confirmPower(ctx);
}

/**
 * For changes that give somebody or something power. After the rights, before the change. Keys, tokens, the command line and
 * deferred work are not asked: an operation that defers such a change asks when it is ordered.
 */
export async function confirmPower(ctx: Asking): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.session === undefined) return;
  if (!(await hasRecentProof(ctx, actor.session)))
    fail("confirm-required", undefined, { password: ["must be confirmed first"] });
}

/** `session`: its hash. */
export async function hasRecentProof(ctx: Pick<Asking, "storage" | "clock">, session: string): Promise<boolean> {
  for (const by of ["password", "passkey"] as const) if (await findConfirmation(ctx, session, by)) return true;
  return false;
}
