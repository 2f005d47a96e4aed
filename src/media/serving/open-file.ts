// Files as download and stream send them: found, judged, opened. Callers get an open file, and must stream or close it.

import type { Readable, Writable } from "node:stream";
import { createLru } from "#base/caches/lru.ts";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import { readFolder } from "#files/file-names.ts";
import type { ByteRange, OpenFile } from "#files/port.ts";
import { sniffBytes } from "#files/sniff.ts";
import { findFormer } from "#schemas/former-names.ts";
import type { FlatSchema } from "#schemas/types.ts";
import {
  type FileEntry,
  type FileRef,
  findEntry,
  hasFiles,
  isSingle,
  resolvePlace,
} from "#schemas/values/resolve-file.ts";
import { authorizeFile, type FileOwner, findOwner, lookAgain, type ServedFile } from "./authorize-file.ts";
import { countDownload } from "./download-counts.ts";
import type { Pass } from "./protection.ts";

export interface FileRequest extends FileRef {
  /** The folder of a depot, where it is not part of the path. */
  folder?: string | undefined;
  /** An upload of the editor, beside the property's value. */
  isUpload?: boolean;
  pass: Pass;
  /** A preview shows the draft that the file belongs to. */
  seesDraft?: boolean;
}

/** One state of a file: what it streams fits its size and tag. */
export interface OpenedFile {
  /** The file name for downloads, as it was entered. */
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
  /** Instead of stream, for small parts: all at once, into the memory that is given where the store can use it. */
  read(range?: ByteRange, room?: Buffer): Promise<Buffer>;
  /** Instead of stream, where the bytes are at hand. The receiver is not ended. */
  send?(to: Writable, range?: ByteRange): Promise<void>;
  close(): Promise<void>;
  /** To be called when it is sent from its beginning. */
  count(): void;
}

/** `use` is called again where the store lost the file after it was opened: it moved, or another one took its place. */
export async function withFile<T>(
  ctx: Context,
  request: FileRequest,
  use: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const owner = await findOwner(ctx, request, request.seesDraft);
    const file = await authorizeFile(ctx, owner, await findFile(ctx, owner, request), request.pass);
    if (file.isForEditors) withMarkOnly();
    try {
      return await use(await openAuthorized(ctx, file));
    } catch (error) {
      lookAgain(ctx, owner, error, tries);
    }
  }
}

async function openAuthorized(ctx: Context, file: ServedFile): Promise<OpenedFile> {
  const { value, uploadMime } = file.entry;
  const handover = handoverOf(ctx, file.key);
  const opened = handover ? await describeFile(ctx, file.key) : await ctx.files.open(file.key);
  return {
    ...opened,
    name: typeof value.download === "string" && value.download !== "" ? value.download : value.name,
    mime: uploadMime ?? (typeof value.mime === "string" ? value.mime : unknownType),
    isShared: file.isShared,
    ...(handover && { handover }),
    count: () => countDownload(ctx, file, placeOf(file.entry)),
  };
}

function withMarkOnly(): never {
  fail("forbidden", "This picture is given with its watermark only: ask for it at /imageworks.");
}

const unknownType = "application/octet-stream";

/** A file that stands alone is counted under its property, whatever its name is today. */
function placeOf({ property, path }: FileEntry): string {
  return (isSingle(property) ? path.slice(0, -1) : path).join("/");
}

function findFile(
  app: App,
  { collection, object }: FileOwner,
  request: FileRequest,
): FileEntry | undefined | Promise<FileEntry | undefined> {
  if (!collection || !object) return undefined;
  const { path, folder, isUpload } = request;
  if (isUpload) return findUpload(app, collection.schema, request);
  const folders = folder === undefined ? [] : readFolder(folder);
  const place = resolvePlace(collection.schema, object.document, path);
  if (!place || (folders.length > 0 && place.property.kind.type !== "depot")) return undefined;
  return findEntry({ ...place, rest: [...folders, ...place.rest] });
}

/** Only beside properties that hold no files of their own: those are reached by their values. */
export async function findUpload(
  app: App,
  schema: FlatSchema,
  { collection, id, path }: FileRef,
): Promise<FileEntry | undefined> {
  const [name = "", ...rest] = path;
  // Links in texts stay as they are when their property is renamed.
  const property = schema.properties.get(name) ?? findFormer(schema, name);
  if (!property || hasFiles(property) || rest.length === 0 || rest.some((part) => part.startsWith("."))) {
    return undefined;
  }
  const uploadMime = await sniff(app, [collection, id, ...path].join("/"));
  if (uploadMime === undefined) return undefined;
  const value = { name: rest.at(-1) as string };
  return { property, value, path: [...path], stored: [...path], locks: [], uploadMime };
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
