// An object as it was after a change. The log is read backwards: from the stored row, or from the content of its deletion, each
// change gives back the values that it replaced. Where the revisions have a gap, or values are not kept, older versions
// cannot be read.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findFormer, moveFormer } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { presentDocument } from "#schemas/present.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { withFormerPlaces } from "#schemas/values/former-places.ts";
import { eachShape } from "#schemas/values/walk.ts";
import { kindOf } from "#storage/log/change-record.ts";
import type { Reader } from "#storage/port.ts";
import { type ChangeRow, type ChangeWithContent, listContents } from "#storage/tables/history/changes.ts";
import { findStoredObject } from "#storage/tables/history/deletions.ts";
import type { StoredObject } from "#storage/tables/object-batches.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";

/** Contents that are read at once: each may be some megabytes, so that only small ones are followed by more. */
const [pageSize, largePage] = [20, 100];
const smallPageBytes = 256 * 1024;

/** An object at one revision, with the values that its schema does not show. */
export interface PastState {
  rev: number;
  /** Undefined: there is no object at this revision. */
  whole: JsonObject | undefined;
  /** Its times as stored; undefined: `at` of the change is the time. */
  modified?: string | undefined;
}

/** How the log goes on towards the past. */
export interface PastChange {
  change: ChangeWithContent;
  /** After the change. Of a deletion: the object that it deleted. Undefined: it cannot be read. */
  state: PastState | undefined;
  /** Before the change. */
  before: PastState | undefined;
}

/**
 * The changes of an object from the newest to `from`, each with the object after it. Of one moment: `db` is a view or a
 * transaction. `row`: as it is stored, where that was read before.
 */
export async function* walkBack(
  db: Reader,
  schema: FlatSchema,
  { rid, collection, from, row: known }: ObjectKey & { from: number; row?: StoredObject | undefined },
): AsyncGenerator<PastChange> {
  const row = known ?? (await findStoredObject(db, { rid, collection }));
  const stored = row && { ...parse(row.attic), ...parse(row.doc) };
  let state: PastState | undefined = row && {
    rev: row.rev,
    whole: stored && moveFormer(schema, stored),
    modified: row.modified,
  };
  let isFirst = true;
  let limit = pageSize;
  for (let next = await listContents(db, rid, { from, limit }); next.length > 0; ) {
    for (const change of next) {
      // Without a row the newest change is a deletion, or the log misses it.
      if (isFirst && !row) state = { rev: change.rev, whole: undefined };
      isFirst = false;
      const reached: PastState | undefined = state?.rev === change.rev ? state : undefined;
      const before: PastState | undefined = reached && stepBack(schema, reached, change);
      yield { change, state: kindOf(change.kind) === "delete" ? before : reached, before };
      state = before;
    }
    const last = next.at(-1);
    if (!last || next.length < limit) return;
    limit = lengthOf(next) < smallPageBytes ? largePage : pageSize;
    next = await listContents(db, rid, { from, before: last.seq, limit });
  }
}

function lengthOf(page: readonly ChangeWithContent[]): number {
  return page.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
}

/** From the object after a change to the one before it; undefined: its values are not kept. */
function stepBack(schema: FlatSchema, { whole }: PastState, change: ChangeWithContent): PastState | undefined {
  const rev = change.rev - 1;
  if (kindOf(change.kind) === "delete") {
    if (whole !== undefined || change.content === null) return undefined;
    const deleted = readDeleted(schema, change.content);
    return deleted && { rev, whole: deleted.whole, modified: deleted.modified };
  }
  if (whole === undefined) return undefined;
  if (isCreation(change)) return { rev, whole: undefined };
  if (change.content === null) return change.props === "[]" ? { rev, whole } : undefined;
  const old = parse(change.content);
  return old && { rev, whole: withOldValues(schema, whole, old) };
}

/** Of an object that was made, or that came back: nothing was there before. */
export function isCreation({ kind, props }: Pick<ChangeRow, "kind" | "props">): boolean {
  return props === null && kindOf(kind) !== "delete" && kindOf(kind) !== "collection";
}

