// The history of one object: its changes, its versions, what differs between two of them, and who last changed each
// property. For callers that may read and change it by a right of their own: what was removed on purpose is still in it.

import { opensHistory } from "#access/actor.ts";
import { allow, mayLookBack } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { subjectOf } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { noObject } from "#content/objects/stored-document.ts";
import { tagOf } from "#content/preconditions.ts";
import { findText, type Params, readWhole, refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { ChangedProperty, ChangeEntry, PropertyOrigin } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";
import { exposedSchema } from "#schemas/mcp-visibility.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Reader } from "#storage/port.ts";
import {
  type ChangeRow,
  findDeletionAfter,
  findLastDeletion,
  findObjectChange,
  type ListedChange,
  listChangesByName,
  listObjectChanges,
  measureContents,
} from "#storage/tables/history/changes.ts";
import { findStoredByName, findStoredObject } from "#storage/tables/history/deletions.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { entriesOf, isoOf, type Named, namesIn } from "./entries.ts";
import { historyMode } from "./mode.ts";
import { isCreation, presentVersion, readAt, readVersion, showState, walkBack } from "./version.ts";

export const historyLimit = { default: 50, max: 100 };
/** Records that are looked at together. */
const lookedAt = 500;
/** What is read beside other requests. */
const quick = { changes: 200, bytes: 256 * 1024 };
const fixed: readonly string[] = ["id", "created", "modified"];

/** The collection, for a caller that may see what its objects were. */
export async function openHistory(ctx: Context, collectionId: string): Promise<Collection> {
  const collection = await openCollection(ctx, "read", collectionId);
  const subject = { ...subjectOf(ctx, collectionId, collection.settings), publicOperations: [] };
  allow(ctx, "read", subject);
  if (!mayLookBack(ctx.actor, collectionId)) allow(ctx, "update", subject);
  if (!opensHistory(ctx.actor, collectionId)) fail("invalid-key");
  return collection;
}

/** As the caller's door shows it. */
export function shownSchema({ surface }: Pick<Context, "surface">, { schema }: Collection): FlatSchema {
  return surface === "mcp" ? exposedSchema(schema) : schema;
}

/** The number of the object that has this id, or was the last to have it. */
export async function findNumber(
  db: Reader,
  { id: collection, numbers }: Pick<Collection, "id" | "numbers">,
  id: string,
): Promise<number> {
  const row = (await findDocument(db, collection, id)) ?? (await findLastDeletion(db, { collection, id, numbers }));
  return row?.rid ?? noObject(collection, id);
}

export interface HistoryPage {
  data: ChangeEntry[];
  meta: { cursor?: string };
}

/** Newest first. */
export async function listHistory(
  ctx: Context,
  collectionId: string,
  id: string,
  params: Params,
): Promise<HistoryPage> {
  const collection = await openHistory(ctx, collectionId);
  const schema = shownSchema(ctx, collection);
  const { limit, before } = readPage(params);
  const property = findText(params, "property");
  const { storage } = ctx;
  const isMeant =
    property === undefined ? undefined : (row: ChangeRow) => isCreation(row) || namesIn(schema, row).includes(property);
  const page = { before, limit: limit + 1 };
  // Most objects are there, and all of their changes are asked for: by one statement.
  const ofLive = isMeant ? [] : await listChangesByName(storage, { collection: collectionId, id }, page);
  const findAll = async () =>
    findChanges(storage, { rid: await findNumber(storage, collection, id), ...page }, isMeant);
  const rows: ListedChange[] = ofLive.length > 0 ? ofLive : await findAll();
  const data = await entriesOf(storage, schema, rows.slice(0, limit));
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, meta: last ? { cursor: last.change } : {} };
}

/** `limit` and `cursor` of lists of changes. */
export function readPage(params: Params): { limit: number; before: number | undefined } {
  const limit = Math.min(readWhole(params, "limit", { least: 1, fallback: historyLimit.default }), historyLimit.max);
  const cursor = findText(params, "cursor");
  if (cursor !== undefined && !isNumber(cursor)) refuse("cursor", "cursor is not one of this list.");
  return { limit, before: cursor === undefined ? undefined : Number(cursor) };
}

interface Wanted {
  rid: number;
  before: number | undefined;
  limit: number;
}

