// For what holds every secret of the site: the user of the session has given the password within ten minutes, or confirmed a
// passkey within five. A key, a token or a session that was left open is not enough.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { findConfirmation } from "./account-tokens.ts";

export async function requireRecentProof(ctx: Context): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user" || actor.session === undefined)
    return fail("forbidden", "This is for signed-in users: an API key has no session.");
  for (const by of ["password", "passkey"] as const) if (await findConfirmation(ctx, actor.session, by)) return;
  fail("forbidden", "Confirm your password first: POST /api/auth/confirm with it. That holds for ten minutes.", {
    password: ["must be confirmed first"],
  });
}
