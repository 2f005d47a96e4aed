// What all writes of objects share inside a transaction, whether one object is written or an import writes thousands.
// An object is built and stored by insert-objects.ts or change-object.ts; `finishWrites` then closes the transaction's part.

import { fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { DroppedFile } from "#content/file-removal.ts";
import type { Recorder } from "#content/history/record.ts";
import { type ChangeRules, savesCode } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { parseDate } from "#schemas/fields/date.ts";
import type { Tx } from "#storage/port.ts";
import { bumpCounters } from "#storage/tables/collections.ts";
import type { ObjectSecrets, ObjectWrite } from "#storage/tables/object-row.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import type { PasswordHashes } from "./password-hashes.ts";
import { etagOf } from "./stored-document.ts";

/** What holds for all objects that a caller writes to a collection in one transaction. */
export interface WriteWork {
  ctx: Context;
  collection: Collection;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
  now: string;
  hashes: PasswordHashes;
  /** Undefined: no collection of this work keeps a history. */
  recorder: Recorder | undefined;
  /** Under lock; each created object moves them. Absent: they are locked when they are needed. */
  counters?: Counters | undefined;
  /** References are checked when all objects of the transaction are stored: they may refer to each other. */
  later?: LaterCheck[];
}

/** A stored object whose references are still to be checked (relations/check-references.ts). */
export interface LaterCheck {
  collection: Collection;
  document: JsonObject;
  before?: JsonObject;
}

/** The work of changes: with what the rules say about them (`openChange`). */
export interface ChangeWork extends WriteWork {
  rules: readonly ChangeRules[];
}

export interface Counters {
  /** Objects ever created. */
  count: number;
  /** Objects now. */
  totalObjects: number;
}

/** An object that the transaction has stored. */
export interface Written {
  work: WriteWork;
  done: "created" | "updated";
  /** It was deleted, and was counted when it was created. */
  isBack?: boolean;
  id: string;
  rid: number;
  rev: number;
  /** The document as JSON text. */
  text: string;
  /** When. */
  time: string;
  /** Only these properties were sent; absent: all were. */
  changed?: ReadonlySet<string> | undefined;
  /** The document that was replaced. */
  before?: JsonObject;
  /** Files that the object has lost, to be taken away after the commit. */
  dropped: readonly DroppedFile[];
  /** Names of watched properties that differ, for the audit log. */
  watched: readonly string[];
}

/** What counting needs of it: an import keeps no more of each object until its end. */
export type CountedWrite = Pick<Written, "work" | "done" | "time" | "isBack">;

/** Rows of an import in one event. */
const toldTogether = 100;

export type WriteSource = "object" | "import";

/** After all objects of one collection are stored, once for all. Returns when the collection was last changed. */
export async function finishWrites(
  tx: Tx,
  written: readonly Written[],
  source: WriteSource = "object",
): Promise<string | undefined> {
  await announceWrites(tx, written, source);
  return countWrites(tx, written);
}

/** Runs what each of them brings about: jobs, rows of webhooks, the author of code. */
export async function announceWrites(tx: Tx, written: readonly Written[], source: WriteSource): Promise<void> {
  for (const { work, done, id, changed, before, text } of written) {
    const collection = work.collection.id;
    for (const rule of work.ctx.rules.of(collection)) {
      const following = rule.follow?.(work.ctx, tx, { collection: work.collection, id, before, text });
      if (following !== undefined) await following;
    }
    // An import may bring the same code again: only a comparison shows whether it has changed.
    const isCodeSaved = source === "object" ? savesCode(work.ctx, collection, changed) : undefined;
    const reaction = react(work.ctx, tx, { type: `${source}.${done}`, collection, id }, isCodeSaved);
    if (reaction !== undefined) await reaction;
  }
  if (source === "import") await announceTogether(tx, written);
}

async function announceTogether(tx: Tx, written: readonly Written[]): Promise<void> {
  const [first] = written;
  if (!first) return;
  const { ctx, collection } = first.work;
  for (const done of ["created", "updated"] as const) {
    const ids = written.flatMap((one) => (one.done === done ? one.id : []));
    for (let from = 0; from < ids.length; from += toldTogether) {
      const some = ids.slice(from, from + toldTogether);
      await ctx.reactions.run(tx, { type: "import.stored", collection: collection.id, done, ids: some }, ctx.cause);
    }
  }
}

/** Moves the counters of the collection. Returns when it was last changed; undefined: nothing was written. */
export async function countWrites(tx: Tx, written: readonly CountedWrite[]): Promise<string | undefined> {
  const [first] = written;
  if (!first) return undefined;
  const { id, schema } = first.work.collection;
  let created = 0;
  let total = 0;
  let lastUpdated = first.time;
  for (const { done, time, isBack } of written) {
    if (done === "created") total += 1;
    if (done === "created" && !isBack) created += 1;
    if (time > lastUpdated) lastUpdated = time;
  }
  await bumpCounters(tx, id, { created, total, lastUpdated, schemaRev: schema.rev });
  return lastUpdated;
}

export function answerOf({ work, id, rid, rev, text }: Written): ObjectAnswer {
  return { id, text, etag: etagOf({ rid, rev }, work.collection.schema) };
}

/** Trusted callers keep the times of the source; all others get the time of the write. */
export function sentTime(
  { isTrusted, now }: Pick<WriteWork, "isTrusted" | "now">,
  sent: JsonObject,
  name: "created" | "modified",
): string | undefined {
  const value = sent[name];
  if (!isTrusted || value === undefined || value === null || value === "") return undefined;
  return parseDate(value, now) ?? fail("invalid", `${name} must be a date.`, { [name]: ["must be a date"] });
}

export function objectRow(
  collection: Collection,
  document: JsonObject,
  secrets: ObjectSecrets,
): Omit<ObjectWrite, "entry"> {
  return {
    collection: collection.id,
    id: String(document.id),
    created: String(document.created),
    modified: String(document.modified),
    schemaRev: collection.schema.rev,
    doc: JSON.stringify(document),
    secrets,
  };
}
