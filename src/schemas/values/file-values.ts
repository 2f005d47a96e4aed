// What image, file, gallery and depot values hold: made for a file that has arrived, found in a document, changed in place.
// Pure: it knows values, never bytes. The file of a value lies at its object's key, then the way down to the value, then its name;
// until it is moved, the file of a renamed property lies where it was, and its value says where.

import type { FileValue, ImageValue } from "#contract/files.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyType } from "#contract/schemas.ts";
import type { ImageFacts } from "#files/image-types.ts";
import { isSegment } from "#files/keys.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { eachShape } from "./walk.ts";

/** Belong to the file and to the service; callers never set them. */
const facts: ReadonlySet<string> = new Set([
  "name",
  "storedAs",
  "url",
  "size",
  "ext",
  "mime",
  "width",
  "height",
  "hash",
  "exif",
  "palette",
  "thumbhash",
  "uploadDate",
  "count",
]);

export function factsOf(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => facts.has(key)));
}

export function metadataOf(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !facts.has(key)));
}

export function isFolder(entry: Json | undefined): entry is JsonObject {
  return isJsonObject(entry) && entry.mime === "folder";
}

/** A file that has arrived and passed inspection. */
export interface NewFile {
  /** The name that it is shown and addressed by, and the one that it came with. */
  name: string;
  sentName: string;
  /** The name in the store, where `name` is taken there. */
  storedAs?: string | undefined;
  size: number;
  /** SHA-256 in hex. */
  digest: string;
  mime: string;
  uploadDate: string;
  image?: ImageFacts | undefined;
}

/** What people have said about the image before it stays, as far as it does not depend on the picture. */
export function newImage(file: NewFile, previous: JsonObject = {}): ImageValue {
  const { alt, link, featured, tags, protected: wasProtected } = previous;
  const { image } = file;
  if (!image) throw new Error("an image value needs what is known of the image");
  return {
    name: file.name,
    ...storedAs(file),
    url: "",
    size: file.size,
    mime: file.mime,
    alt: typeof alt === "string" && alt !== "" ? alt : image.title || image.description,
    width: image.width,
    height: image.height,
    focalpoint: { x: 50, y: 50 },
    link: typeof link === "string" ? link : "",
    featured: featured === true,
    tags: Array.isArray(tags) && tags.length > 0 ? (tags as string[]) : image.keywords,
    palette: image.palette,
    thumbhash: image.thumbhash,
    exif: image.exif,
    uploadDate: file.uploadDate,
    hash: versionOf(file),
    ...(typeof wasProtected === "boolean" && { protected: wasProtected }),
  };
}

export function newFile(file: NewFile, previous: JsonObject = {}, isProtected = true): FileValue {
  const { download, comments, tags, protected: wasProtected } = previous;
  const ext = extensionOf(file.name);
  return {
    name: file.name,
    ...storedAs(file),
    size: file.size,
    ext,
    mime: file.mime,
    download: typeof download === "string" && download !== "" ? withExtension(download, ext) : file.sentName,
    comments: typeof comments === "string" ? comments : "",
    tags: Array.isArray(tags) ? (tags as string[]) : [],
    protected: typeof wasProtected === "boolean" ? wasProtected : isProtected,
    uploadDate: file.uploadDate,
    hash: versionOf(file),
  };
}

function storedAs({ storedAs: name }: NewFile): { storedAs?: string } {
  return name === undefined ? {} : { storedAs: name };
}

/**
 * The name in the store of a file that stands alone: one that replaced a file of the same name has another (decision 024).
 * In galleries and depots every name is given once, so that it is the name in the store as well.
 */
export function storedName({ name, storedAs: other }: JsonObject): string {
  return typeof other === "string" && isSegment(other) && !other.startsWith(".") ? other : String(name);
}

/**
 * Where a file lies that is not moved yet: its property, or one around it, was renamed. From the object on. Such a `storedAs` is
 * a path, that of a file that was replaced is a name.
 */
export function formerPlace({ storedAs: at }: JsonObject): string[] | undefined {
  const path = typeof at === "string" ? at.split("/") : [];
  return path.length > 1 && path.every(isSegment) && !path[0]?.startsWith(".") ? path : undefined;
}

/** Of the hash of a file's content: 128 bits, so that nobody makes another file with the same one. Older values have 8 characters. */
export const hashLength = 32;

function versionOf({ digest }: NewFile): string {
  return digest.slice(0, hashLength);
}

/** Whether a name calls its file a picture. */
export function isImageName(name: string): boolean {
  return /\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|svg|heic|heif)$/i.test(name);
}

