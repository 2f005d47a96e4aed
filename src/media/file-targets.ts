// From a path of the API to the property that holds files: one of the object itself, or a child of a card or deck item.
// Opens it for whoever may change the object, and changes its value as the service does: the files in it are there.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import type { ObjectKey } from "#content/file-removal.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { removeUnnamed } from "#content/objects/dropped-files.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { complain, type PropertyTarget } from "#content/objects/properties.ts";
import { isDraft, noObject, storedDocument } from "#content/objects/stored-document.ts";
import type { Precondition } from "#content/preconditions.ts";
import { checkProperty } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { freeName, readFolder } from "#files/file-names.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { valueAt, withValueAt } from "#schemas/values/file-values.ts";
import { holdsFiles } from "#schemas/values/resolve-file.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";

export interface FileTarget extends PropertyTarget {
  /** What the address has behind the property. */
  path: readonly string[];
}

/** The names in a path; fails for one that would leave the property. */
export function readPath(path: string): string[] {
  return readFolder(path);
}

/** A property that holds files. */
export interface Holder {
  collection: Collection;
  id: string;
  property: Property;
  /** From the object to the property: `["photos"]`, `["card", "image"]`, `["deck", "item", "image"]`. */
  way: string[];
  /** The ways to the deck items that must be there. */
  items: string[][];
  /** What the address has beyond the property: folders, names. */
  rest: string[];
}

export async function openHolder(ctx: Context, target: FileTarget): Promise<Holder> {
  const collection = await openCollection(ctx, "update", target.collection, target.id);
  checkProperty(ctx, target.collection, target.property);
  const found = findHolder(collection.schema, [target.property, ...target.path]);
  if (found) return { collection, id: target.id, ...found };
  const isNested = target.path.length > 0 && collection.schema.properties.get(target.property)?.item !== undefined;
  if (isNested || !collection.schema.properties.has(target.property)) {
    fail("not-found", `There is no property "${[target.property, ...target.path].join("/")}".`);
  }
  return complain(target.property, "This property takes no files.");
}

type Found = Pick<Holder, "property" | "way" | "items" | "rest">;

/** Undefined when the path leads to no property that holds files. */
export function findHolder(
  schema: FlatSchema,
  path: readonly string[],
  above: Pick<Holder, "way" | "items"> = { way: [], items: [] },
): Found | undefined {
  const [name = "", ...rest] = path;
  const property = schema.properties.get(name);
  if (!property) return undefined;
  const way = [...above.way, name];
  const { items } = above;
  if (holdsFiles(property)) return { property, way, items, rest };
  const { item, kind } = property;
  if (!item) return undefined;
  if (kind.type === "card") return findHolder(item, rest, { way, items });
  const itemWay = [...way, rest[0] ?? ""];
  return findHolder(item, rest.slice(1), { way: itemWay, items: [...items, itemWay] });
}

/** The object that the files belong to, as it is now. */
export async function getDocument(ctx: Context, { collection, id, items }: Holder): Promise<JsonObject> {
  const document = storedDocument(ctx, collection.schema, await getRow(ctx, { collection: collection.id, id }));
  checkItems(document, items);
  return document;
}

/** Drafts are not there for those whom only the public's rights let in. */
export async function getRow(ctx: Context, { collection, id }: ObjectKey): Promise<ObjectRow> {
  const row = await findObject(ctx.storage, collection, id);
  return row && (seesDrafts(ctx, "update", collection) || !isDraft(row)) ? row : noObject(collection, id);
}

function checkItems(document: JsonObject, items: string[][]): void {
  for (const way of items) {
    if (valueAt(document, way) === undefined) fail("not-found", `There is no deck item "${way.at(-1)}".`);
  }
}

export interface FilesChange extends Precondition {
  /** From the stored value to the new one; undefined takes it away. May fail(). */
  next(value: Json | undefined): Json | undefined;
  /** Where passwords of files go. */
  move?: { from: string; to: string };
}

export async function changeFiles(ctx: Context, holder: Holder, change: FilesChange): Promise<ObjectAnswer> {
  const { id, way, items } = holder;
  // Looked up again: the schema may have changed while the files were sent.
  const collection = await getCollection(ctx, holder.collection.id);
  return changeObject(
    ctx,
    { collection, id, ifMatch: change.ifMatch },
    {
      sent: {},
      hasFilesLock: true,
      change(current) {
        checkItems(current, items);
        const input = withValueAt(current, way, change.next(valueAt(current, way))) as JsonObject;
        const changed = new Set([way[0] as string]);
        return { input, changed, isOwn: true, ...(change.move && { move: change.move }) };
      },
    },
  );
}

/** Free among the names taken and in the store, where what was before, or what a crash has left, may lie under it. */
export async function findFreeName(
  { files }: Pick<Context, "files">,
  folder: string,
  wanted: string,
  names: Iterable<string> = [],
): Promise<string> {
  const taken = new Set(names);
  for (;;) {
    const name = freeName(wanted, (candidate) => taken.has(candidate));
    if (!(await files.find(`${folder}/${name}`))) return name;
    taken.add(name);
  }
}

/** The whole key of a file; `below` is its key below the object's. */
export function wholeKey({ collection, id }: Holder, below: string): string {
  return `${collection.id}/${id}/${below}`;
}

/** After a failure whose outcome may be unknown. */
export async function cleanUpAfterFailure(
  ctx: Context,
  { collection, id }: Holder,
  keys: readonly string[],
): Promise<void> {
  try {
    await removeUnnamed(ctx, { collection: collection.id, id }, keys);
  } catch (error) {
    ctx.log.error({ err: error, collection: collection.id, id }, "files of a failed change were left behind");
  }
}
