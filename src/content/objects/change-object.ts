// What every write to an object shares: lock, precondition, build, uniqueness, store, count, tell.

import { usersCollection } from "#access/accounts.ts";
import { checkOwnChange, mailAddressLinks, openOwnChange } from "#accounts/own-changes.ts";
import { auditUser, watchedChanges } from "#accounts/user-audit.ts";
import { applyUserRules, limitOwnChange } from "#accounts/user-rules.ts";
import { CairnError, type ErrorDetails, fail } from "#base/errors.ts";
import { hashPassword } from "#base/passwords.ts";
import { savesCode } from "#content/code-authors.ts";
import { react, runCheck } from "#content/collection-hooks.ts";
import { type Collection, getCollection } from "#content/collections/collection-cache.ts";
import { isStranger, refuseStranger, seesDrafts } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { checkTag } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { checkLocks, lockRights } from "#media/serving/lock-changes.ts";
import { buildDocument, collectPasswords } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { changedEntry, indexEntry } from "#schemas/index-entry.ts";
import { presentDocument } from "#schemas/present.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn } from "#schemas/values/file-values.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { noteUnique } from "#storage/query/indexes.ts";
import { bumpCounters, lockCounters } from "#storage/tables/collections.ts";
import type { LockedObject, ObjectRow, ObjectSecrets, ObjectWrite } from "#storage/tables/object-row.ts";
import { updateObject } from "#storage/tables/object-writes.ts";
import { findByValue, findObject, lockObject, type StoredText } from "#storage/tables/objects.ts";
import { clearFailures } from "./automation-rules.ts";
import type { ObjectAnswer } from "./objects.ts";
import { keepServiceProperties } from "./service-properties.ts";

export interface ObjectTarget {
  collection: string;
  id: string;
  ifMatch?: string | undefined;
}

export interface Change {
  /** The whole object as it shall be, before coercion. */
  input: JsonObject;
  /** Only these were sent; absent: all of it was. */
  changed?: ReadonlySet<string>;
  /** The stored passwords at or below this path are dropped. */
  forget?: string;
  /** Those at or below this path go to another one. */
  move?: { from: string; to: string };
  /** Made by the service itself, which knows that the files in it are there. */
  isOwn?: true;
}

export interface ChangePlan {
  /** What the caller sent, for the passwords in it: they are hashed before the transaction begins. */
  sent: JsonObject;
  /** From what is stored to what shall be; may fail(). Runs inside the transaction, so it only computes. */
  change(current: JsonObject, schema: FlatSchema): Change;
  /** By which callers prove that they are the user whose record they change. */
  currentPassword?: Json | undefined;
  /** Nothing of what is stored shall stay, so that it need not be readable. */
  isWhole?: true;
  /** The caller has the turn of the object's files. */
  hasFilesLock?: boolean;
  /** What must be so, or happen, together with the change; may fail(). */
  within?(tx: Tx, row: LockedObject): Promise<void>;
}

