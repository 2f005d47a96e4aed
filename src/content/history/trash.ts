// The trash: deletions whose content is still kept. An object comes back into its collection, or is gone for good.

import { isLimitedKey, isPublishedKey } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { noHashes } from "#content/objects/password-hashes.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import { answerOf, finishWrites, type Written } from "#content/objects/write-work.ts";
import { findText, type Params, refuse } from "#content/query/parameters.ts";
import { auditWrite } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { TrashEntry } from "#contract/history.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { kindNumber, kindOf } from "#storage/log/change-record.ts";
import { isOwnNumber } from "#storage/log/own-numbers.ts";
import type { ChangeRow } from "#storage/tables/history/changes.ts";
import {
  type Deletion,
  findDeletion,
  findKeptDeletion,
  listDeletionsBy,
  listTrash as listRows,
} from "#storage/tables/history/deletions.ts";
import { clearAttic } from "./attic.ts";
import { emptyAtOnce } from "./empty.ts";
import { authorsOf, isoOf } from "./entries.ts";
import { seesAll } from "./feed.ts";
import { readPage } from "./history.ts";
import { findHolder, findStored } from "./holder.ts";
import { keptInTrash } from "./keeping.ts";
import { dropCopies } from "./past-files.ts";
import { openRecorder } from "./record.ts";
import { prepareReinstatement, type Reinstatement, reinstateIn, returningId } from "./reinstate.ts";
import type { Restored } from "./restore.ts";
import { restoreCollection } from "./restore-collection.ts";
import { presentVersion } from "./version.ts";

/** Records that are looked at together. */
const lookedAt = 200;
/** Pages that one request looks through for those that the caller may see. */
const maxPages = 10;

/** What comes back is shown: a deletion is no way to read it. */
const toRestore: readonly Operation[] = ["create", "read", "delete"];
/** A limited key takes the methods of what it does: it looks, and it restores. */
const byKey: Record<"list" | "restore", readonly Operation[]> = { list: ["read"], restore: ["create", "read"] };

function neededFor({ actor }: Context, use: keyof typeof byKey): readonly Operation[] {
  return isLimitedKey(actor) ? byKey[use] : toRestore;
}

type Trashed = Pick<ChangeRow, "kind" | "collection" | "rid">;

/** Of an object of the collection that is there. */
function anyOf(collection: string): Trashed {
  return { kind: kindNumber("delete"), collection, rid: Number.MAX_SAFE_INTEGER };
}

/** Whether the caller may do all of this to what was deleted, by a right of its own. */
async function mayDo(ctx: Context, row: Trashed, needed: readonly Operation[]) {
  const { collection } = row;
  const there = await findStored(ctx, collection);
  // Rights for a collection say nothing about a former one of its id.
  if (there && !isOwnNumber(there.numbers, row.rid)) return seesAll(ctx.actor);
  const isWhole = kindOf(row.kind) === "collection" || !there;
  return needed.every((operation) =>
    isWhole
      ? isAllowed(ctx.actor, operation, { kind: "collections", collection })
      : isAllowed(ctx.actor, operation, { kind: "objects", collection, publicOperations: [] }),
  );
}

async function allowAll(ctx: Context, row: Trashed, needed: readonly Operation[]) {
  if (await mayDo(ctx, row, needed)) return;
  const { kind } = ctx.actor;
  fail(kind === "anonymous" ? "unauthenticated" : kind === "key" ? "invalid-key" : "forbidden");
}

/** What is in the trash may have been a draft. */
function checkKnown({ actor }: Context): void {
  if (actor.kind === "anonymous") fail("unauthenticated");
  if (isPublishedKey(actor)) fail("invalid-key");
}

export interface TrashPage {
  data: TrashEntry[];
  meta: { cursor?: string };
}

/** Newest first. */
export async function listTrash(ctx: Context, params: Params): Promise<TrashPage> {
  checkKnown(ctx);
  const collection = findText(params, "collection");
  const { limit, before } = readPage(params);
  if (collection !== undefined) await allowAll(ctx, anyOf(collection), neededFor(ctx, "list"));
  const found: ChangeRow[] = [];
  let last = before;
  let isEnd = false;
  for (let page = 0; page < maxPages && !isEnd && found.length <= limit; page += 1) {
    const rows = await listRows(ctx.storage, { collection, before: last, limit: lookedAt });
    for (const row of rows) {
      if (found.length > limit) break;
      last = row.seq;
      if (await isShown(ctx, row)) found.push(row);
    }
    isEnd = rows.length < lookedAt && found.length <= limit;
  }
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.seq : isEnd ? undefined : last;
  return { data: await trashEntries(ctx, shown), meta: next === undefined ? {} : { cursor: String(next) } };
}

/** A collection whose id is taken cannot come back, and neither can its objects. */
async function isShown(ctx: Context, row: ChangeRow): Promise<boolean> {
  return !(await isReplaced(ctx, row)) && mayDo(ctx, row, neededFor(ctx, "list"));
}

async function isReplaced(ctx: Context, { kind, collection, rid }: Trashed): Promise<boolean> {
  const there = await findStored(ctx, collection);
  return there !== undefined && (kindOf(kind) === "collection" || !isOwnNumber(there.numbers, rid));
}

async function trashEntries(ctx: Context, rows: readonly ChangeRow[]): Promise<TrashEntry[]> {
  const authors = await authorsOf(ctx.storage, rows);
  const entries: TrashEntry[] = [];
  for (const row of rows) {
    const collection = await findCollection(ctx, row.collection);
    const deletion = await findDeletion(ctx.storage, row.seq);
    entries.push({
      change: String(row.seq),
      collection: row.collection,
      id: row.id,
      title: titleIn(ctx, row, { collection, content: deletion?.content }),
      deleted: isoOf(row.at),
      by: authors.get(row.writer) ?? { writer: "", actor: "", door: "api" },
      until: isoOf(row.at + keptInTrash(ctx, collection)),
    });
    await yieldToEventLoop();
  }
  return entries;
}

