// The writer of a change: which caller, through which door. Each combination has a row, made in a transaction of its own
// before its first write, and is then known in memory: a change costs its number alone.

import { hash, randomUUID } from "node:crypto";
import { type Actor, nameOf } from "#access/actor.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Context } from "#context.ts";
import type { Door } from "#contract/history.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage } from "#storage/port.ts";
import { putWriter, type WriterRow } from "#storage/tables/history/writers.ts";
import { findClient } from "#storage/tables/oauth-clients.ts";

/** Beyond this many the memory is emptied: runs are never met again. */
const maxKnown = 10_000;

interface Known {
  /** Of the writers: it moves when one is renamed. */
  version: number;
  numbers: Map<string, number>;
  /** Of callers that write again and again, without a cause and a run. */
  recent: WeakMap<Actor, { door: Door; number: number }>;
}

const knownIn = perInstance((_storage: Storage): Known => ({ version: 0, numbers: new Map(), recent: new WeakMap() }));

/** The number of this caller. */
export function writerOf(ctx: Context): number | Promise<number> {
  const known = knownIn(ctx.storage);
  const version = ctx.storage.version("writers");
  if (known.version !== version) {
    known.numbers.clear();
    known.recent = new WeakMap();
  }
  known.version = version;
  const door = doorOf(ctx);
  const isPlain = ctx.cause === undefined && ctx.trail?.run === undefined;
  const recent = isPlain ? known.recent.get(ctx.actor) : undefined;
  if (recent?.door === door) return recent.number;
  const key = keyOf(ctx);
  const number = known.numbers.get(key);
  if (number === undefined) return makeWriter(ctx, key, known.numbers);
  if (isPlain) known.recent.set(ctx.actor, { door, number });
  return number;
}

export function doorOf({ trail, cause, surface, actor }: Pick<Context, "trail" | "cause" | "surface" | "actor">): Door {
  if (trail?.door) return trail.door;
  if (actor.kind === "extension") return "extension";
  if (cause) return "automation";
  if (surface === "mcp") return "mcp";
  return actor.kind === "user" && actor.session !== undefined ? "session" : "api";
}

/** For a run whose changes can be found together. */
export function newRun(): string {
  return randomUUID();
}

function keyOf(ctx: Context): string {
  const { actor, cause, trail } = ctx;
  const rid = "rid" in actor ? actor.rid : "";
  const by = actor.kind === "user" ? actor.impersonator : actor.kind === "token" ? actor.grantId : "";
  return [nameOf(actor), rid, by, cause?.automation, doorOf(ctx), trail?.run].join("\n");
}

async function makeWriter(ctx: Context, key: string, known: Map<string, number>): Promise<number> {
  const clientName = ctx.actor.kind === "token" ? await nameOfClient(ctx, ctx.actor.clientId) : null;
  const writer = { ...identityOf(ctx), mark: hash("sha256", key, "base64url"), clientName, first: ctx.clock.now() };
  const number = await unclaimed(() => ctx.storage.write((tx) => putWriter(tx, writer)));
  if (known.size >= maxKnown) known.clear();
  known.set(key, number);
  return number;
}

async function nameOfClient({ storage }: Context, id: string): Promise<string | null> {
  return (await findClient(storage, id))?.name ?? null;
}

function identityOf(ctx: Context): Omit<WriterRow, "id" | "mark" | "clientName" | "first" | "was"> {
  const { actor, cause, trail } = ctx;
  return {
    actor: nameOf(actor),
    userId: actor.kind === "user" || actor.kind === "token" ? actor.id : null,
    impersonator: (actor.kind === "user" && actor.impersonator) || null,
    ...keyColumns(actor),
    clientId: actor.kind === "token" ? actor.clientId : null,
    grantId: actor.kind === "token" ? actor.grantId : null,
    automation: cause?.automation ?? null,
    door: doorOf(ctx),
    run: trail?.run ?? null,
  };
}

function keyColumns(actor: Actor): Pick<WriterRow, "keyId" | "keyName"> {
  return actor.kind === "key" ? { keyId: actor.id, keyName: actor.name } : { keyId: null, keyName: null };
}
