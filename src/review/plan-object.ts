// The plan of one object: what its changes say (walk.ts), held against its row, its schema and the rights of the caller.
// Nothing is changed here. The job that applies the plan works it out again for each object.

import { isLimitedKey } from "#access/actor.ts";
import { isAllowed, mayLookBack, opensOperation } from "#access/allow.ts";
import { CairnError, type ErrorDetails } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { subjectOf } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import { seesAll } from "#content/history/feed.ts";
import { findHolder, findStored } from "#content/history/holder.ts";
import { readDeleted, withoutPasswords } from "#content/history/version.ts";
import { isDraft, storedDocument } from "#content/objects/stored-document.ts";
import { ownServiceProperties } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import type { UndoAction, UndoConflict, UndoStatus } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { buildDocument } from "#schemas/build.ts";
import { findFormer } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { kindOf } from "#storage/log/change-record.ts";
import { type ChangeWithContent, listContents } from "#storage/tables/history/changes.ts";
import { findStoredObject } from "#storage/tables/history/deletions.ts";
import type { ObjectWithChanges } from "#storage/tables/history/objects-with-changes.ts";
import type { StoredObject } from "#storage/tables/object-batches.ts";
import type { SelectedObject } from "./selection.ts";
import { createWalk, type Existence, type Fate, type Walk } from "./walk.ts";

/** Contents that are read at once: each may be some megabytes. */
const pageSize = 20;
/** When an object moves while it is read. */
const maxTries = 5;
/** Not undone: they follow from the write. */
const fixed: ReadonlySet<string> = new Set(["id", "created", "modified"]);

export interface PlannedProperty {
  name: string;
  status: UndoStatus;
  /** Undefined: absent. */
  from: Json | undefined;
  to: Json | undefined;
  /** The number of a writer. */
  by: number | undefined;
}

export interface PlannedObject {
  collection: string;
  id: string;
  rid: number;
  /** The oldest selected change. */
  first: number;
  /** Of the row; of the deletion where there is none. */
  rev: number;
  action: UndoAction;
  properties: PlannedProperty[];
  conflict?: UndoConflict | undefined;
  details?: ErrorDetails | undefined;
  /** The values may be shown to the caller. */
  isVisible: boolean;
  /** The deletion that is taken back, of the action `restore`. */
  deletion?: number | undefined;
}

export type IsSelected = (change: ChangeWithContent) => boolean;

export type Wanted = Pick<SelectedObject, "rid" | "first" | "collection">;

/** Undefined: there is nothing to undo. */
export async function planObject(
  ctx: Context,
  object: Wanted,
  isSelected: IsSelected,
): Promise<PlannedObject | undefined> {
  const holder = await findPlace(ctx, object);
  if (!holder) return undefined;
  const { collection } = holder;
  for (let tries = 1; ; tries += 1) {
    const row = await findStoredObject(ctx.storage, object);
    const walk = startWalk(ctx, { collection, row }, isSelected);
    const newest = await walkDown(ctx, object, walk);
    if (!newest) return undefined;
    if (hasMoved(row, newest) && tries < maxTries) continue;
    return judged({ ctx, collection, row, newest, walk }, object);
  }
}

/** Of an object that was read with its changes. `moved`: it was changed meanwhile. */
export async function planRead(
  ctx: Context,
  { object, read, isTrusted }: { object: Wanted; read: ObjectWithChanges; isTrusted?: boolean },
  isSelected: IsSelected,
): Promise<PlannedObject | undefined | "moved"> {
  const holder = await findPlace(ctx, object);
  if (!holder) return undefined;
  const { collection } = holder;
  const { row, changes } = read;
  const [newest] = changes;
  if (!newest) return undefined;
  if (hasMoved(row, newest)) return "moved";
  const walk = startWalk(ctx, { collection, row }, isSelected);
  for (const change of changes) walk.step(change);
  return judged({ ctx, collection, row, newest, walk, isTrusted }, object);
}

/** Undefined: the object was in a former collection of this id, which is not for this caller. */
async function findPlace(ctx: Context, object: Wanted): Promise<{ collection: Collection | undefined } | undefined> {
  const collection = await findHolder(ctx, object);
  const isReplaced = !collection && (await findStored(ctx, object.collection)) !== undefined;
  return isReplaced && !seesAll(ctx.actor) ? undefined : { collection };
}

