// The files that the values of an older version name. The one place where they are looked for, before such a version becomes
// the object again: live, or in the attic, by the value's own hash and size. They are copied before the row is written, and never
// onto a file of another content. What is nowhere any more is taken out of the values and named.

import { inParallel } from "#base/in-parallel.ts";
import type { ObjectKey } from "#content/file-removal.ts";
import { removeUnnamed } from "#content/objects/dropped-files.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findFreeName } from "#files/free-name.ts";
import { formerPaths } from "#schemas/former-names.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { addressImages, filesIn, isFolder, listOf, type PlacedFile, storedName } from "#schemas/values/file-values.ts";
import { forgetFormerPlaces } from "#schemas/values/former-places.ts";
import { eachShape } from "#schemas/values/walk.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { contentOf, hashOf, isContentOf, isLocked, placesOfPast, readNamedPlace, takeBackFrom } from "./attic.ts";

/** Of one object: on S3 each takes a request or two. */
const copiedAtOnce = 8;

/** The object that takes its files back: the caller has the lock of its files. */
export interface Returning {
  object: ObjectKey & { rid: number };
  /** The values of the older version. */
  document: JsonObject;
  /** The object as it is now; undefined: there is none. */
  current?: { schema: FlatSchema; document: JsonObject } | undefined;
  /** The passwords that the files will be under. */
  secrets: ObjectSecrets;
  /** When the object was deleted: what no value names comes back as well. */
  deletedAt?: number | undefined;
}

export interface PastFiles {
  document: JsonObject;
  /** Keys below the object's of files that are gone. */
  lost: string[];
  /** Keys below the object's of files that were put there. */
  copied: string[];
}

/** The document with the files that there are. */
export async function takeBackFiles(ctx: Context, schema: FlatSchema, returning: Returning): Promise<PastFiles> {
  const { object, deletedAt } = returning;
  const document = schema.holdsFiles ? structuredClone(returning.document) : returning.document;
  const past: PastFiles = { document, lost: [], copied: [] };
  try {
    forgetFormerPlaces(schema, document);
    const named = filesIn(schema, document);
    const live = returning.current && filesIn(returning.current.schema, returning.current.document);
    await takeBackNamed(ctx, schema, returning, { named, live, past });
    if (deletedAt === undefined) await takeBackLinked(ctx, schema, returning, past);
    else await takeBackAll(ctx, object, { deletedAt, past });
  } catch (error) {
    await dropCopies(ctx, object, past);
    throw error;
  }
  if (past.lost.length > 0) past.document = withoutFiles(schema, document, new Set(past.lost));
  addressImages(schema, past.document, object);
  return past;
}

/** After a failed write: the copies that no row names. */
export async function dropCopies(
  ctx: Context,
  object: ObjectKey,
  { copied }: Pick<PastFiles, "copied">,
): Promise<void> {
  if (copied.length === 0) return;
  await removeUnnamed(
    ctx,
    object,
    copied.map((key) => ({ key })),
  ).catch((error) => ctx.log.error({ err: error, ...object }, "files of a failed restore were left behind"));
}

type Files = ReadonlyMap<string, PlacedFile>;

async function takeBackNamed(
  ctx: Context,
  schema: FlatSchema,
  returning: Returning,
  { named, live, past }: { named: Files; live: Files | undefined; past: PastFiles },
): Promise<void> {
  const gone = new Set<string>();
  const take = async (key: string, to: string, file: PlacedFile) => {
    if (!(await copyBack(ctx, returning, { key: to, file, live, schema }))) gone.add(key);
    else {
      past.copied.push(to);
      if (to !== key) rename(file, to);
    }
  };
  const place = (key: string, file: PlacedFile) => findKey(ctx, returning, { key, file, live, named });
  const renamed: [string, PlacedFile][] = [];
  await inParallel(named, copiedAtOnce, async ([key, file]) => {
    const to = await place(key, file);
    if (to === key) await take(key, to, file);
    else if (to !== undefined) renamed.push([key, file]);
  });
  // One after the other: each looks for a name that is free.
  for (const [key, file] of renamed) {
    const to = await place(key, file);
    if (to !== undefined) await take(key, to, file);
  }
  past.lost.push(...[...named.keys()].filter((key) => gone.has(key)));
}

interface Wanted {
  key: string;
  file: PlacedFile;
  live: Files | undefined;
}

/** Where the file is to be put; undefined: it is there already. */
async function findKey(
  ctx: Context,
  { object }: Returning,
  { key, file, live, named }: Wanted & { named: Files },
): Promise<string | undefined> {
  const whole = wholeKey(object, key);
  const found = await ctx.files.find(whole);
  if (!found) return key;
  const holder = live?.get(key);
  const content = contentOf(file);
  if (!holder) {
    // Left by a crash, or by an attic that could not be written.
    const hash = await hashOf(ctx, whole);
    const isSame = content === undefined || (hash !== undefined && isContentOf(file, { hash, size: found.size }));
    if (isSame && file.item.size === found.size) return undefined;
    await ctx.files.attic.keep(whole, `${object.rid}/${file.property}/${hash}-${found.size}`);
    return key;
  }
  if (contentOf(holder) === content && holder.item.size === file.item.size) return undefined;
  const [folder, name] = split(key);
  const beside = [...named.keys(), ...(live?.keys() ?? [])].filter((other) => split(other)[0] === folder);
  const taken = beside.map((other) => split(other)[1]);
  return `${folder}/${await findFreeName(ctx, wholeKey(object, folder), name, taken)}`;
}

