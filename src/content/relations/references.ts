// Which objects point to one: in pages, from the collections that the caller may read.

import { getObject } from "#content/objects/objects.ts";
import { findText, type Params, readWhole, refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { type PointedFrom, referenceLimit } from "#contract/relations.ts";
import { relationsOf } from "#schemas/relations.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { askPointing, type PointingFrom, type PointingRow } from "#storage/tables/relations/object-references.ts";
import { findReadable, shownSchema } from "./expand-plan.ts";
import { listIncoming } from "./incoming.ts";

export interface ReferencesAnswer {
  data: PointedFrom[];
  meta: {
    /** Where the next page begins. */
    cursor?: string;
    /** Collections whose references are still being indexed: objects of theirs may be missing. */
    indexing?: string[];
  };
}

export async function listReferences(
  ctx: Context,
  collectionId: string,
  id: string,
  params: Params,
): Promise<ReferencesAnswer> {
  await getObject(ctx, collectionId, id);
  const limit = Math.min(
    readWhole(params, "limit", { least: 1, fallback: referenceLimit.default }),
    referenceLimit.max,
  );
  const after = readCursor(params);
  const { from, indexing } = await readableSources(ctx, collectionId);
  const isEmpty = from.length === 0;
  const page = { from, after, limit: limit + 1, caller: ctx.caller };
  const rows = isEmpty ? [] : await askPointing(ctx.storage, { collection: collectionId, id }, page);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return {
    data: data.map(({ collection, id: pointing, property }) => ({ collection, id: pointing, property })),
    meta: { ...(last && { cursor: writeCursor(last) }), ...(indexing.length > 0 && { indexing }) },
  };
}

async function readableSources(ctx: Context, target: string): Promise<{ from: PointingFrom[]; indexing: string[] }> {
  const from: PointingFrom[] = [];
  const indexing: string[] = [];
  const incoming = new Set((await listIncoming(ctx, target)).map(({ collection }) => collection.id));
  for (const collection of incoming) {
    const found = await findReadable(ctx, collection);
    if (!found) continue;
    const { target: source, reach } = found;
    const shown = relationsOf(shownSchema(ctx, source)).filter((relation) => relation.target === target);
    if (shown.length === 0) continue;
    from.push({
      collection,
      properties: shown.map(({ name }) => name),
      hideDrafts: reach === "published" && source.schema.properties.has("draft"),
      onlyId: reach === "own" && "id" in ctx.actor ? ctx.actor.id : undefined,
    });
    const row = await findCollectionRow(ctx.storage, collection);
    if (row && row.indexedRev !== source.schema.rev) indexing.push(collection);
  }
  return { from, indexing };
}

function writeCursor({ collection, id, property }: PointingRow): string {
  return Buffer.from(JSON.stringify([collection, id, property])).toString("base64url");
}

function readCursor(params: Params): PointingRow | undefined {
  const text = findText(params, "cursor");
  if (text === undefined) return undefined;
  const parts = parsed(text);
  const isWhole = Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === "string");
  if (!isWhole) refuse("cursor", "cursor is not one of this list.");
  const [collection, id, property] = parts as [string, string, string];
  return { collection, id, property };
}

function parsed(cursor: string): Json | undefined {
  try {
    const value = JSON.parse(Buffer.from(cursor, "base64url").toString()) as Json;
    return isJsonObject(value) || JSON.stringify(value).includes("\\u0000") ? undefined : value;
  } catch {
    return undefined;
  }
}
