// Objects as the routes for files need them: parsed once, cached until any object of the collection changes.

import { characterBytes } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedEntries } from "#base/caches/versioned-cache.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findPresentSecrets, isDraft, storedDocument } from "#content/objects/stored-document.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";

/** Characters of all documents together. */
const capacity = 8_000_000;

export interface ServedObject {
  rid: number;
  isDraft: boolean;
  document: JsonObject;
  secrets: ObjectSecrets;
}

interface Entry {
  object: ServedObject;
  /** Characters of its document. */
  size: number;
}

const entries = createVersionedEntries<Storage, string, Entry>(
  (storage, collection) => storage.version(`objects:${collection}`),
  { kind: cacheKinds.objects, capacity, unit: characterBytes },
  ({ size }) => size + 100,
);

/** At once when it is known, else a promise: await works on both. */
export function findServedObject(
  app: App,
  collection: Collection,
  id: string,
): ServedObject | undefined | Promise<ServedObject | undefined> {
  const known = entries.find(app.storage, collection.id, nameOf(collection, id));
  return known ? known.object : read(app, collection, id);
}

/** What is known of it has turned out to be old. */
export function forgetServedObject({ storage }: App, collection: Collection, id: string): void {
  entries.forget(storage, nameOf(collection, id));
}

async function read(app: App, collection: Collection, id: string): Promise<ServedObject | undefined> {
  const { storage } = app;
  const entry = await entries.load(storage, collection.id, nameOf(collection, id), async () => {
    const row = await findObject(storage, collection.id, id);
    const secrets = row && (await findPresentSecrets(storage, collection, id));
    if (!row || !secrets) return undefined;
    const document = storedDocument(app, collection.schema, row);
    return { object: { rid: row.rid, isDraft: isDraft(row), document, secrets }, size: row.doc.length };
  });
  return entry?.object;
}

function nameOf({ id: collection, schema }: Collection, id: string): string {
  return `${collection}/${schema.rev}/${id}`;
}