/** From the attic, or from the same object, where it has another name now. False: it is gone. */
async function copyBack(
  { files }: Pick<Context, "files">,
  { object, secrets }: Returning,
  { key, file, live, schema }: Wanted & { schema: FlatSchema },
): Promise<boolean> {
  const content = contentOf(file);
  if (content === undefined) return false;
  const to = wholeKey(object, key);
  for (const takesPassword of isLocked(secrets, file) ? [false, true] : [false]) {
    for (const at of placesOfPast(object.rid, schema, file, takesPassword))
      if (await takeBackFrom({ files }, at, to)) return true;
  }
  // What is locked there must not be open here.
  const mayCopy = (other: PlacedFile) => isLocked(secrets, file) || !isLocked(secrets, other);
  const twin = [...(live ?? [])].find(([, other]) => contentOf(other) === content && mayCopy(other))?.[0];
  if (twin === undefined || !(await files.find(wholeKey(object, twin)))) return false;
  await files.copy(wholeKey(object, twin), to);
  return true;
}

/** A file that stands alone keeps the name that it is shown by. */
function rename({ item, type }: PlacedFile, key: string): void {
  const [, name] = split(key);
  if (type === "image" || type === "file") item.storedAs = name;
  else item.name = name;
}

/** Files that no value names, of an object that was deleted: all that it had then. */
async function takeBackAll(
  { files }: Context,
  object: Returning["object"],
  { deletedAt, past }: { deletedAt: number; past: PastFiles },
): Promise<void> {
  for await (const { key: at } of files.attic.list(String(object.rid))) {
    const place = readNamedPlace(at);
    if (place?.time !== deletedAt || (await files.find(wholeKey(object, place.key)))) continue;
    if (await files.attic.takeBack(at, wholeKey(object, place.key))) past.copied.push(place.key);
  }
}

/** Files of an editor, which the texts of the version link to. */
async function takeBackLinked(
  { files }: Context,
  schema: FlatSchema,
  { object }: Returning,
  past: PastFiles,
): Promise<void> {
  const address = [object.collection, object.id].map(encodeURIComponent).join("/");
  for (const [property, value] of Object.entries(past.document)) {
    const text = JSON.stringify(value ?? null);
    if (!text.includes(`/upload/${address}/`)) continue;
    const latest = new Map<string, { at: string; time: number }>();
    for (const [name] of formerPaths(schema, [property]))
      for await (const { key: at } of files.attic.list(`${object.rid}/${name}`)) {
        const place = readNamedPlace(at);
        if (!place || !text.includes(`/${address}/${place.key.split("/").map(encodeURIComponent).join("/")}`)) continue;
        if (place.time >= (latest.get(place.key)?.time ?? 0)) latest.set(place.key, { at, time: place.time });
      }
    for (const [key, { at }] of latest) {
      if (await files.find(wholeKey(object, key))) continue;
      if (await files.attic.takeBack(at, wholeKey(object, key))) past.copied.push(key);
    }
  }
}

function wholeKey({ collection, id }: ObjectKey, key: string): string {
  return `${collection}/${id}/${key}`;
}

/** The folder and the name. */
function split(key: string): [folder: string, name: string] {
  const slash = key.lastIndexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** A copy whose values do not name these files. */
function withoutFiles(schema: FlatSchema, document: JsonObject, lost: ReadonlySet<string>): JsonObject {
  const copy = structuredClone(document);
  eachShape(schema, copy, (shapeSchema, shape, path) => {
    for (const { name, kind } of shapeSchema.properties.values()) {
      const value = kind.isUploaded ? shape[name] : undefined;
      if (value === undefined) continue;
      const folder = [...path, name].join("/");
      if (kind.type === "gallery") shape[name] = listOf(value).filter((item) => !isLost(item, folder, lost));
      else if (kind.type === "depot") shape[name] = withoutEntries(value, folder, lost);
      else if (isJsonObject(value) && lost.has(`${folder}/${storedName(value)}`)) delete shape[name];
    }
  });
  return copy;
}

function isLost(item: Json, folder: string, lost: ReadonlySet<string>): boolean {
  return isJsonObject(item) && lost.has(`${folder}/${item.name}`);
}

function withoutEntries(value: Json, folder: string, lost: ReadonlySet<string>): Json {
  if (!isJsonObject(value)) return value;
  const kept = listOf(value.files).filter((entry) => !isLost(entry, folder, lost));
  const files = kept.map((entry) => (isFolder(entry) ? withoutEntries(entry, `${folder}/${entry.name}`, lost) : entry));
  return { ...value, files };
}
