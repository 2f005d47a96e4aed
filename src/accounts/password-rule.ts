// How long the password of a user must be, by whichever door it comes: at least as long as the schema of users says,
// and longer where the setting asks for more.

import { type ErrorDetails, fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { leastPasswordLength } from "#schemas/builtin/users.ts";

type Parts = Pick<App, "settings">;

export function minPasswordLength({ settings }: Parts): number {
  return settings.get("auth.minPasswordLength");
}

export function checkNewPassword(app: Parts, password: string): void {
  if (lengthOf(password) < minPasswordLength(app)) fail("validation-failed", undefined, tooShort(app));
}

/** Checks what is sent for users. A password that is shorter than the schema allows is left to it: it reports all faults at once. */
export function passwordCheck(app: Parts): (sent: JsonObject) => Promise<ErrorDetails> {
  return async ({ password }) => {
    const isLeft = typeof password !== "string" || lengthOf(password) < leastPasswordLength;
    return isLeft || lengthOf(password) >= minPasswordLength(app) ? {} : tooShort(app);
  };
}

function lengthOf(password: string): number {
  return [...password].length;
}

function tooShort(app: Parts): ErrorDetails {
  return { password: [`String must be at least ${minPasswordLength(app)} characters`] };
}
