// Which files a clone takes along. A copy leaves the protection of its source behind, so callers get copies only of files
// that they may fetch; and a copy is held against the kind and the rules of the property that it comes to.

import { CairnError, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { complain } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { type FilePlace, findPlace, findStoredEntry, hasFiles } from "#schemas/values/resolve-file.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { findHolder } from "./file-targets.ts";
import type { Located } from "./serving/authorize-file.ts";
import { type FileRights, fileRights, isMarked, lockIn, mayFetch } from "./serving/file-rights.ts";
import { locateUpload } from "./serving/open-file.ts";
import { checkCount, checkRules } from "./upload-rules.ts";

export interface CloneSource {
  collection: Collection;
  id: string;
  /** As the present schema shows it. */
  document: JsonObject;
  secrets: ObjectSecrets;
}

interface Target {
  collection: Collection;
  id: string;
}

/** The keys of the files to copy, below the object's. Fails when one of them is refused. */
export async function filesToCopy(ctx: Context, source: CloneSource, target: Target): Promise<string[]> {
  const { schema } = target.collection;
  const rights = await fileRights(ctx, source.collection, source.id);
  const from = `${source.collection.id}/${source.id}/`;
  const keys: string[] = [];
  const places = new Map<string, { property: Property; files: number }>();
  for await (const { key } of ctx.files.list(from.slice(0, -1))) {
    const path = key.slice(from.length).split("/");
    if (!schema.properties.has(path[0] as string)) continue;
    const located = await locate(ctx, source, path);
    const property = located && placeFor(schema, path, located);
    if (!located || !property) continue;
    checkRight(ctx, source, { rights, located });
    keys.push(path.join("/"));
    if (located.uploadMime !== undefined) continue;
    const way = located.place.path.join("/");
    const files = (places.get(way)?.files ?? 0) + 1;
    places.set(way, { property, files });
    held(way, () => checkFile(target, property, located.entry.value));
  }
  for (const [way, { property, files }] of places) {
    held(way, () => checkCount(fieldSettings(target.collection.settings, target.id, property), files));
  }
  return keys;
}

type LocatedFile = Located & { place: FilePlace };

/** A file that a value names, or one of the editor; what neither is stays behind. */
async function locate(ctx: Context, source: CloneSource, path: string[]): Promise<LocatedFile | undefined> {
  const { collection, id, document } = source;
  const place = findPlace(collection.schema, document, path);
  const entry = place && findStoredEntry(place);
  if (entry) return { entry, property: place.property, place };
  if (place) return undefined;
  const upload = await locateUpload(ctx, { collection: collection.id, id, path })(collection);
  return upload && { ...upload, place: { property: upload.property, value: undefined, path, rest: [] } };
}

/** The property that the copy comes to; undefined: it has none there. */
function placeFor(schema: FlatSchema, path: string[], { place, uploadMime }: LocatedFile): Property | undefined {
  if (uploadMime !== undefined) {
    const property = schema.properties.get(path[0] as string);
    return property && !hasFiles(property) ? property : undefined;
  }
  const property = findHolder(schema, path)?.property;
  const { type } = place.property.kind;
  if (!property || property.kind.type === type) return property;
  const name = place.path.join("/");
  return complain(name, `What is in "${name}" is of type ${type}, and cannot be copied into ${property.kind.type}.`);
}

function checkRight(
  ctx: Context,
  { collection, id, secrets }: CloneSource,
  { rights, located }: { rights: FileRights; located: LocatedFile },
): void {
  const settings = fieldSettings(collection.settings, id, located.property);
  const lock = lockIn(collection, { id, secrets, settings }, located);
  const isKept = isMarked(ctx, located, settings) && !rights.mayUpdate;
  if (mayFetch(rights, lock) && !isKept) return;
  const name = located.place.path[0] as string;
  fail("forbidden", `The files of "${name}" cannot be copied: you may not fetch them.`, {
    [name]: ["holds a file that you may not fetch"],
  });
}

function checkFile({ collection, id }: Target, property: Property, value: Located["entry"]["value"]): void {
  const { name, mime, size, width, height } = value;
  const isMeasured = typeof width === "number" && typeof height === "number";
  checkRules(fieldSettings(collection.settings, id, property), {
    name,
    mime: String(mime),
    size: Number(size),
    image: isMeasured ? { width, height } : undefined,
  });
}

/** The rules do not know which property they are about. */
function held(name: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    complain(name, error.message);
  }
}

/** Passwords of files go along and lock the copy; those of the object itself stay within its schema. */
export function secretsToCopy({ collection, secrets }: CloneSource, target: FlatSchema): ObjectSecrets {
  if (collection.schema.id === target.id) return secrets;
  const isOfFile = (key: string) => findHolder(collection.schema, key.split(".")) !== undefined;
  return Object.fromEntries(Object.entries(secrets).filter(([key]) => isOfFile(key)));
}