async function findChanges(
  db: Reader,
  { rid, before, limit }: Wanted,
  isMeant?: (row: ChangeRow) => boolean,
): Promise<ChangeRow[]> {
  if (!isMeant) return listObjectChanges(db, rid, { before, limit });
  const found: ChangeRow[] = [];
  for (let from = before; ; ) {
    const rows = await listObjectChanges(db, rid, { before: from, limit: lookedAt });
    found.push(...rows.filter(isMeant));
    if (rows.length < lookedAt || found.length >= limit) return found.slice(0, limit);
    from = rows.at(-1)?.seq;
    await yieldToEventLoop();
  }
}

/** A change of the object, named in an address. */
export async function getChange(db: Reader, rid: number, change: string): Promise<ChangeRow> {
  const found = isNumber(change) ? await findObjectChange(db, rid, Number(change)) : undefined;
  return found ?? fail("not-found", "The object has no such change.");
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

interface Asked {
  id: string;
  change: string;
}

/** The object after a change; of a deletion what it deleted. */
export async function getVersion(ctx: Context, collectionId: string, asked: Asked): Promise<JsonObject> {
  const collection = await openHistory(ctx, collectionId);
  return (
    (await findQuickly(ctx, { collection, ...asked })) ??
    ctx.storage.view((view) => versionIn(ctx, view, { collection, ...asked }), ctx.caller)
  );
}

/**
 * By statements that do not share a moment, where little has to be read. A write in between leaves a gap in the revisions:
 * then, and where it is much, the answer is undefined.
 */
async function findQuickly(
  ctx: Context,
  { collection, id, change }: Asked & { collection: Collection },
): Promise<JsonObject | undefined> {
  const { storage } = ctx;
  const rid = await findNumber(storage, collection, id);
  const row = await getChange(storage, rid, change);
  const { changes, bytes } = await measureContents(storage, rid, { from: row.seq, limit: quick.changes + 1 });
  if (changes > quick.changes || bytes > quick.bytes) return undefined;
  return (await readVersion(ctx, storage, shownSchema(ctx, collection), row))?.document;
}

async function versionIn(
  ctx: Context,
  view: Reader,
  { collection, id, change }: Asked & { collection: Collection },
): Promise<JsonObject> {
  const rid = await findNumber(view, collection, id);
  const row = await getChange(view, rid, change);
  return (await readVersion(ctx, view, shownSchema(ctx, collection), row))?.document ?? notKept();
}

export function notKept(): never {
  fail("not-found", "The values of this version are not kept any more.");
}

/** What differs between a version and the one before it, the present object, or another version. */
export async function diffVersion(
  ctx: Context,
  collectionId: string,
  asked: Asked & { diff: string },
): Promise<ChangedProperty[]> {
  const collection = await openHistory(ctx, collectionId);
  const { diff } = asked;
  const isKnown = diff === "previous" || diff === "current" || isNumber(diff);
  if (!isKnown) refuse("diff", "diff must be previous, current or the change of another version.");
  const schema = shownSchema(ctx, collection);
  const [from, to] = await ctx.storage.view(async (view) => {
    if (diff === "previous") return aroundChange(ctx, view, { collection, ...asked });
    const version = await versionIn(ctx, view, { collection, ...asked });
    if (diff === "current") return [version, await currentIn(ctx, view, { collection, id: asked.id })];
    const other = await versionIn(ctx, view, { collection, id: asked.id, change: diff });
    return Number(diff) < Number(asked.change) ? [other, version] : [version, other];
  }, ctx.caller);
  return differences(schema, from, to);
}

type Pair = [from: JsonObject, to: JsonObject];

async function aroundChange(
  ctx: Context,
  view: Reader,
  { collection, id, change }: Asked & { collection: Collection },
): Promise<Pair> {
  const schema = shownSchema(ctx, collection);
  const { rid, seq } = await getChange(view, await findNumber(view, collection, id), change);
  for await (const past of walkBack(view, schema, { rid, collection: collection.id, from: seq })) {
    if (past.change.seq !== seq) continue;
    if (!past.state || !past.before) return notKept();
    const shown = (state: typeof past.state) => showState(ctx, schema, past.change, state)?.document ?? {};
    return [shown(past.before), past.state === past.before ? {} : shown(past.state)];
  }
  return notKept();
}

async function currentIn(
  ctx: Context,
  view: Reader,
  { collection, id }: { collection: Collection; id: string },
): Promise<JsonObject> {
  const row = await findStoredObject(view, {
    collection: collection.id,
    rid: await findNumber(view, collection, id),
  });
  if (!row) return {};
  const whole = JSON.parse(row.doc) as JsonObject;
  return presentVersion(ctx, shownSchema(ctx, collection), { whole, modified: row.modified });
}

function differences(schema: FlatSchema, from: JsonObject, to: JsonObject): ChangedProperty[] {
  return [...schema.properties.values()].flatMap(({ name, label }) => {
    const [old, now] = [from[name] ?? null, to[name] ?? null];
    if (name === "modified" || JSON.stringify(old) === JSON.stringify(now)) return [];
    return [{ property: name, label, from: old, to: now }];
  });
}

/** Who last changed each property. */
export async function listOrigins(
  ctx: Context,
  collectionId: string,
  id: string,
): Promise<Record<string, PropertyOrigin>> {
  const collection = await openHistory(ctx, collectionId);
  const schema = shownSchema(ctx, collection);
  const { storage } = ctx;
  const rid = await findNumber(storage, collection, id);
  const names = [...schema.properties.keys()].filter((name) => !fixed.includes(name));
  const left = new Set(names);
  /** The newest change that names the same ones was looked at. */
  const known = new Set<string | null>();
  const namedBy = (row: ChangeRow): readonly string[] => {
    // What came back is as it was: its values are from before.
    if (isCreation(row)) return row.rev === 1 ? names : [];
    if (known.has(row.props)) return [];
    known.add(row.props);
    return namesIn(schema, row);
  };
  const found = new Map<string, ChangeRow>();
  let oldest: ChangeRow | undefined;
  for (let before: number | undefined; left.size > 0; ) {
    const rows = await listObjectChanges(storage, rid, { before, limit: lookedAt });
    for (const row of rows) {
      for (const name of namedBy(row)) if (left.delete(name)) found.set(name, row);
      oldest = row;
    }
    if (rows.length < lookedAt) break;
    before = oldest?.seq;
    await yieldToEventLoop();
  }
  const rows = new Map([...found.values()].map((row) => [row.seq, row]));
  const entries = new Map((await entriesOf(storage, schema, [...rows.values()])).map((entry) => [entry.change, entry]));
  const began = oldest
    ? isoOf(oldest.at)
    : ((await findStoredObject(storage, { rid, collection: collectionId }))?.modified ?? "");
  return Object.fromEntries(names.map((name) => [name, originOf(entries.get(String(found.get(name)?.seq)), began)]));
}

function originOf(entry: Named | undefined, began: string): PropertyOrigin {
  return entry ? { change: entry.change, at: entry.at, by: entry.by } : { before: began };
}

/**
 * The object as it was at a time. Undefined: the collection keeps no values, and the parameter means nothing there. Not
 * found: there was none, or it is not kept.
 */
export async function getObjectAt(
  ctx: Context,
  collectionId: string,
  id: string,
  time: string,
): Promise<ObjectAnswer | undefined> {
  const opened = await openCollection(ctx, "read", collectionId, id);
  if (historyMode(ctx, opened) !== "full") return undefined;
  const collection = await openHistory(ctx, collectionId);
  const moment = readMoment(time);
  const schema = shownSchema(ctx, collection);
  const document = await ctx.storage.view(async (view) => {
    const deletion = await findDeletionAfter(
      view,
      { collection: collectionId, id, numbers: collection.numbers },
      moment,
    );
    const row = deletion
      ? await findStoredObject(view, { collection: collectionId, rid: deletion.rid })
      : await findStoredByName(view, collectionId, id);
    const rid = deletion?.rid ?? row?.rid;
    if (rid === undefined) return undefined;
    if (row && Date.parse(row.modified) <= moment) return currentIn(ctx, view, { collection, id: row.id });
    return readAt(ctx, view, schema, { rid, collection: collectionId, id, moment, row });
  }, ctx.caller);
  if (!document) return noObject(collectionId, id);
  const text = JSON.stringify(document);
  return { id, text, etag: tagOf(text) };
}

function readMoment(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.test(text);
  const moment = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment)
    ? refuse("as_of", "as_of must be a time with an offset or Z, such as 2026-03-01T12:00:00Z.")
    : moment;
}
