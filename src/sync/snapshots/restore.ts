// Restores a snapshot through the normal save: the present state becomes a snapshot first.
// Files and passwords stay as they are; they are in no snapshot.

import { isPublishedKey } from "#access/actor.ts";
import { allow, allowMethod, isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { parseLargeJson } from "#base/json.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { createCollection, replaceSettings } from "#content/collections/collections.ts";
import { importSchema } from "#content/collections/schemas.ts";
import { createObject, replaceObject } from "#content/objects/objects.ts";
import { type Paging, refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { Snapshot, SnapshotContent, SnapshotRestored } from "#contract/admin.ts";
import type { Operation } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { withPresentNames } from "#schemas/values/present-names.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { findCollectionDeletion } from "#storage/tables/history/deletions.ts";
import { hasObject } from "#storage/tables/objects.ts";
import { finishImports, withImportsLock } from "#sync/pending-files.ts";
import { findSnapshot, listSnapshots, readSnapshot, type SnapshotChoice, snapshot } from "./snapshots.ts";

/** Newest first; `of`: those of one collection, or of one object as `collection:id`. */
export async function listBackups(ctx: Context, of?: string): Promise<Snapshot[]> {
  allow(ctx, "read", { kind: "sync" });
  const [collection, id] = of?.split(":") ?? [];
  return listSnapshots(ctx, { collection, id });
}

export interface SnapshotFilter extends SnapshotChoice, Pick<Paging, "limit" | "offset"> {
  /** A part of the id or of the collection. */
  search?: string | undefined;
}

/** Newest first. */
export async function pageSnapshots(
  ctx: Context,
  { limit, offset, search = "", ...of }: SnapshotFilter,
): Promise<{ snapshots: Snapshot[]; total: number }> {
  allowSnapshots(ctx, "read", of);
  const text = search.trim().toLowerCase();
  const isOpen = await findOpen(ctx, of);
  const all = (await listSnapshots(ctx, of)).filter(
    (one) => isOpen(one) && (one.id.includes(text) || (one.collection ?? "").includes(text)),
  );
  return { snapshots: all.slice(offset, offset + limit), total: all.length };
}

/** By the path that the list names. */
export async function getSnapshot(ctx: Context, named: string): Promise<SnapshotContent> {
  const found = await openSnapshot(ctx, "read", named);
  return { ...found, content: await readContent(ctx, found) };
}

/** By the path that the list names. */
export async function restoreSnapshot(ctx: Context, named: string): Promise<SnapshotRestored> {
  const restored = await openSnapshot(ctx, "update", named);
  // A POST, by which a key could change what its methods do not let it change.
  allowMethod(ctx, "update");
  const content = await readContent(ctx, restored);
  await finishImports(ctx);
  const replaced = await withImportsLock(ctx, () => snapshot(ctx, restored));
  await save(ctx, restored, content);
  return { ...restored, replaced: replaced ?? null };
}

/** `{file}`. */
export async function restoreNamed(ctx: Context, body: Json): Promise<SnapshotRestored> {
  const named = isJsonObject(body) ? body.file : undefined;
  if (typeof named === "string") return restoreSnapshot(ctx, named);
  allowSnapshots(ctx, "update", {});
  return refuse("file", "file is required: the name of a snapshot.");
}

async function openSnapshot(ctx: Context, operation: Operation, named: string): Promise<Snapshot> {
  const found = findSnapshot(ctx, named);
  allowSnapshots(ctx, operation, found ?? {});
  const isOpen = await findOpen(ctx, found ?? {});
  return found && isOpen(found)
    ? found
    : fail("not-found", "There is no such snapshot: the list of snapshots names them.");
}

/**
 * Rights for a collection say nothing about a former one of its id: older snapshots are for the admin persona. Their stamps are in
 * whole seconds.
 */
async function findOpen(ctx: Context, { collection }: SnapshotChoice): Promise<(one: Snapshot) => boolean> {
  if (collection === undefined || isAllowed(ctx.actor, "read", { kind: "sync" })) return () => true;
  const row = await findCollectionRow(ctx.storage, collection);
  const deletion = await findCollectionDeletion(ctx.storage, collection);
  const began = row?.began ? Math.floor(Date.parse(row.began) / 1_000) * 1_000 : 0;
  const deleted = deletion?.at ?? 0;
  return ({ created }) => Date.parse(created) >= began && Date.parse(created) > deleted;
}

/**
 * What was removed from an object on purpose is still in its snapshots: they are for callers that may read and update the
 * objects of the collection by a right of their own, and not for keys that see no drafts. All others are for the admin persona.
 */
function allowSnapshots(ctx: Context, operation: Operation, { kind = "object", collection }: SnapshotChoice) {
  const isForAdmins = kind !== "object" || collection === undefined || isPublishedKey(ctx.actor);
  if (isForAdmins) return allow(ctx, operation, { kind: "sync" });
  for (const each of ["read", "update"] as const)
    allow(ctx, each, { kind: "objects", collection, publicOperations: [] });
}

async function readContent(ctx: Context, { file }: Snapshot): Promise<JsonObject> {
  const content = parseLargeJson(Buffer.from(await readSnapshot(ctx, file)));
  return isJsonObject(content) ? content : fail("invalid", "The snapshot is damaged: it contains no JSON object.");
}

async function save(ctx: Context, { kind, collection = "", id }: Snapshot, content: JsonObject): Promise<void> {
  const schema = kind === "object" ? (await findCollection(ctx, collection))?.schema : undefined;
  const body = { ...(schema ? withPresentNames(schema, content) : content), id };
  if (kind === "schema") await importSchema(ctx, body);
  else if (kind === "collection") {
    const isThere = (await findCollectionRow(ctx.storage, id)) !== undefined;
    // As it was: without a history of its own, where it had none.
    await (isThere ? replaceSettings(ctx, id, body) : createCollection(ctx, { history: null, ...body }));
  } else if (await hasObject(ctx.storage, collection, id)) await replaceObject(ctx, collection, id, { body });
  else await createObject(ctx, collection, body);
}
