// What a user has chosen in the admin: theme, columns, own views. Private to the user, and deleted with the user.
// It is no part of the user's object, so it is neither exported nor synced. Of concurrent writes the last one stands.

import type { SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findPreferences, putPreferences } from "#storage/tables/preferences.ts";

export const maxPreferencesBytes = 64 * 1024;

export async function getPreferences({ storage }: Context, { account }: SignedIn): Promise<JsonObject> {
  const text = await findPreferences(storage, account.rid);
  return text === undefined ? {} : (JSON.parse(text) as JsonObject);
}

export async function replacePreferences(ctx: Context, { account }: SignedIn, body: Json): Promise<JsonObject> {
  if (!isJsonObject(body)) return fail("invalid", "The preferences must be a JSON object.");
  const row = { userRid: account.rid, value: JSON.stringify(body), updated: ctx.clock.iso() };
  if (!(await ctx.storage.write((tx) => putPreferences(tx, row)))) fail("unauthenticated", "The session has ended.");
  return body;
}
