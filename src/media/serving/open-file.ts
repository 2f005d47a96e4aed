// Files as download and stream send them: found, judged, opened. What opens one must stream or close it.

import type { Readable, Writable } from "node:stream";
import { fail } from "#base/errors.ts";
import { createLru } from "#base/lru.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { App, Context } from "#context.ts";
import { readFolder } from "#files/file-names.ts";
import type { ByteRange, OpenFile } from "#files/port.ts";
import { sniffBytes } from "#files/sniff.ts";
import { findEntry, findPlace, hasFiles } from "#schemas/values/resolve-file.ts";
import { type Found, findAndOpen, type Locate, type Located, type ObjectFiles } from "./authorize-file.ts";
import { countDownload } from "./download-counts.ts";

export interface FileTarget extends ObjectFiles {
  /** Below the object, decoded: the property, then children, folders and the name, as far as there are any. */
  path: readonly string[];
  /** The folder of a depot, when it is told apart from the path. */
  folder?: string | undefined;
  /** Lies beside the property's value: an upload of the editor. */
  isUpload?: boolean;
}

/** One state of a file: what it streams fits its size and tag. */
export interface OpenedFile {
  /** Offered to whoever saves it; as people wrote it. */
  name: string;
  mime: string;
  size: number;
  /** Fit for a strong ETag. */
  tag: string;
  /** Milliseconds since 1970. */
  modified: number;
  /** Shared caches may keep it. */
  isShared: boolean;
  /** The header that makes the server in front send the file itself. */
  handover?: { header: string; value: string };
  stream(range?: ByteRange): Promise<Readable>;
  /** Instead of stream, for small parts: all at once. */
  read(range?: ByteRange): Promise<Buffer>;
  /** Instead of stream, where the bytes are at hand. The receiver is not ended. */
  send?(to: Writable, range?: ByteRange): Promise<void>;
  close(): Promise<void>;
  /** To be called when it is sent from its beginning. */
  count(): void;
}

export function openFile(ctx: Context, target: FileTarget): Promise<OpenedFile> {
  const locate = target.isUpload ? locateUpload(ctx, target) : locateFile(target);
  return findAndOpen(ctx, target, locate, async (found) => {
    if (found.isForEditors) withMarkOnly();
    const handover = handoverOf(ctx, found.key);
    const { value } = found.entry;
    const { size, tag, modified, ...file } = handover
      ? await describeFile(ctx, found.key)
      : await ctx.files.open(found.key);
    return {
      name: typeof value.download === "string" && value.download !== "" ? value.download : value.name,
      mime: found.uploadMime ?? (typeof value.mime === "string" ? value.mime : unknownType),
      size,
      tag,
      modified,
      isShared: found.isShared,
      ...(handover && { handover }),
      ...file,
      count: () => countDownload(ctx, found.rid, placeOf(found)),
    };
  });
}

function withMarkOnly(): never {
  fail("forbidden", "This picture is given with its watermark only: ask for it at /imageworks.");
}

const unknownType = "application/octet-stream";

/** A file that stands alone is counted under its property, whatever its name is today. */
function placeOf({ entry, property }: Found): string {
  const isAlone = property.kind.type === "image" || property.kind.type === "file";
  return (isAlone ? entry.path.slice(0, -1) : entry.path).join("/");
}

function locateFile({ path, folder }: FileTarget): Locate<Located> {
  const folders = folder === undefined ? [] : readFolder(folder);
  return ({ schema }, { document }) => {
    const place = findPlace(schema, document, path);
    if (!place || (folders.length > 0 && place.property.kind.type !== "depot")) return undefined;
    const entry = findEntry({ ...place, rest: [...folders, ...place.rest] });
    return entry && { entry, property: place.property };
  };
}

/** Only properties that hold no files of their own: theirs are behind their own doors. */
export function locateUpload(
  app: App,
  { collection, id, path }: Omit<FileTarget, "pass">,
): (collection: Collection) => Promise<Located | undefined> {
  return async ({ schema }) => {
    const [name = "", ...rest] = path;
    const property = schema.properties.get(name);
    if (!property || hasFiles(property) || rest.length === 0 || rest.some((part) => part.startsWith("."))) {
      return undefined;
    }
    const uploadMime = await sniff(app, [collection, id, ...path].join("/"));
    const entry = { value: { name: rest.at(-1) as string }, path: [...path], stored: [...path], locks: [] };
    return uploadMime === undefined ? undefined : { entry, property, uploadMime };
  };
}

/** By key and tag. */
const sniffed = createLru<string>(10_000);
const headSize = 65_536;

/** Undefined when there is no such file. */
async function sniff({ files }: App, key: string): Promise<string | undefined> {
  const stored = await files.find(key);
  if (!stored) return undefined;
  const name = `${stored.tag} ${key}`;
  const known = sniffed.get(name);
  if (known) return known;
  const chunks: Uint8Array[] = [];
  const head = stored.size === 0 ? [] : await files.read(key, { start: 0, end: Math.min(stored.size, headSize) - 1 });
  for await (const chunk of head) chunks.push(chunk as Uint8Array);
  const { mime } = await sniffBytes(Buffer.concat(chunks), key);
  sniffed.set(name, mime);
  return mime;
}

/** What is known without opening it: the server in front does that. */
async function describeFile({ files }: App, key: string): Promise<OpenFile> {
  const stored = (await files.find(key)) ?? fail("not-found", "There is no such file.");
  const unopened = () => Promise.reject(new Error("a file that is handed over was read"));
  return { ...stored, stream: unopened, read: unopened, close: async () => {} };
}

function handoverOf({ settings, files }: App, key: string): OpenedFile["handover"] {
  const header = settings.get("files.handover");
  const path = header === "" ? undefined : files.localPath(key);
  if (path === undefined) return undefined;
  if (header === "x-sendfile") return { header, value: encodeURI(path) };
  const prefix = settings.get("files.handoverPrefix").replace(/\/*$/, "/");
  return { header, value: prefix + key.split("/").map(encodeURIComponent).join("/") };
}