/** Changes one object, whoever else does so at the same moment: the stored state is read under lock. */
export async function changeObject(ctx: Context, target: ObjectTarget, plan: ChangePlan): Promise<ObjectAnswer> {
  const collection = await getCollection(ctx, target.collection);
  const { schema } = collection;
  const own = await openOwnChange(ctx, { ...target, ...plan });
  await runCheck(ctx, target.collection, plan.sent);
  const hashes = await hashPasswords(schema, plan.sent);
  const rights = await lockRights(ctx, collection, target.id);
  let watched: string[] = [];
  let dropped: string[] = [];
  const answer = await ctx.storage.write(async (tx) => {
    const row = await lockExisting(tx, target.collection, target.id);
    if (!seesDrafts(ctx, "update", target.collection) && isDraft(row)) noObject(target.collection, target.id);
    checkIfMatch(target.ifMatch, row, schema);
    await plan.within?.(tx, row);
    const now = nextModified(row.modified, ctx.clock.iso());
    const current = (plan.isWhole ? replacedDocument : storedDocument)(ctx, schema, row);
    const limited = limitOwnChange(ctx, target.collection, plan.change(current, schema), { current, own });
    const change = clearFailures(
      target.collection,
      keepServiceProperties(target.collection, limited, current),
      current,
    );
    const { input, changed } = change;
    const needsOthers = needsCollectionLock(collection);
    const counters = needsOthers ? await lockCounters(tx, target.collection) : undefined;
    const { document, secrets } = buildDocument(
      schema,
      { ...input, id: target.id },
      {
        now,
        created: row.created,
        modified: now,
        counter: counters?.count ?? 0,
        htmlclean: htmlclean(ctx),
        hashes,
        secrets: secretsFor(row.secrets, change),
        files: change.isOwn ? input : current,
        ...(changed && { changed }),
      },
    );
    const before = { document: current, secrets: row.secrets };
    const after = { document, secrets };
    checkLocks(rights, { collection, id: target.id, before, after, move: change.move, isOwn: change.isOwn });
    checkOwnChange(ctx, target, { own, before, after });
    if (needsOthers) {
      await checkUnique(ctx, tx, collection, document);
      await applyUserRules(tx, target.collection, { actor: ctx.actor, before, after, now });
    }
    watched = watchedChanges(target.collection, before, after);
    dropped = droppedFiles(schema, current, document);
    const isSameSchema = changed !== undefined && row.schemaRev === schema.rev;
    const write = isSameSchema
      ? { ...objectRow(collection, document, secrets), entry: changedEntry(schema, current, document) }
      : objectWrite(collection, document, secrets);
    await updateObject(tx, row.rid, write);
    const event = { type: "object.updated", collection: target.collection, id: target.id } as const;
    await react(ctx, tx, event, savesCode(target.collection, changed));
    await bumpCounters(tx, target.collection, { created: 0, total: 0, lastUpdated: now, schemaRev: schema.rev });
    return { id: target.id, text: write.doc, etag: etagOf({ rid: row.rid, rev: row.rev + 1 }, schema) };
  });
  followWrite(ctx, collection);
  if (watched.length > 0) auditUser(ctx, "user.changed", target, { changed: watched });
  if (own) mailAddressLinks(ctx, own);
  ctx.events.emit({ type: "object.updated", collection: target.collection, id: target.id });
  await (plan.hasFilesLock ? removeFiles : removeDropped)(ctx, target, dropped);
  return own?.address === undefined ? answer : { ...answer, meta: { requiresVerification: true } };
}

/** By its turn another upload may have brought a file of the same name: that one stays. */
export async function removeDropped(ctx: Context, object: ObjectKey, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await withObjectFilesLock(ctx, object, () => removeUnnamed(ctx, object, keys)).catch((error) => {
    ctx.log.error({ err: error, ...object }, "files that nothing names any more could not be removed");
  });
}

/** Those that the object does not name go, the others stay. For whoever has the turn. */
export async function removeUnnamed(ctx: Context, object: ObjectKey, keys: readonly string[]): Promise<void> {
  const row = await findObject(ctx.storage, object.collection, object.id);
  const schema = row && (await getCollection(ctx, object.collection)).schema;
  const named = schema && filesIn(schema, storedDocument(ctx, schema, row));
  await removeFiles(
    ctx,
    object,
    keys.filter((key) => !named?.has(key)),
  );
}

/** Two writers may choose the same id at the same moment: the second one is undone, and looks again. */
export async function retryOnTakenId<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (tries === 5) throw new CairnError("exists");
    }
  }
}

/** The keys of files that the object had and has no longer. */
export function droppedFiles(schema: FlatSchema, before: JsonObject, after: JsonObject): string[] {
  const files = filesIn(schema, before);
  if (files.size === 0) return [];
  const kept = filesIn(schema, after);
  return [...files.keys()].filter((key) => !kept.has(key));
}

function secretsFor(secrets: ObjectSecrets, { forget, move }: Change): ObjectSecrets {
  const isBelow = (key: string, path: string | undefined) => key === path || key.startsWith(`${path}.`);
  const kept = Object.entries(secrets).filter(([key]) => !isBelow(key, forget));
  if (!move) return Object.fromEntries(kept);
  return Object.fromEntries(
    kept.map(([key, hash]) => [isBelow(key, move.from) ? move.to + key.slice(move.from.length) : key, hash]),
  );
}

