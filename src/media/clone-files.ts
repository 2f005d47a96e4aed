// Which files a clone takes along. A copy leaves the protection of its source behind, so callers get copies only of files
// that they may fetch; and a copy must fit the kind and the rules of the property that it comes to.

import { CairnError, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { complain } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { findFormer } from "#schemas/former-names.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { filesIn } from "#schemas/values/file-values.ts";
import { type FileEntry, findPlace, hasFiles, listEntries, listPlaces } from "#schemas/values/resolve-file.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { type FileRights, fileRights, isMarked, lockIn, mayFetch } from "./serving/file-rights.ts";
import { findUpload } from "./serving/open-file.ts";
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

/** A file that is copied: its keys below the objects'. */
export interface CopiedFile {
  from: string;
  /** Under the present name of its property, also where the source is not moved yet. */
  to: string;
}

/** Fails when one of the files is refused. */
export async function filesToCopy(ctx: Context, source: CloneSource, target: Target): Promise<CopiedFile[]> {
  const { schema } = target.collection;
  const rights = await fileRights(ctx, source.collection, source.id);
  const from = `${source.collection.id}/${source.id}/`;
  const files: CopiedFile[] = [];
  const named = namedFiles(source);
  const places = new Map<string, { property: Property; files: number }>();
  for await (const { key } of ctx.files.list(from.slice(0, -1))) {
    const path = key.slice(from.length).split("/");
    const found = named.get(path.join("/")) ?? (await findText(ctx, source, path));
    const property = found && propertyFor(schema, found);
    if (!found || !property) continue;
    const { entry } = found;
    checkRight(ctx, source, rights, entry);
    files.push({ from: path.join("/"), to: found.own });
    if (entry.uploadMime !== undefined) continue;
    const name = found.place.join("/");
    places.set(name, { property, files: (places.get(name)?.files ?? 0) + 1 });
    checkFor(name, () => checkFile(target, property, entry.value));
  }
  for (const [name, { property, files: count }] of places) {
    checkFor(name, () => checkCount(fieldSettings(target.collection.settings, target.id, property), count));
  }
  return files;
}

interface Found {
  entry: FileEntry;
  /** Of the property that holds it; of an upload of the editor the whole path. */
  place: string[];
  /** Its key once it lies under the present name of its property. */
  own: string;
}

/** The files that values name, by their keys below the object's. */
function namedFiles({ collection, document }: CloneSource): Map<string, Found> {
  const owns = filesIn(collection.schema, document);
  const found = new Map<string, Found>();
  for (const place of listPlaces(collection.schema, document))
    for (const entry of listEntries(place)) {
      const key = entry.stored.join("/");
      found.set(key, { entry, place: place.path, own: owns.get(key)?.own ?? key });
    }
  return found;
}

/** A file of the editor; others that no value names are not copied. */
async function findText(ctx: Context, { collection, id }: CloneSource, path: string[]): Promise<Found | undefined> {
  const entry = await findUpload(ctx, collection.schema, { collection: collection.id, id, path });
  return entry && { entry, place: path, own: path.join("/") };
}

/** The property that the copy comes to; undefined: it has none there. */
function propertyFor(schema: FlatSchema, { entry, place }: Found): Property | undefined {
  const [first = ""] = entry.path;
  if (entry.uploadMime !== undefined) {
    const property = schema.properties.get(first) ?? findFormer(schema, first);
    return property && !hasFiles(property) ? property : undefined;
  }
  const property = schema.properties.has(first) ? findPlace(schema, entry.path)?.property : undefined;
  const { type } = entry.property.kind;
  if (!property || property.kind.type === type) return property;
  const name = place.join("/");
  return complain(name, `What is in "${name}" is of type ${type}, and cannot be copied into ${property.kind.type}.`);
}

function checkRight(
  ctx: Context,
  { collection, id, secrets }: CloneSource,
  rights: FileRights,
  entry: FileEntry,
): void {
  const settings = fieldSettings(collection.settings, id, entry.property);
  const lock = lockIn(collection, { id, secrets, settings }, entry);
  const isForEditors = isMarked(ctx, entry, settings) && !rights.mayUpdate;
  if (mayFetch(rights, lock) && !isForEditors) return;
  const name = entry.path[0] as string;
  fail("forbidden", `The files of "${name}" cannot be copied: you may not fetch them.`, {
    [name]: ["holds a file that you may not fetch"],
  });
}

function checkFile({ collection, id }: Target, property: Property, value: FileEntry["value"]): void {
  const { name, mime, size, width, height } = value;
  const isMeasured = typeof width === "number" && typeof height === "number";
  checkRules(fieldSettings(collection.settings, id, property), {
    name,
    mime: String(mime),
    size: Number(size),
    image: isMeasured ? { width, height } : undefined,
  });
}

/** Names the property in the errors of rules, which do not know it. */
function checkFor(name: string, check: () => void): void {
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
  const isOfFile = (key: string) => findPlace(collection.schema, key.split(".")) !== undefined;
  return Object.fromEntries(Object.entries(secrets).filter(([key]) => isOfFile(key)));
}
