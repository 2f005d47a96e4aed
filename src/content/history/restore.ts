// Makes an older version the present one, all of it or some properties: an ordinary change of the object, with its rules,
// recorded as a restore. Passwords stay what they are.

import { allowMethod } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { changeObject } from "#content/objects/change-object.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { findPresentSecrets, noObject, storedDocument } from "#content/objects/stored-document.ts";
import type { Precondition } from "#content/preconditions.ts";
import { ownServiceProperties } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import { maxNote } from "#contract/history.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { keepHidden } from "#schemas/mcp-visibility.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { findObject } from "#storage/tables/objects.ts";
import { findNumber, getChange, notKept, openHistory, shownSchema } from "./history.ts";
import { dropCopies, takeBackFiles } from "./past-files.ts";
import { readVersion } from "./version.ts";

const fixed: readonly string[] = ["id", "created", "modified"];

export interface RestoreRequest extends Precondition {
  id: string;
  change: string;
  body?: Json | undefined;
}

export interface Restored {
  answer: ObjectAnswer;
  /** Keys of files that the version had and that are gone. */
  lost: string[];
}

export async function restoreVersion(
  ctx: Context,
  collectionId: string,
  { id, change, body, ifMatch }: RestoreRequest,
): Promise<Restored> {
  const collection = await openHistory(ctx, collectionId);
  allowMethod(ctx, "update");
  await openCollection(ctx, "update", collectionId, id);
  const schema = shownSchema(ctx, collection);
  const { properties, note } = readBody(schema, body, new Set(ownServiceProperties(ctx, collectionId)));
  const { rid, version } = await ctx.storage.view(async (view) => {
    const number = await findNumber(view, collection, id);
    const row = await getChange(view, number, change);
    return { rid: number, version: (await readVersion(ctx, view, collection.schema, row))?.document ?? notKept() };
  }, ctx.caller);
  const key = { collection: collectionId, id };
  const shown = (values: JsonObject, current: JsonObject) =>
    schema === collection.schema ? values : keepHidden(collection.schema, values, current);
  const own = { ...ctx, trail: { ...ctx.trail, ...(note !== undefined && { note }), kind: "restore" as const } };
  return withObjectFilesLock(ctx, key, async () => {
    const row = (await findObject(ctx.storage, collectionId, id)) ?? noObject(collectionId, id);
    const now = storedDocument(ctx, collection.schema, row);
    const picked: JsonObject = Object.fromEntries(
      properties.flatMap((name) => (name in version ? [[name, version[name] as Json]] : [])),
    );
    const past = await takeBackFiles(ctx, collection.schema, {
      object: { ...key, rid },
      document: shown(picked, now),
      current: { schema: collection.schema, document: now },
      secrets: (await findPresentSecrets(ctx.storage, collection, id)) ?? {},
    });
    const { document, lost } = past;
    const values: JsonObject = Object.fromEntries(properties.map((name) => [name, document[name] ?? null]));
    const changed = new Set(properties);
    const answer = await changeObject(
      own,
      { collection, id, ifMatch },
      {
        sent: values,
        hasFilesLock: true,
        // Another object may have taken the id meanwhile.
        within: async (_tx, locked) => void (locked.rid === rid || noObject(collectionId, id)),
        change: (current) => ({
          input: { ...current, ...shown(values, current) },
          ...{ changed, isOwn: true, isReturn: true },
        }),
      },
    ).catch(async (error) => {
      await dropCopies(ctx, key, past);
      throw error;
    });
    return { answer, lost };
  });
}

/** `service`: what only the service writes stays as it is. */
function readBody(
  schema: FlatSchema,
  body: Json | undefined,
  service: ReadonlySet<string>,
): { properties: string[]; note: string | undefined } {
  const { properties, note } = isJsonObject(body ?? {})
    ? ((body ?? {}) as JsonObject)
    : fail("invalid", "The body must be a JSON object.");
  const all = [...schema.properties.values()].filter(
    ({ name, isPassword }) => !isPassword && !fixed.includes(name) && !service.has(name),
  );
  return { properties: readNames(new Set(all.map(({ name }) => name)), properties), note: readNote(note) };
}

function readNames(known: ReadonlySet<string>, sent: Json | undefined): string[] {
  if (sent === undefined || sent === null) return [...known];
  if (!Array.isArray(sent) || sent.length === 0)
    fail("invalid", undefined, { properties: ["must be a list of names"] });
  for (const name of sent) {
    if (typeof name !== "string" || !known.has(name))
      fail("invalid", undefined, { properties: [`${JSON.stringify(name).slice(0, 60)} cannot be restored here`] });
  }
  return [...new Set(sent as string[])];
}

export function readNote(sent: Json | undefined): string | undefined {
  if (sent === undefined || sent === null || sent === "") return undefined;
  if (typeof sent !== "string" || sent.length > maxNote)
    fail("invalid", undefined, { note: [`must be text of at most ${maxNote} characters`] });
  return sent;
}
