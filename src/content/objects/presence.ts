// Which users have an object open. A form says every few seconds that it is still there; nothing is locked by that.
// All processes share the rows. Several tabs of one user are one presence.

import { findAccount } from "#access/accounts.ts";
import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { PresenceAnswer } from "#contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import {
  deleteOldPresence,
  deletePresence,
  listPresence,
  type PresencePlace,
  putPresence,
} from "#storage/tables/presence.ts";
import { getObject } from "./objects.ts";

const keptMs = 30_000;
const sweepEveryMs = 60_000;
const maxShown = 50;

/** For users: keys and applications open no form. */
export async function putOwnPresence(ctx: Context, place: PresencePlace, sent: Json): Promise<PresenceAnswer> {
  const { storage, clock } = ctx;
  const userId = userOf(ctx);
  const { text, etag } = await getObject(ctx, place.collection, place.object);
  const editing = isJsonObject(sent) ? sent.editing : undefined;
  if (typeof editing !== "boolean") fail("invalid", undefined, { editing: ["must be true or false"] });
  const now = clock.now();
  const [seen, lapsed] = [now, now - keptMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  const name = (await findAccount(ctx, userId))?.name || userId;
  const isSweep = isDue(storage, now);
  await storage.write(async (tx) => {
    if (isSweep) await deleteOldPresence(tx, lapsed);
    await putPresence(tx, place, { userId, name, editing: editing ? 1 : 0, seen, lapsed });
  });
  const rows = await listPresence(storage, place, { after: lapsed, limit: maxShown + 1 });
  const others = rows.filter((row) => row.userId !== userId).slice(0, maxShown);
  return {
    others: others.map((row) => ({ id: row.userId, name: row.name, editing: row.editing === 1, since: row.since })),
    etag,
    modified: modifiedOf(text),
  };
}

export async function deleteOwnPresence(ctx: Context, place: PresencePlace): Promise<void> {
  const userId = userOf(ctx);
  await openCollection(ctx, "read", place.collection, place.object);
  await ctx.storage.write((tx) => deletePresence(tx, place, userId));
}

function userOf({ actor }: Context): string {
  if (actor.kind === "user") return actor.id;
  fail(actor.kind === "anonymous" ? "unauthenticated" : "forbidden", "This is for users that are signed in.");
}

const lastSweep = perInstance((_storage: Storage) => ({ at: 0 }));

function isDue(storage: Storage, now: number): boolean {
  const last = lastSweep(storage);
  if (now - last.at < sweepEveryMs) return false;
  last.at = now;
  return true;
}

/** It stands last in nearly every document: a large one is not parsed for it. */
function modifiedOf(text: string): string {
  const found = /"modified":"([^"\\]*)"\}$/.exec(text.slice(-60));
  return found?.[1] ?? String((JSON.parse(text) as JsonObject).modified);
}
