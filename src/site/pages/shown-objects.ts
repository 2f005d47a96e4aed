// Objects that the site may show, found for the address of a page. What decided is recorded.

import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { readListSelection } from "#content/query/filters.ts";
import type { Params } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { isOnSite } from "#rules/on-site.ts";
import type { RecordedObject, Recorder } from "#site/template/recorder.ts";
import { usualSort } from "#site/usual-sort.ts";
import { decidingProperties } from "#storage/query/deciding-properties.ts";
import { versionOf } from "#storage/query/object-versions.ts";
import { selectIds } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";
import { findDocument } from "#storage/tables/objects.ts";
import type { PagePreview } from "./page-request.ts";

export interface ShownObject {
  collection: Collection;
  id: string;
  document: JsonObject;
}

/** Who looks, and who takes notes. */
export interface Look {
  ctx: Context;
  recorder: Recorder;
  preview?: PagePreview | undefined;
}

/** Objects with the same folded value that are compared exactly. */
const maxAlike = 10;
/** `read`: the properties that the caller looks at. */
export async function findShown(
  look: Look,
  collectionId: string,
  id: string,
  read: readonly string[] = [],
): Promise<ShownObject | undefined> {
  const found = await findRecorded(look, collectionId, id, read);
  if (found) look.recorder.object(found.recorded);
  else look.recorder.absence(collectionId, id);
  return found?.shown;
}

interface Found {
  shown: ShownObject;
  recorded: RecordedObject;
}

async function findRecorded(
  { ctx, preview }: Look,
  collectionId: string,
  id: string,
  read: readonly string[],
): Promise<Found | undefined> {
  const collection = await findCollection(ctx, collectionId);
  if (!collection || collection.isVirtual || !isOnSite(collection)) return undefined;
  const row = await findDocument(ctx.storage, collectionId, id);
  if (!row) return undefined;
  const document = storedDocument(ctx, collection.schema, row);
  if (document.draft === true && !preview?.showsDrafts(collectionId)) return undefined;
  return {
    shown: { collection, id, document },
    recorded: { collection: collectionId, id, rev: versionOf(row), document, properties: new Set(["draft", ...read]) },
  };
}

/** By a property other than the id; the exact value, the first by id. */
export async function findShownBy(
  look: Look,
  collectionId: string,
  { property, value }: { property: string; value: string },
): Promise<ShownObject | undefined> {
  const params = { filter: { [property]: { eq: value } }, sort: "id", order: "asc" };
  const isIt = ({ document }: ShownObject) => String(document[property]) === value;
  return findFirst(look, collectionId, { params, read: [property], isIt, most: maxAlike });
}

/** The singleton of a collection, or its first object in its own order. */
export async function findFirstShown(look: Look, collectionId: string): Promise<ShownObject | undefined> {
  const collection = await findCollection(look.ctx, collectionId);
  if (!collection) return undefined;
  const sort = usualSort(collection);
  const params = { sort, order: collection.settings.reverseSort ? "desc" : "asc" };
  return findFirst(look, collectionId, { params, read: [sort], isIt: () => true, most: 1 });
}

interface Search {
  params: Params;
  read: readonly string[];
  isIt(object: ShownObject): boolean;
  most: number;
}

async function findFirst(
  look: Look,
  collectionId: string,
  { params, read, isIt, most }: Search,
): Promise<ShownObject | undefined> {
  const { ctx, preview, recorder } = look;
  const collection = await findCollection(ctx, collectionId);
  if (!collection || collection.isVirtual || !isOnSite(collection)) return undefined;
  const { schema } = collection;
  if (!read.every((name) => name === "id" || schema.properties.has(name))) return undefined;
  const hideDrafts = schema.properties.has("draft") && !preview?.showsDrafts(collectionId);
  const source = { collection: collectionId, schema, isVirtual: false, hideDrafts, isPublic: false };
  const selection = readListSelection(params, source);
  const found: Found[] = [];
  for (const id of await selectSome(look, selection, most)) {
    const one = await findRecorded(look, collectionId, id, read);
    if (one) found.push(one);
  }
  recorder.query({
    collection: collectionId,
    objects: found.map(({ recorded }) => recorded),
    decidedBy: decidingProperties(selection),
    ask: async () => {
      const rows: { id: string; rev: string }[] = [];
      for (const id of await selectSome(look, selection, most)) {
        const row = await findDocument(ctx.storage, collectionId, id);
        if (row) rows.push({ id, rev: versionOf(row) });
      }
      return { rows };
    },
  });
  return found.find(({ shown }) => isIt(shown))?.shown;
}

function selectSome({ ctx }: Look, selection: Selection, limit: number): Promise<string[]> {
  return selectIds(ctx.storage, selection, { limit, offset: 0 }, ctx.caller);
}