/** Values from before a rename take the present name. */
function withOldValues(schema: FlatSchema, whole: JsonObject, { "": absent, ...old }: JsonObject): JsonObject {
  const before = { ...whole };
  for (const name of Array.isArray(absent) ? absent : []) delete before[presentName(schema, String(name))];
  for (const [name, value] of Object.entries(old)) before[presentName(schema, name)] = value;
  return before;
}

/** The name that a property has now. */
export function presentName(schema: FlatSchema, name: string): string {
  return schema.properties.has(name) ? name : (findFormer(schema, name)?.name ?? name);
}

export interface DeletedObject {
  /** With the values that its schema did not show. */
  whole: JsonObject;
  created: string;
  modified: string;
}

/** The content of a deletion; undefined: it is damaged. */
export function readDeleted(schema: FlatSchema, content: string): DeletedObject | undefined {
  const { document, attic, created, modified } = parse(content) ?? {};
  if (!isJsonObject(document)) return undefined;
  const shown = moveFormer(schema, withFormerPlaces(schema, document));
  const hidden = isJsonObject(attic) ? withFormerPlaces(schema, attic) : {};
  const whole = moveFormer(schema, { ...hidden, ...shown });
  return { whole, created: String(created), modified: String(modified) };
}

/** As the present schema shows it. What is a password now is never shown, whatever it was. */
export function presentVersion(
  app: Pick<App, "settings">,
  schema: FlatSchema,
  { whole, modified }: { whole: JsonObject; modified: string },
): JsonObject {
  const shown = presentDocument(schema, withoutPasswords(schema, whole), {
    created: String(whole.created),
    modified,
    htmlclean: htmlclean(app),
  });
  return withoutPasswords(schema, shown);
}

/** Also those in cards and decks, and under a name of before. The same object where there is none. */
export function withoutPasswords(schema: FlatSchema, values: JsonObject): JsonObject {
  if (passwordsOf(schema).length === 0) return values;
  const copy = structuredClone(values);
  eachShape(schema, copy, (shapeSchema, shape) => {
    for (const name of Object.keys(shape))
      if (shapeSchema.properties.get(presentName(shapeSchema, name))?.isPassword) delete shape[name];
  });
  return copy;
}

/** The paths of the passwords in a schema, such as `card.pin`. */
export const passwordsOf = perInstance((schema: FlatSchema): readonly string[] =>
  [...schema.properties.values()].flatMap(({ name, isPassword, item }) => {
    if (isPassword) return [name];
    return item ? passwordsOf(item).map((inner) => `${name}.${inner}`) : [];
  }),
);

/** One version of an object. */
export interface Version {
  change: ChangeRow;
  /** Under the present schema. */
  document: JsonObject;
}

/** Undefined: it cannot be read any more. */
export async function readVersion(
  app: Pick<App, "settings">,
  db: Reader,
  schema: FlatSchema,
  { rid, collection, seq }: Pick<ChangeRow, "rid" | "collection" | "seq">,
): Promise<Version | undefined> {
  for await (const { change, state } of walkBack(db, schema, { rid, collection, from: seq })) {
    if (state === undefined) return undefined;
    if (change.seq === seq) return showState(app, schema, change, state);
  }
  return undefined;
}

/** The object as it was at a moment (milliseconds). Undefined: there was none of this id, or it cannot be read any more. */
export async function readAt(
  app: Pick<App, "settings">,
  db: Reader,
  schema: FlatSchema,
  { id, moment, ...object }: ObjectKey & { id: string; moment: number; row: StoredObject | undefined },
): Promise<JsonObject | undefined> {
  for await (const { change, state } of walkBack(db, schema, { ...object, from: 0 })) {
    if (state === undefined) return undefined;
    if (change.at > moment) continue;
    if (change.id !== id || kindOf(change.kind) === "delete") return undefined;
    return showState(app, schema, change, state)?.document;
  }
  return undefined;
}

/** What a version is shown as; undefined where there was no object. */
export function showState(
  app: Pick<App, "settings">,
  schema: FlatSchema,
  { content: _, ...change }: ChangeWithContent,
  { whole, modified }: PastState,
): Version | undefined {
  if (whole === undefined) return undefined;
  const time = modified ?? new Date(change.at).toISOString();
  return { change, document: presentVersion(app, schema, { whole, modified: time }) };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
