// The log of changes over all collections, for callers who may see it: administrators, and others in the collections that
// they may update by a right of their own. A request looks through a bounded part of the log; a cursor leads on.

import { type Actor, isAdminPersona, isLimitedKey, isPublishedKey } from "#access/actor.ts";
import { mayLookBack } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import { findText, type Params, readChoice, readWhole, refuse } from "#content/query/parameters.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { App, Context } from "#context.ts";
import { type ChangeAuthor, type ChangeEntry, doors } from "#contract/history.ts";
import { isOwnNumber } from "#storage/log/own-numbers.ts";
import type { Place } from "#storage/port.ts";
import {
  askFeed,
  askWriters,
  type FeedRow,
  findHoldUp,
  firstPlace,
  type HoldUp,
  readLog,
  type WriterFilter,
} from "#storage/tables/history/feed.ts";
import { cursorText, isLost, parseCursor } from "./cursor.ts";
import { authorOf, changeEntry, writersOf } from "./entry.ts";
import { findStored } from "./holder.ts";

export const feedLimit = { default: 50, max: 100 };
/** Records that one step looks through, and steps of one request. */
const within = 20_000;
const maxSteps = 20;

export interface FeedPage {
  entries: ChangeEntry[];
  /** Where to go on, also at the end of the log: what is new comes after it. */
  cursor: string;
}

export async function listChanges(ctx: Context, params: Params): Promise<FeedPage> {
  const seen = await seenCollections(ctx);
  const limit = Math.min(readWhole(params, "limit", { least: 1, fallback: feedLimit.default }), feedLimit.max);
  const filter = {
    collections: narrow(ctx, seen, findText(params, "collection")),
    writer: readWriter(params),
    since: readTime(params, "since"),
    until: readTime(params, "until"),
  };
  const log = await readLog(ctx.storage);
  let after = readAfter(params, log);
  const rows: FeedRow[] = [];
  for (let step = 0; step < maxSteps && rows.length < limit; step += 1) {
    const page = { after, limit: limit - rows.length, within, caller: ctx.caller };
    const found = await askFeed(ctx.storage, filter, page);
    const isFull = found.rows.length >= page.limit;
    for (const row of found.rows) {
      const sight = await sightOf(ctx, row);
      if (sight) rows.push(sight === "whole" ? row : withoutAuthor(row));
    }
    after = (isFull ? found.rows.at(-1) : (found.last ?? found.rows.at(-1))) ?? after;
    if (!isFull && !found.last) break;
  }
  const writers = await writersOf(ctx.storage, rows);
  const entries = rows.map((row) => changeEntry(row, writers.get(row.writer)));
  return { entries, cursor: cursorText(log, after) };
}

type Sight = "whole" | "bare" | undefined;

/** Of a former collection of the same id others see only that it was deleted. */
async function sightOf(ctx: Context, row: FeedRow): Promise<Sight> {
  if (seesAll(ctx.actor)) return "whole";
  const there = await findStored(ctx, row.collection);
  if (isOwnNumber(there?.numbers, row.rid)) return "whole";
  return row.rid === 0 ? "bare" : undefined;
}

function withoutAuthor(row: FeedRow): FeedRow {
  return { ...row, writer: 0, note: null };
}

function readAfter(params: Params, log: Awaited<ReturnType<typeof readLog>>): Place {
  const text = findText(params, "after");
  if (text === undefined) return firstPlace;
  const cursor = parseCursor(text) ?? refuse("after", "after must be a cursor that an answer gave.");
  if (isLost(cursor, log)) refuse("after", "The log no longer reaches back to this cursor. Read from its beginning.");
  return cursor.place;
}

export interface KnownWriter extends ChangeAuthor {
  first: string;
  /** Null: none of its changes is kept. */
  last: string | null;
}

export async function listWriters(
  ctx: Context,
  params: Params,
): Promise<{ writers: KnownWriter[]; cursor: string | undefined }> {
  refuseStrangers(ctx.actor);
  const limit = Math.min(readWhole(params, "limit", { least: 1, fallback: feedLimit.default }), feedLimit.max);
  const after = readWhole(params, "cursor", { least: 0, fallback: 0 });
  const filter = readWriter(params);
  // Others see themselves alone: in which collections a writer wrote would have to be counted.
  const own = seesAll(ctx.actor) ? {} : ownMark(ctx.actor);
  const page = { after, limit: limit + 1, caller: ctx.caller };
  const found = await askWriters(ctx.storage, { ...filter, ...own }, page);
  const writers = found.slice(0, limit).map((writer) => ({
    ...authorOf(writer),
    first: new Date(writer.first).toISOString(),
    last: writer.last === null ? null : new Date(writer.last).toISOString(),
  }));
  return { writers, cursor: found.length > limit ? writers.at(-1)?.writer : undefined };
}

/** An application does not see what else its user has let in. */
function ownMark(actor: Actor): WriterFilter {
  if (actor.kind === "token") return { grantId: actor.grantId };
  return actor.kind === "key" ? { keyId: actor.id } : { userId: "id" in actor ? actor.id : "" };
}

/** Undefined: all of them, those that are gone included. */
async function seenCollections(ctx: Context): Promise<string[] | undefined> {
  refuseStrangers(ctx.actor);
  const heard = catchUp(ctx);
  if (heard !== undefined) await heard;
  if (seesAll(ctx.actor)) return undefined;
  const ids = new Set<string>();
  for (const operation of isLimitedKey(ctx.actor) ? (["read", "update"] as const) : (["update"] as const))
    for (const { id } of await listOpenConfigs(ctx, operation)) ids.add(id);
  return [...ids].filter((id) => mayFollow(ctx.actor, id));
}

function refuseStrangers(actor: Actor): void {
  if (actor.kind === "anonymous") fail("unauthenticated");
  if (isPublishedKey(actor)) fail("invalid-key");
  if (actor.kind === "form" || actor.kind === "extension") fail("forbidden");
}

/** Every collection, those that are gone included. */
export function seesAll(actor: Actor): boolean {
  return isAdminPersona(actor) && !isLimitedKey(actor);
}

/** Whether the writers of its changes are shown. */
export function mayFollow(actor: Actor, collection: string): boolean {
  return !isPublishedKey(actor) && mayLookBack(actor, collection);
}

function narrow({ actor }: Context, seen: string[] | undefined, name: string | undefined): string[] | undefined {
  if (name === undefined) return seen;
  if (seen && !seen.includes(name)) fail(actor.kind === "key" ? "invalid-key" : "forbidden");
  return [name];
}

function readWriter(params: Params): WriterFilter {
  const number = findText(params, "writer");
  if (number !== undefined && !/^\d{1,15}$/.test(number)) refuse("writer", "writer must be the number of a writer.");
  const door = findText(params, "door");
  return {
    ...(number !== undefined && { id: Number(number) }),
    ...{ grantId: findText(params, "grant"), keyId: findText(params, "key"), userId: findText(params, "user") },
    ...(door !== undefined && { door: readChoice(params, "door", doors, "api") }),
  };
}

function readTime(params: Params, name: string): number | undefined {
  const text = findText(params, name);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? refuse(name, `${name} must be an ISO time.`) : time;
}

/** A transaction that is open for longer keeps the stream, seals and the retention waiting. */
const longMs = 60_000;

export function findLongHoldUp({ storage }: Pick<App, "storage">): Promise<HoldUp | undefined> {
  return findHoldUp(storage, longMs);
}
