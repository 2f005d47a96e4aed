// Whether everybody may have a file: its collection gives files to all, and nothing locks this one.

import type { Collection } from "#content/collections/collection.ts";
import type { App } from "#context.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import { findServedObject } from "./file-owner-cache.ts";
import { isOpenToAll, lockIn } from "./file-rights.ts";
import { isLocked } from "./protection.ts";

export async function isFileOpen(
  app: App,
  collection: Collection,
  id: string,
  path: readonly string[],
): Promise<boolean> {
  if (!isOpenToAll(collection)) return false;
  const object = await findServedObject(app, collection, id);
  const place = object && !object.isDraft ? resolvePlace(collection.schema, object.document, path) : undefined;
  if (!object || !place) return false;
  const entries = listEntries(place).filter((entry) => path.every((name, at) => entry.path[at] === name));
  const locks = entries.map((entry) => {
    const settings = fieldSettings(collection.settings, id, entry.property);
    return lockIn(collection, { id, secrets: object.secrets, settings }, entry);
  });
  return locks.length > 0 && !locks.some(isLocked);
}
