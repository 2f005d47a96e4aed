// New objects, built and stored. Where nothing in one depends on what is stored, it is built before its transaction: what
// is wrong with it is found without keeping other writers waiting, and storing many in one go takes a quarter less time.

import { applyUserRules } from "#accounts/user-rules.ts";
import { CairnError, fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import type { Collection } from "#content/collections/collection-cache.ts";
import { isStranger } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { blindId, buildDocument } from "#schemas/build.ts";
import { parseDate } from "#schemas/fields/date.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import type { Tx } from "#storage/port.ts";
import { bumpCounters } from "#storage/tables/collections.ts";
import type { ObjectSecrets, ObjectWrite } from "#storage/tables/object-row.ts";
import { insertObjects } from "#storage/tables/object-writes.ts";
import { checkUnique, etagOf, needsCollectionLock, objectWrite } from "./change-object.ts";

/** What holds for all objects that are made together. */
export interface NewWork {
  ctx: Context;
  collection: Collection;
  /** Timestamps and password hashes are taken as they come. */
  isTrusted: boolean;
  now: string;
  /** Plain password -> hash. */
  hashes: ReadonlyMap<string, string>;
}

/** Ready to be stored. */
export interface BuiltObject {
  document: JsonObject;
  secrets: ObjectSecrets;
  write: ObjectWrite;
}

/** Whether nothing in a new object depends on what is stored, but for its id being free. */
export function canBuildAhead({ schema, settings }: Collection, body: JsonObject): boolean {
  return hasId(body) && !settings.singleton && !schema.isNumbered;
}

export function buildNew(
  work: NewWork,
  body: JsonObject,
  { id, counter }: { id: string; counter: number },
): BuiltObject {
  const { ctx, collection, isTrusted, now, hashes } = work;
  const { document, secrets } = buildDocument(
    collection.schema,
    { ...body, id },
    {
      now,
      created: sentTime(work, body, "created") ?? sentTime(work, body, "modified") ?? now,
      modified: sentTime(work, body, "modified") ?? now,
      isTrusted,
      counter,
      htmlclean: htmlclean(ctx),
      hashes,
      secrets: {},
      files: {},
    },
  );
  return { document, secrets, write: objectWrite(collection, document, secrets) };
}

/** Objects of one collection, not counted yet. What the database calls each; undefined where the id was taken. */
export async function storeNew(
  { ctx, collection, now }: NewWork,
  tx: Tx,
  objects: readonly BuiltObject[],
): Promise<(number | undefined)[]> {
  const writes = objects.map(({ write }) => write);
  if (!needsCollectionLock(collection)) return insertObjects(tx, writes);
  const rids: (number | undefined)[] = [];
  for (const { document, secrets, write } of objects) {
    await checkUnique(ctx, tx, collection, document);
    await applyUserRules(tx, collection.id, { actor: ctx.actor, after: { document, secrets }, now });
    rids.push(...(await insertObjects(tx, [write])));
  }
  return rids;
}

/** As it is answered. */
export interface NewObject {
  id: string;
  /** The document as JSON text. */
  text: string;
  /** The text in UTF-8, one byte a character, where it is kept to be sent again; the text itself where that is ASCII. */
  octets?: string;
  /** Quoted, strong. */
  etag: string;
  /** What is to be known beside it. */
  meta?: JsonObject;
}

export interface ToStore {
  work: NewWork;
  built: BuiltObject;
}

/** Stores objects of one collection, with what each brings about, and counts them; undefined where the id was taken. */
export async function insertNew(tx: Tx, objects: readonly ToStore[]): Promise<(NewObject | undefined)[]> {
  const { work: last } = objects.at(-1) as ToStore;
  const { id: collection, schema } = last.collection;
  const rids = await storeNew(
    last,
    tx,
    objects.map(({ built }) => built),
  );
  const stored: (NewObject | undefined)[] = [];
  let created = 0;
  for (const [at, { work, built }] of objects.entries()) {
    const { id, doc } = built.write;
    const rid = rids[at];
    stored.push(rid === undefined ? undefined : { id, text: doc, etag: etagOf({ rid, rev: 1 }, schema) });
    if (rid === undefined) continue;
    created += 1;
    const reaction = react(work.ctx, tx, { type: "object.created", collection, id });
    if (reaction !== undefined) await reaction;
  }
  if (created > 0) {
    const counted = { created, total: created, lastUpdated: last.now, schemaRev: schema.rev };
    await bumpCounters(tx, collection, counted);
  }
  return stored;
}

export function takenId({ collection, id }: Pick<ObjectWrite, "collection" | "id">): CairnError {
  const message = `Object with id ${id} already exists in ${collection}.`;
  return new CairnError("exists", message, { id: ["This id is taken."] });
}

/** What strangers send for the id is passed over: an id that is refused would tell them that it is taken. */
export function chosenId(ctx: Context, { id, schema }: Collection, body: JsonObject): JsonObject {
  if (!isStranger(ctx, id)) return body;
  const { id: _, ...rest } = body;
  const made = blindId(schema, rest, ctx.clock.iso());
  return made === undefined ? rest : { ...rest, id: made };
}

export function hasId({ id }: JsonObject): boolean {
  return id !== undefined && id !== null && id !== "";
}

/** Who is trusted keeps the times of the source; everybody else gets the time of the write. */
export function sentTime(
  { isTrusted, now }: Pick<NewWork, "isTrusted" | "now">,
  row: JsonObject,
  name: "created" | "modified",
): string | undefined {
  const value = row[name];
  if (!isTrusted || value === undefined || value === null || value === "") return undefined;
  return parseDate(value, now) ?? fail("invalid", `${name} must be a date.`, { [name]: ["must be a date"] });
}
