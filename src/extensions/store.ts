// What an extension keeps for itself: JSON by key, in the database, so that every process and every backup has it.

import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import {
  deleteStored,
  findStored,
  listStoredKeys,
  lockStored,
  putStored,
} from "#storage/tables/extensions/extension-store.ts";

const maxValue = 1_000_000;
const maxKey = 200;
const pageSize = 1_000;

type Functions = Record<string, (...args: Json[]) => Promise<Json>>;

export function storeFunctions(ctx: Context, extension: string): Functions {
  return {
    "store.get": async (key) => {
      const row = await findStored(ctx.storage, extension, keyOf(key));
      const isThere = row !== undefined && (row.expires === null || row.expires > ctx.clock.iso());
      return isThere ? { value: JSON.parse(row.value) as Json, rev: row.rev } : null;
    },
    "store.set": (key, value, options) => put(ctx, extension, { key: keyOf(key), value, options: options ?? null }),
    "store.delete": async (key) => {
      await ctx.storage.write((tx) => deleteStored(tx, extension, keyOf(key)));
      return null;
    },
    "store.list": async (prefix, cursor) => {
      const start = typeof prefix === "string" ? prefix : "";
      const from = typeof cursor === "string" && cursor > start ? cursor : start;
      const range = { from, below: `${start}\u{10ffff}`, now: ctx.clock.iso(), limit: pageSize + 1 };
      const rows = await listStoredKeys(ctx.storage, extension, range);
      const next = rows[pageSize]?.key;
      return { keys: rows.slice(0, pageSize).map(({ key }) => key), ...(next !== undefined && { cursor: next }) };
    },
  };
}

interface Put {
  key: string;
  value: Json | undefined;
  options: Json;
}

async function put(app: App, extension: string, { key, value = null, options }: Put): Promise<number> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > maxValue) fail("too-large", `A value may have ${maxValue} bytes.`);
  const { rev, expires } = isJsonObject(options) ? options : {};
  if (expires !== undefined && (typeof expires !== "string" || Number.isNaN(Date.parse(expires))))
    fail("invalid", "expires must be a date and time.");
  const limit = app.settings.get("extensions.storeLimit");
  return app.storage.write(async (tx) => {
    const known = await lockStored(tx, extension, key);
    const isKnown = known !== undefined && (known.expires === null || known.expires > app.clock.iso());
    if (typeof rev === "number" && rev !== (isKnown ? known.rev : 0))
      fail("precondition-failed", "The value has changed since it was read.");
    const next = (known?.rev ?? 0) + 1;
    const until = typeof expires === "string" ? new Date(expires).toISOString() : null;
    const bytes = await putStored(tx, extension, { key, value: text, rev: next, expires: until }, known);
    if (bytes > limit && text.length > (known?.value.length ?? 0))
      fail(
        "storage-full",
        `The store of the extension ${extension} is full: extensions.storeLimit allows ${limit} bytes.`,
      );
    return next;
  });
}

function keyOf(key: Json | undefined): string {
  if (typeof key === "string" && key !== "" && key.length <= maxKey && !key.includes("\0")) return key;
  return fail("invalid", `A key must be text of 1 to ${maxKey} characters.`);
}
