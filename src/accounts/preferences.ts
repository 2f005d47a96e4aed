// What a user has chosen in the admin: theme, columns, own views. Private to the user, and deleted with the user.
// It is no part of the user's object, so it is neither exported nor synced. Of concurrent writes the last one stands.

import type { SignedIn } from "#access/signed-in.ts";
import { fail } from "#base/errors.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { renamedTable } from "#content/collections/renamed-names.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { renamesOf } from "#schemas/former-names.ts";
import { findPreferences, putPreferences } from "#storage/tables/preferences.ts";

export const maxPreferencesBytes = 64 * 1024;

export async function getPreferences(ctx: Context, { account }: SignedIn): Promise<JsonObject> {
  const text = await findPreferences(ctx.storage, account.rid);
  if (text === undefined) return {};
  const stored = JSON.parse(text) as JsonObject;
  const { tables } = stored;
  return isJsonObject(tables) ? { ...stored, tables: await followRenames(ctx, tables) } : stored;
}

/** Choices for tables name properties by the names of now, in collections that the user may read. */
async function followRenames(ctx: Context, tables: JsonObject): Promise<JsonObject> {
  const followed = { ...tables };
  for (const { id, schema } of await listOpenCollections(ctx, "read")) {
    const table = Object.hasOwn(tables, id) ? tables[id] : undefined;
    if (isJsonObject(table)) followed[id] = renamesOf(schema).reduce(renamedTable, table);
  }
  return followed;
}

export async function replacePreferences(ctx: Context, { account }: SignedIn, body: Json): Promise<JsonObject> {
  if (!isJsonObject(body)) return fail("invalid", "The preferences must be a JSON object.");
  const row = { userRid: account.rid, value: JSON.stringify(body), updated: ctx.clock.iso() };
  if (!(await ctx.storage.write((tx) => putPreferences(tx, row)))) fail("unauthenticated", "The session has ended.");
  return body;
}