export async function lockExisting(tx: Tx, collection: string, id: string): Promise<LockedObject> {
  return (await lockObject(tx, collection, id)) ?? noObject(collection, id);
}

export function noObject(collection: string, id: string): never {
  fail("not-found", `There is no object "${id}" in the collection "${collection}".`);
}

/** As the present schema shows it. */
export function storedDocument(app: Pick<App, "settings">, schema: FlatSchema, row: StoredText): JsonObject {
  const stored = findStored(row) ?? damaged();
  if (row.schemaRev === schema.rev) return stored;
  const [created, modified] = [String(stored.created), String(stored.modified)];
  return presentDocument(schema, stored, { created, modified, htmlclean: htmlclean(app) });
}

/** The same, for those who replace or remove it: of a damaged one nothing is known, and nothing must keep it. */
export function replacedDocument(app: Pick<App, "settings">, schema: FlatSchema, row: StoredText): JsonObject {
  return findStored(row) ? storedDocument(app, schema, row) : {};
}

function findStored({ doc }: Pick<StoredText, "doc">): JsonObject | undefined {
  try {
    return JSON.parse(doc) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Not the caller's fault; the object can be replaced, deleted, or restored from a backup. */
export function damaged(): never {
  fail("internal", "The stored object is damaged: it can be replaced or deleted.");
}

/** Strong: names the stored version and the schema it is shown under. */
export function etagOf(row: Pick<ObjectRow, "rid" | "rev">, schema: FlatSchema): string {
  return `"${row.rid}-${row.rev}-${schema.rev}"`;
}

export function checkIfMatch(
  ifMatch: string | undefined,
  row: Pick<ObjectRow, "rid" | "rev">,
  schema: FlatSchema,
): void {
  if (ifMatch !== undefined) checkTag(ifMatch, etagOf(row, schema));
}

/** A draft is a row whose document says so; the text is searched first, because most are not. */
export function isDraft(row: Pick<ObjectRow, "doc">): boolean {
  return row.doc.includes('"draft":true') && findStored(row)?.draft === true;
}

/** `modified` moves on every write, also within one millisecond and when the clock has stepped back. */
function nextModified(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}

const noHashes: ReadonlyMap<string, string> = new Map();

/** At once where there are none. */
export function hashPasswords(
  schema: FlatSchema,
  sent: JsonObject,
): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>> {
  const passwords = collectPasswords(schema, sent);
  return passwords.length === 0 ? noHashes : hashAll(passwords);
}

async function hashAll(passwords: string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const plain of passwords) hashes.set(plain, await hashPassword(plain));
  return hashes;
}

/**
 * Whether rules look at other objects: uniqueness, the last administrator, the next number. They hold for both of two
 * writers because one waits for the other; where there are none, nobody waits.
 */
export function needsCollectionLock({ id, schema }: Collection): boolean {
  return schema.hasUnique || schema.isNumbered || id === usersCollection;
}

export async function checkUnique(
  ctx: Pick<Context, "storage" | "actor">,
  tx: Tx,
  collection: Collection,
  document: JsonObject,
): Promise<void> {
  const details: ErrorDetails = {};
  for (const property of collection.schema.properties.values()) {
    const value = document[property.name];
    if (!property.isUnique || property.name === "id" || !isScalar(value) || value === "") continue;
    const where = { collection: collection.id, property: property.name, exceptId: String(document.id) };
    if (property.kind.comparison) noteUnique(ctx.storage, collection.id, property.name, property.kind.comparison);
    if ((await findByValue(tx, where, value)) === undefined) continue;
    details[property.name] = [
      `${property.label} must be unique. The value '${value}' already exists in this collection.`,
    ];
  }
  if (Object.keys(details).length === 0) return;
  if (isStranger(ctx, collection.id)) refuseStranger();
  fail("validation-failed", undefined, details);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

export function objectWrite(collection: Collection, document: JsonObject, secrets: ObjectSecrets): ObjectWrite {
  return { ...objectRow(collection, document, secrets), entry: indexEntry(collection.schema, document) };
}

function objectRow(collection: Collection, document: JsonObject, secrets: ObjectSecrets): Omit<ObjectWrite, "entry"> {
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