/** Without the dot; empty when the name has none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1) : "";
}

export function withExtension(name: string, extension: string): string {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return extension === "" ? stem : `${stem}.${extension}`;
}

export interface FoundFile {
  item: JsonObject;
  /** Of the property that holds it: image, file, gallery or depot. */
  type: PropertyType;
}

export interface PlacedFile extends FoundFile {
  /** The way to that property: `photos`, `deck/item/image`. */
  property: string;
  /** Its key below the object's, once it lies under the present name of its property. */
  own: string;
}

/** The files of a document by their keys below the object's: `photos/a.jpg`, `deck/item/image/b.png`. */
export function filesIn(schema: FlatSchema, document: JsonObject): Map<string, PlacedFile> {
  const found = new Map<string, PlacedFile>();
  eachShape(schema, document, (shapeSchema, shape, path) => {
    for (const { name, kind } of shapeSchema.properties.values()) {
      const value = kind.isUploaded && Object.hasOwn(shape, name) ? shape[name] : undefined;
      const property = [...path, name].join("/");
      if (value !== undefined) collect(kind.type, value, { folder: property, property, found });
    }
  });
  return found;
}

interface Collecting {
  folder: string;
  property: string;
  found: Map<string, PlacedFile>;
}

function collect(type: PropertyType, value: Json, { folder, property, found }: Collecting): void {
  const isAlone = type === "image" || type === "file";
  const items = isAlone ? [value] : type === "gallery" ? listOf(value) : isJsonObject(value) ? listOf(value.files) : [];
  for (const item of items) {
    if (!isJsonObject(item) || typeof item.name !== "string") continue;
    const own = `${folder}/${isAlone ? storedName(item) : item.name}`;
    if (type === "depot" && isFolder(item)) collect(type, item, { folder: own, property, found });
    else found.set(formerPlace(item)?.join("/") ?? own, { item, type, property, own });
  }
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a path of property names; the items of a deck are found by their ids. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) {
    if (Array.isArray(found)) found = found.find((item) => isJsonObject(item) && item.id === name);
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A copy with another value at the path; undefined takes it away. A card on the way comes into being, a deck item does not. */
export function withValueAt(
  value: Json | undefined,
  path: readonly string[],
  next: Json | undefined,
): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return next;
  if (Array.isArray(value)) {
    return value.map((item) =>
      isJsonObject(item) && item.id === name ? (withValueAt(item, rest, next) ?? item) : item,
    );
  }
  const { [name]: before, ...others } = isJsonObject(value) ? value : {};
  const after = withValueAt(before, rest, next);
  return after === undefined ? others : { ...(isJsonObject(value) ? value : {}), [name]: after };
}

/** Formats that an image is shown in as it is stored; a drawing is shown as a picture. */
const shownAs = new Set(["jpg", "jpeg", "png", "gif", "webp", "avif"]);

/** Where an image is shown, with its version, so that it may be kept by clients for good. `key` is below the object's. */
export function imageUrl(object: { collection: string; id: string }, key: string, { item, type }: FoundFile): string {
  const own = shownAs.has(extensionOf(key).toLowerCase()) ? extensionOf(key) : undefined;
  // In a gallery the stem alone may be that of another image.
  const named = own === undefined ? `${key}.png` : key;
  const place = type === "gallery" ? named : `${key.slice(0, key.lastIndexOf("/"))}.${own ?? "png"}`;
  const path = [object.collection, object.id, ...place.split("/")].map(encodeURIComponent).join("/");
  return `/imageworks/${path}?v=${item.hash}`;
}

/**
 * Gives every file of a document its address below `base`, in place: images as they are shown, others as they are
 * streamed. Callers need the right to fetch them all the same.
 */
export function addressFiles(
  schema: FlatSchema,
  document: JsonObject,
  { base, ...object }: { collection: string; id: string; base: string },
): void {
  for (const found of filesIn(schema, document).values()) {
    const isImage = found.type === "image" || found.type === "gallery";
    found.item.url = base + (isImage ? imageUrl(object, found.own, found) : streamUrl(object, found.own, found));
  }
}

function streamUrl(object: { collection: string; id: string }, key: string, { item, type }: FoundFile): string {
  const place = type === "file" ? key.slice(0, key.lastIndexOf("/")) : key;
  const path = [object.collection, object.id, ...place.split("/")].map(encodeURIComponent).join("/");
  return `/stream/${path}?v=${item.hash}`;
}

/** Gives every image of a document its address, in place. */
export function addressImages(
  schema: FlatSchema,
  document: JsonObject,
  object: { collection: string; id: string },
): void {
  for (const found of filesIn(schema, document).values()) {
    if (found.type === "image" || found.type === "gallery") found.item.url = imageUrl(object, found.own, found);
  }
}
