// Objects as the file doors need them: parsed once, kept until any object of the collection changes.

import { createLru, type Lru } from "#base/lru.ts";
import type { Collection } from "#content/collections/collection-cache.ts";
import { isDraft, storedDocument } from "#content/objects/stored-document.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { findObject, findSecrets } from "#storage/tables/objects.ts";

/** Documents of so many characters together. */
const kept = 8_000_000;

export interface ServedObject {
  rid: number;
  isDraft: boolean;
  document: JsonObject;
  secrets: ObjectSecrets;
}

interface Kept {
  version: number;
  object: ServedObject;
}

const states = new WeakMap<Storage, Lru<Kept>>();

/** At once when it is known, else a promise: await works on both. */
export function findServedObject(
  app: App,
  collection: Collection,
  id: string,
): ServedObject | undefined | Promise<ServedObject | undefined> {
  const version = app.storage.version(`objects:${collection.id}`);
  const known = stateOf(app.storage).get(nameOf(collection, id));
  return known?.version === version ? known.object : read(app, collection, { id, version });
}

/** What is known of it has turned out to be old. */
export function forgetServedObject({ storage }: App, collection: Collection, id: string): void {
  stateOf(storage).delete(nameOf(collection, id));
}

async function read(
  app: App,
  collection: Collection,
  { id, version }: { id: string; version: number },
): Promise<ServedObject | undefined> {
  const row = await findObject(app.storage, collection.id, id);
  const secrets = row && (await findSecrets(app.storage, collection.id, id));
  if (!row || !secrets) return undefined;
  const document = storedDocument(app, collection.schema, row);
  const object = { rid: row.rid, isDraft: isDraft(row), document, secrets };
  stateOf(app.storage).set(nameOf(collection, id), { version, object }, row.doc.length + 100);
  return object;
}

function nameOf({ id: collection, schema }: Collection, id: string): string {
  return `${collection}/${schema.rev}/${id}`;
}

function stateOf(storage: Storage): Lru<Kept> {
  let state = states.get(storage);
  if (!state) {
    state = createLru(kept);
    states.set(storage, state);
  }
  return state;
}