function judged(found: Found, { rid, first }: Wanted): PlannedObject | undefined {
  const planned = judge(found);
  return planned && { ...planned, rid, first };
}

/** It was changed between the two reads. */
function hasMoved(row: StoredObject | undefined, newest: ChangeWithContent): boolean {
  return row ? newest.rev > row.rev : kindOf(newest.kind) !== "delete";
}

function startWalk(ctx: Context, { collection, row }: Pick<Found, "collection" | "row">, isSelected: IsSelected): Walk {
  return createWalk({
    rev: row?.rev,
    isSelected: (change) => isSelected(change as ChangeWithContent),
    nameOf: collection ? nameFinder(ctx, collection) : (property) => property,
  });
}

/** The newest change. */
async function walkDown(
  { storage }: Context,
  { rid, first }: { rid: number; first: number },
  walk: Walk,
): Promise<ChangeWithContent | undefined> {
  let newest: ChangeWithContent | undefined;
  for (let before: number | undefined; ; ) {
    const page = await listContents(storage, rid, { from: first, before, limit: pageSize });
    newest ??= page[0];
    for (const change of page) walk.step(change);
    if (page.length < pageSize) return newest;
    before = page.at(-1)?.seq;
  }
}

/** Undefined for what is not undone. */
function nameFinder(ctx: Context, { id, schema }: Collection): (name: string) => string | undefined {
  const service = new Set(ownServiceProperties(ctx, id));
  return (name) => {
    const present = schema.properties.has(name) ? name : findFormer(schema, name)?.name;
    return present === undefined || fixed.has(present) || service.has(present) ? undefined : present;
  };
}

interface Found {
  ctx: Context;
  /** Undefined: it is gone. */
  collection: Collection | undefined;
  row: StoredObject | undefined;
  newest: ChangeWithContent;
  walk: Walk;
  /** The write that follows checks the result. */
  isTrusted?: boolean | undefined;
}

type Judged = Omit<PlannedObject, "rid" | "first">;

function judge(found: Found): Judged | undefined {
  const { ctx, collection, row, newest, walk } = found;
  if (isLimitedKey(ctx.actor) && !mayLookBack(ctx.actor, newest.collection)) return undefined;
  const existence = walk.existence();
  const at = { collection: newest.collection, id: row?.id ?? newest.id, rev: row?.rev ?? newest.rev };
  const kept = (conflict?: UndoConflict): Judged | undefined => {
    const properties = supersededBy(walk, existence);
    if (!conflict && properties.length === 0) return undefined;
    return { ...at, action: "keep", properties, conflict, isVisible: false };
  };
  if (!row) {
    if (!existence?.isSelected) return kept();
    if (!existence.existed && !existence.isEdited) return undefined;
    if (!collection) return kept("missing");
    return judgeDeleted(found, { ...at, isVisible: false }) ?? kept("lost");
  }
  if (!collection) return kept("missing");
  const isVisible = mayChange(ctx, collection, row, "update");
  const judged = judgeStored(found, { ...at, isVisible }, storedDocument(ctx, collection.schema, row));
  if (!judged || judged.action === "keep") return judged;
  const operation = judged.action === "delete" ? "delete" : "update";
  return mayChange(ctx, collection, row, operation) ? judged : forbidden(judged);
}

function forbidden(judged: Judged): Judged {
  return { ...judged, action: "keep", conflict: "forbidden", isVisible: false };
}

type Place = Pick<Judged, "collection" | "id" | "rev" | "isVisible">;

function judgeStored(
  { ctx, collection, walk, isTrusted }: Found,
  place: Place,
  current: JsonObject,
): Judged | undefined {
  const { schema } = collection as Collection;
  const existence = walk.existence();
  // Made by the selection, and not there before.
  const isMade = existence?.isSelected === true && !existence.existed;
  if (isMade && !existence.isEdited) return { ...place, action: "delete", properties: [] };
  const properties = propertiesOf(walk, schema, { current, isMade });
  const conflict = isMade ? ("edited" as const) : undefined;
  const clean = properties.filter(({ status }) => status === "clean");
  if (clean.length === 0)
    return properties.length === 0 && !conflict ? undefined : { ...place, action: "keep", properties, conflict };
  const details = isTrusted ? undefined : problemsOf(ctx, schema, current, clean);
  if (details) return { ...place, action: "keep", properties, conflict: "invalid", details };
  return { ...place, action: "revert", properties, conflict };
}

