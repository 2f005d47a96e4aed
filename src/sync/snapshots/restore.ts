// Restores a snapshot through the normal save: the present state becomes a snapshot first.
// Files and passwords stay as they are; they are in no snapshot.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { parseLargeJson } from "#base/json.ts";
import { createCollection, replaceSettings } from "#content/collections/collections.ts";
import { importSchema } from "#content/collections/schemas.ts";
import { createObject, replaceObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { hasObject } from "#storage/tables/objects.ts";
import { finishImports } from "#sync/pending-files.ts";
import { findSnapshot, listSnapshots, readSnapshot, type Snapshot, snapshot } from "./snapshots.ts";

/** Newest first; `of`: those of one collection, or of one object as `collection:id`. */
export async function listBackups(ctx: Context, of?: string): Promise<Snapshot[]> {
  allow(ctx, "read", { kind: "sync" });
  const [collection, id] = of?.split(":") ?? [];
  const all = await listSnapshots(ctx);
  if (collection === undefined) return all;
  return all.filter((one) => one.collection === collection && (id === undefined || one.id === id));
}

export interface Restored {
  restored: Snapshot;
  /** The snapshot of the replaced content. */
  replaced: string | undefined;
}

/** By the path that the list names. */
export async function restoreSnapshot(ctx: Context, named: string): Promise<Restored> {
  allow(ctx, "update", { kind: "sync" });
  const restored = findSnapshot(ctx, named) ?? fail("not-found", "There is no such snapshot: backup:list names them.");
  const content = parseLargeJson(Buffer.from(await readSnapshot(ctx, restored.file)));
  if (!isJsonObject(content)) fail("invalid", "The snapshot is damaged: it contains no JSON object.");
  await finishImports(ctx);
  const replaced = await snapshot(ctx, restored);
  await save(ctx, restored, content);
  return { restored, replaced };
}

async function save(ctx: Context, { kind, collection = "", id }: Snapshot, content: JsonObject): Promise<void> {
  const body = { ...content, id };
  if (kind === "schema") await importSchema(ctx, body);
  else if (kind === "collection") {
    const isThere = (await findCollectionRow(ctx.storage, id)) !== undefined;
    await (isThere ? replaceSettings(ctx, id, body) : createCollection(ctx, body));
  } else if (await hasObject(ctx.storage, collection, id)) await replaceObject(ctx, collection, id, { body });
  else await createObject(ctx, collection, body);
}