function titleIn(
  ctx: Context,
  row: ChangeRow,
  { collection, content }: { collection: Collection | undefined; content: string | undefined },
): string {
  const { document, settings } = content === undefined ? {} : (JSON.parse(content) as JsonObject);
  if (isJsonObject(settings)) return fillSettings({ ...settings, id: row.collection }).name;
  if (!isJsonObject(document) || !collection) return row.id;
  // Of the present schema, so that what is a password now is not shown.
  const { title, name } = presentVersion(ctx, collection.schema, { whole: document, modified: "" });
  const found = [title, name].find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : row.id;
}

async function getDeletion(ctx: Context, change: string, needed: readonly Operation[]): Promise<Deletion> {
  checkKnown(ctx);
  const found = /^\d{1,15}$/.test(change) ? await findDeletion(ctx.storage, Number(change)) : undefined;
  if (!found) return fail("not-found", "There is no such change in the trash.");
  await allowAll(ctx, found, needed);
  return found;
}

/** The object; of a collection the job that brings its objects back. */
export async function restoreTrash(
  ctx: Context,
  change: string,
  body: Json | undefined,
): Promise<Restored | { job: string }> {
  const deletion = await getDeletion(ctx, change, neededFor(ctx, "restore"));
  if (kindOf(deletion.kind) === "collection") return restoreCollection(ctx, deletion);
  const collection = await findHolder(ctx, deletion);
  if (!collection)
    return fail("invalid", `The collection "${deletion.collection}" of this object is gone: restore that first.`);
  return reinstate(ctx, collection, { deletion, id: readId(body) });
}

function readId(body: Json | undefined): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (!isJsonObject(body)) return fail("invalid", "The body must be a JSON object.");
  const { id } = body;
  if (id === undefined || id === null || id === "") return undefined;
  return typeof id === "string" ? id : fail("invalid", undefined, { id: ["Must be text."] });
}

async function reinstate(
  ctx: Context,
  collection: Collection,
  { deletion, id }: { deletion: Deletion; id: string | undefined },
): Promise<Restored> {
  const own = { ...ctx, trail: { ...ctx.trail, kind: "restore" as const } };
  const key = { collection: collection.id, id: returningId(ctx, collection, deletion.id, id) };
  return withObjectFilesLock(ctx, key, async () => {
    const back = await prepareReinstatement(own, collection, deletion, key.id);
    try {
      return { answer: answerOf(await storeReturned(own, collection, back)), lost: back.lost };
    } catch (error) {
      await dropCopies(ctx, key, back);
      throw error;
    }
  });
}

async function storeReturned(ctx: Context, collection: Collection, back: Reinstatement): Promise<Written> {
  const recorder = await openRecorder(ctx, [collection]);
  const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes: noHashes, recorder };
  const written = await retryOnTakenId(() =>
    ctx.storage.write(async (tx) => {
      const stored = await reinstateIn(work, tx, back);
      await finishWrites(tx, [stored]);
      return stored;
    }),
  );
  followWrite(ctx, collection);
  auditWrite(ctx, "created", { collection: collection.id, id: written.id });
  return written;
}

/** Gone for good; of a collection with all its objects. */
export async function purgeTrash(ctx: Context, change: string): Promise<void> {
  const deletion = await getDeletion(ctx, change, ["delete"]);
  if (kindOf(deletion.kind) === "collection") await forgetObjects(ctx, deletion);
  await forgetAll(ctx, [deletion]);
}

async function forgetObjects(ctx: Context, { writer, seq }: Deletion): Promise<void> {
  for (let after = seq; ; ) {
    const rows = await listDeletionsBy(ctx.storage, writer, { after, limit: lookedAt });
    await forgetAll(ctx, rows);
    if (rows.length < lookedAt) return;
    after = rows.at(-1)?.seq as number;
  }
}

/** One at a time: what was deleted may be large. */
async function forgetAll(ctx: Context, rows: readonly Pick<ChangeRow, "rid" | "collection" | "seq">[]): Promise<void> {
  for (const { seq } of rows) {
    await ctx.storage.write(async (tx) => {
      const kept = await findKeptDeletion(tx, seq);
      if (kept) await emptyAtOnce(ctx, tx, [kept]);
    });
    await yieldToEventLoop();
  }
  await clearAttic(ctx, rows);
}

/** All that is in the trash of a collection. */
export async function emptyTrash(ctx: Context, params: Params): Promise<void> {
  checkKnown(ctx);
  const collection = findText(params, "collection") ?? refuse("collection", "collection is required.");
  await allowAll(ctx, anyOf(collection), ["delete"]);
  if (findText(params, "confirm") !== collection)
    refuse("confirm", `This deletes all that is in the trash of "${collection}" for good: add confirm=${collection}.`);
  for (let before: number | undefined; ; ) {
    const rows = await listRows(ctx.storage, { collection, before, limit: lookedAt });
    const own: ChangeRow[] = [];
    // What the list does not show stays: a former collection of this id.
    for (const row of rows) if (!(await isReplaced(ctx, row)) && (await mayDo(ctx, row, ["delete"]))) own.push(row);
    await forgetAll(ctx, own);
    if (rows.length < lookedAt) return;
    before = rows.at(-1)?.seq;
  }
}