/** Undefined: its content is not kept. */
function judgeDeleted({ ctx, collection: known, newest, walk }: Found, place: Place): Judged | undefined {
  const collection = known as Collection;
  const { schema } = collection;
  const deleted = newest.content === null ? undefined : readDeleted(schema, newest.content);
  if (!deleted) return undefined;
  const isVisible = mayChange(ctx, collection, undefined, "create") && mayChange(ctx, collection, undefined, "update");
  const properties = propertiesOf(walk, schema, { current: deleted.whole, isMade: false });
  const judged: Judged = { ...place, isVisible, action: "restore", properties, deletion: newest.seq };
  if (!isVisible) return forbidden(judged);
  const clean = properties.filter(({ status }) => status === "clean");
  const details = clean.length === 0 ? undefined : problemsOf(ctx, schema, deleted.whole, clean);
  return details ? { ...judged, action: "keep", conflict: "invalid", details } : judged;
}

/** By a right of the caller's own, and not only because the public may. */
function mayChange(ctx: Context, { id, settings }: Collection, row: StoredObject | undefined, operation: Operation) {
  const { actor, surface } = ctx;
  if (!isAllowed(actor, operation, subjectOf(ctx, id, settings))) return false;
  // Agents do everything by POST, and undo their own writes alone.
  if (surface !== "mcp" && !opensOperation(actor, operation, id)) return false;
  if (row && !seesDrafts(ctx, operation, id) && isDraft(row)) return false;
  return isAllowed(actor, operation, ownSubject(id));
}

function ownSubject(collection: string): Parameters<typeof isAllowed>[2] {
  return { kind: "objects", collection, publicOperations: [] };
}

/** Where the object itself is somebody else's to decide about, nothing of it is undone. */
function supersededBy(walk: Walk, existence: Existence | undefined): PlannedProperty[] {
  const by = walk.isUnknown() ? undefined : existence?.by;
  return [...walk.fates].flatMap(([name, { isSelected }]) =>
    isSelected ? [{ name, status: "superseded" as const, from: undefined, to: undefined, by }] : [],
  );
}

interface Base {
  current: JsonObject;
  isMade: boolean;
}

function propertiesOf(walk: Walk, schema: FlatSchema, { current, isMade }: Base): PlannedProperty[] {
  const found: PlannedProperty[] = [];
  for (const [name, fate] of walk.fates) {
    if (!fate.isSelected) continue;
    const isSecret = schema.properties.get(name)?.isPassword === true;
    const from = isSecret ? undefined : shownValue(schema, name, current[name]);
    const to = isSecret ? undefined : shownValue(schema, name, fate.before);
    const status = isSecret && fate.state !== "superseded" ? "lost" : statusOf(fate, isMade);
    if (status === "clean" && isSame(from, to)) continue;
    found.push({ name, status, from, to: status === "clean" ? to : from, by: fate.by });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Without what is a password now, in cards and decks: the log may still have it. */
function shownValue(schema: FlatSchema, name: string, value: Json | undefined): Json | undefined {
  return typeof value !== "object" || value === null ? value : withoutPasswords(schema, { [name]: value })[name];
}

function statusOf({ state, isLost }: Fate, isMade: boolean): UndoStatus {
  if (state === "superseded") return "superseded";
  // Nobody but the selection has ever set it.
  if (state === "walking" && isMade) return "conflict";
  return isLost ? "lost" : "clean";
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The values that come back, as they are sent to the write: null takes one back to its default. */
export function cleanValues(properties: readonly PlannedProperty[]): JsonObject {
  return Object.fromEntries(
    properties.flatMap(({ name, status, to }) => (status === "clean" ? [[name, to ?? null]] : [])),
  );
}

/** What the present schema has against the result; undefined: nothing. */
function problemsOf(
  ctx: Context,
  schema: FlatSchema,
  current: JsonObject,
  clean: readonly PlannedProperty[],
): ErrorDetails | undefined {
  const values = cleanValues(clean);
  const input = { ...current, ...values, id: String(current.id) };
  const [created, modified] = [String(current.created), String(current.modified)];
  try {
    buildDocument(schema, input, {
      ...{ now: modified, created, modified, counter: 0, htmlclean: htmlclean(ctx), hashes: new Map(), secrets: {} },
      files: input,
      changed: new Set(Object.keys(values)),
    });
    return undefined;
  } catch (error) {
    if (error instanceof CairnError && error.word === "validation-failed") return error.details ?? {};
    throw error;
  }
}
