// Files in a bucket of S3 or of something that speaks like it. A file appears there only when it is whole, by nature.
// Every request has a time limit and is tried again when the fault may pass; what stays a fault is `unavailable`.

import { type FileHandle, open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { S3mini, S3ServiceError } from "s3mini";
import { CairnError, fail } from "#base/errors.ts";
import { inParallel } from "#base/in-parallel.ts";
import { atticFolder, checkAtticKey, checkKey, isCached } from "./keys.ts";
import type { AtticStore, ByteRange, FileStore, OpenFile, StagedFile, StoredFile } from "./port.ts";
import { openS3Parts } from "./s3-parts.ts";
import { sendRange } from "./s3-send.ts";
import { openS3System } from "./s3-system.ts";

export interface Bucket {
  /** With the bucket as the last segment of its path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Before every key; empty, or ending in a slash. */
  prefix: string;
}

const megabyte = 1024 * 1024;
const partSize = 8 * megabyte;
const maxParts = 10_000;
const partsAtOnce = 3;
const pageSize = 1_000;
/** Parts of uploads lie below this; no key of a file begins with a dot. */
const partsFolder = ".uploads";
/** What a server copies at once, and how large a piece is when there is more. */
const copySizes = { most: 5_120 * megabyte, piece: 512 * megabyte };
/** How long an address is good for that is signed for one request. */
const signedSeconds = 600;

/** To the head of the answer; of an upload that is after its last byte. */
const patienceMs = 120_000;
/** Before the second and the third attempt. */
const pauses = [200, 1_000];

type Listed = { name: string } & StoredFile;

interface FilePart {
  /** Of the upload. */
  id: string;
  /** From 1. */
  number: number;
  /** Both inclusive. */
  start: number;
  end: number;
}

export function openS3(bucket: Bucket, log: Logger, copying = copySizes): FileStore {
  const { prefix: root, ...config } = bucket;
  const s3 = new S3mini({ ...config, fetch: patientFetch });
  const nameOf = (key: string) => root + checkKey(key).join("/");
  const keyOf = (name: string) => name.slice(root.length);
  const atticRoot = `${root}${atticFolder}/`;
  const atticName = (at: string) => atticRoot + checkAtticKey(at).join("/");

  /** Undefined when there is no such file. */
  async function ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof CairnError) throw error;
        const status = error instanceof S3ServiceError ? error.status : 0;
        if (status === 404) return undefined;
        const pause = status === 0 || status === 409 || status === 429 || status >= 500 ? pauses[attempt] : undefined;
        if (pause === undefined) throw unavailable(error);
        await sleep(pause);
      }
    }
  }

  function unavailable(error: unknown): CairnError {
    log.error({ err: error }, "the file store does not do what it should");
    return new CairnError("unavailable", "The file store is not available right now.");
  }

  /** A request for its first byte returns the facts of a file; an empty one has none. */
  async function find(name: string): Promise<StoredFile | undefined> {
    const answer = await ask(async () => {
      try {
        return await s3.getObjectRaw(name, false, 0, 1);
      } catch (error) {
        if (!(error instanceof S3ServiceError && error.status === 416)) throw error;
        return s3.getObjectResponse(name);
      }
    });
    await answer?.body?.cancel();
    if (!answer) return undefined;
    const { headers } = answer;
    const size = Number(headers.get("content-range")?.split("/")[1] ?? headers.get("content-length"));
    return statOf(size, headers.get("last-modified") ?? "", headers.get("etag") ?? "");
  }

  async function read(
    name: string,
    { range, tag }: { range?: ByteRange | undefined; tag?: string },
  ): Promise<Readable> {
    const conditions = tag === undefined ? {} : { "if-match": etagOf(tag) };
    const answer = await ask(async () => {
      try {
        return await s3.getObjectRaw(name, !range, range?.start, range && range.end + 1, conditions);
      } catch (error) {
        if (error instanceof S3ServiceError && error.status === 412) return undefined;
        throw error;
      }
    });
    if (!answer) return noFile();
    if (!answer.body) return Readable.from([]);
    const asked = range && `bytes ${range.start}-${range.end}/`;
    if (asked && !answer.headers.get("content-range")?.startsWith(asked)) {
      await answer.body.cancel();
      throw unavailable(new Error("another range came than the one asked for"));
    }
    return Readable.fromWeb(answer.body as ReadableStream);
  }

  async function* list(prefix: string, { withCache = isCached(prefix) } = {}) {
    for await (const page of listPages(`${nameOf(prefix)}/`)) {
      for (const { name, ...file } of page) {
        const key = keyOf(name);
        if (withCache || !isCached(key)) yield { key, ...file };
      }
    }
  }

  /** In order of name. */
  async function* listPages(below: string): AsyncIterable<Listed[]> {
    for (let token: string | undefined; ; ) {
      const page = await ask(() => s3.listObjectsPaged("/", below, pageSize, token));
      if (!page) throw unavailable(new Error("there is no such bucket"));
      yield (page.objects ?? []).map(({ Key, Size, LastModified, ETag }) => ({
        name: Key,
        ...statOf(Size, LastModified, ETag),
      }));
      token = page.nextContinuationToken;
      if (token === undefined) return;
    }
  }

  /** By names in the bucket. */
  async function copy(from: string, to: string, file: StoredFile): Promise<void> {
    // By its own encoding of the source, s3mini hides the slashes; not every server finds it then.
    const source = [s3.bucketName, ...from.split("/")].map(encodeURIComponent).join("/");
    const additionalHeaders = { "x-amz-copy-source": `/${source}` };
    if (file.size > copying.most) return copyPieces(to, additionalHeaders, file);
    if (!(await ask(() => s3.copyObject(from, to, { additionalHeaders })))) noFile();
  }

  async function copyOne(from: string, to: string): Promise<void> {
    const target = nameOf(to);
    const file = (await find(nameOf(from))) ?? noFile();
    if (from !== to) await copy(nameOf(from), target, file);
  }

  /** By names; false: there is no such file. */
  async function tryCopy(from: string, to: string): Promise<boolean> {
    const file = await find(from);
    if (file) await copy(from, to, file);
    return file !== undefined;
  }

  /** The server does it, piece by piece: nothing passes through here. */
  async function copyPieces(name: string, source: Record<string, string>, { size, tag }: StoredFile): Promise<void> {
    await inUpload(name, { size, partSize: copying.piece }, async ({ id, number, start, end }) => {
      const range = { "x-amz-copy-source-range": `bytes=${start}-${end}`, "x-amz-copy-source-if-match": etagOf(tag) };
      const headers = { ...source, ...range };
      const query = { partNumber: String(number), uploadId: id };
      const answer = await ask(async () => {
        const url = await s3.getPresignedUrl("PUT", name, signedSeconds, query, headers);
        const response = await patientFetch(url, { method: "PUT", headers });
        const text = await response.text();
        if (!response.ok) throw new S3ServiceError(`S3 returned ${response.status}`, response.status);
        // A copy may fail after its head was sent: then the body has the error.
        return /<ETag>(.*?)<\/ETag>/s.exec(text)?.[1] ?? Promise.reject(new S3ServiceError("a copy broke off", 500));
      });
      return answer ?? noFile();
    });
    if ((await find(name))?.size !== size) throw unavailable(new Error("a copied file is not there"));
  }

  async function deleteNames(names: string[]): Promise<void> {
    if (names.length === 0) return;
    const gone = await ask(() => s3.deleteObjects(names));
    if (!gone?.every(Boolean)) throw unavailable(new Error("some files were not deleted"));
  }

  async function deleteBelow(folder: string): Promise<number> {
    let deleted = 0;
    for await (const page of listPages(folder)) {
      await deleteNames(page.map(({ name }) => name));
      deleted += page.length;
    }
    return deleted;
  }

  /** False: the name is taken. A server that ignores the condition replaces; one that refuses it is asked before. */
  async function create(name: string, text: string): Promise<boolean> {
    let isRepeated = false;
    const status = await ask(async () => {
      try {
        return await putText(name, text, { "if-none-match": "*" });
      } catch (error) {
        if (error instanceof S3ServiceError && [412, 501].includes(error.status)) return error.status;
        isRepeated = true;
        throw error;
      }
    });
    if (status === undefined) throw unavailable(new Error("there is no such bucket"));
    // After a repetition it may be what an attempt stored whose answer was lost.
    if (status === 412) return isRepeated && (await readText(name)) === text;
    if (status !== 501) return true;
    if (await find(name)) return false;
    await ask(() => putText(name, text));
    return true;
  }

  async function putText(name: string, body: string, headers: Record<string, string> = {}): Promise<number> {
    const url = await s3.getPresignedUrl("PUT", name, signedSeconds, {}, headers);
    const answer = await patientFetch(url, { method: "PUT", headers, body });
    await answer.text();
    const { status } = answer;
    if (status !== 200) throw new S3ServiceError(`S3 returned ${status}`, status);
    return status;
  }

  async function readText(name: string): Promise<string> {
    return Buffer.concat(await (await read(name, {})).toArray()).toString("utf8");
  }

  async function publish(
    staged: Pick<StagedFile, "path" | "size">,
    name: string,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    await upload(staged, name, signal);
    const file = await find(name);
    if (file?.size !== staged.size) throw unavailable(new Error("a published file is not there"));
    return file;
  }

  async function upload(staged: Pick<StagedFile, "path" | "size">, name: string, signal?: AbortSignal): Promise<void> {
    const { size } = staged;
    signal?.throwIfAborted();
    const file = await open(staged.path);
    try {
      if ((await file.stat()).size !== size) throw new Error("the staged file is not as long as it was");
      if (size <= partSize) await send(name, file, { start: 0, end: size - 1 });
      else {
        await inUpload(name, { size, partSize }, async ({ id, number, ...range }) => {
          signal?.throwIfAborted();
          return send(name, file, range, { partNumber: String(number), uploadId: id });
        });
      }
    } finally {
      await file.close();
    }
    // It is safe now; what is left behind here is swept.
    await rm(staged.path, { force: true }).catch(() => {});
  }

  /** The ETag of what was stored. */
  async function send(name: string, file: FileHandle, range: ByteRange, query: Record<string, string> = {}) {
    const etag = await ask(async () => {
      const url = await s3.getPresignedUrl("PUT", name, signedSeconds, query);
      const answer = await sendRange(url, file, { range, patienceMs });
      if (answer.status !== 200) throw new S3ServiceError(`S3 returned ${answer.status}`, answer.status);
      return answer.etag;
    });
    if (etag === undefined) throw unavailable(new Error("there is no such bucket or upload"));
    return etag;
  }

  /** Fills a file part by part, a few at a time; each gives its ETag. It appears when it is whole. */
  async function inUpload(
    name: string,
    { size, partSize: smallest }: { size: number; partSize: number },
    fill: (part: FilePart) => Promise<string>,
  ): Promise<void> {
    const each = Math.max(smallest, Math.ceil(size / maxParts));
    const starts = Array.from({ length: Math.ceil(size / each) }, (_, number) => number * each);
    const id = await ask(() => s3.getMultipartUploadId(name));
    if (id === undefined) throw unavailable(new Error("there is no such bucket"));
    try {
      const parts: { partNumber: number; etag: string }[] = [];
      await inParallel(starts, partsAtOnce, async (start) => {
        const number = start / each + 1;
        const etag = await fill({ id, number, start, end: Math.min(start + each, size) - 1 });
        parts.push({ partNumber: number, etag });
      });
      parts.sort((a, b) => a.partNumber - b.partNumber);
      await ask(() => s3.completeMultipartUpload(name, id, parts));
    } catch (error) {
      await s3.abortMultipartUpload(name, id).catch(() => {});
      throw error;
    }
  }

  async function openFile(name: string): Promise<OpenFile> {
    const file = (await find(name)) ?? noFile();
    const stream = (range?: ByteRange) => read(name, { range, tag: file.tag });
    return {
      ...file,
      stream,
      read: async (range) => Buffer.concat(await (await stream(range)).toArray()),
      async close() {},
    };
  }

  const attic: AtticStore = {
    async keep(key, at) {
      const isCopied = await tryCopy(nameOf(key), atticName(at));
      if (isCopied) await deleteNames([nameOf(key)]);
      return isCopied;
    },
    takeBack: async (at, key) => tryCopy(atticName(at), nameOf(key)),
    open: async (at) => openFile(atticName(at)),
    put: async (staged, at) => upload(staged, atticName(at)),
    delete: async (at) => deleteNames([atticName(at)]),
    deleteAll: async (prefix) => deleteBelow(prefix === undefined ? atticRoot : `${atticName(prefix)}/`),
    async *list(prefix) {
      for await (const page of listPages(prefix === undefined ? atticRoot : `${atticName(prefix)}/`))
        for (const { name, ...file } of page) yield { key: name.slice(atticRoot.length), ...file };
    },
  };

  return {
    find: async (key) => find(nameOf(key)),
    open: async (key) => openFile(nameOf(key)),

    read: async (key, range) => read(nameOf(key), { range }),

    publish: async (staged, key) => publish(staged, nameOf(key)),

    copy: copyOne,

    delete: async (key) => deleteNames([nameOf(key)]),

    deleteAll: async (prefix) => deleteBelow(`${nameOf(prefix)}/`),

    list,
    localPath: () => undefined,
    parts: openS3Parts({
      folder: `${root}${partsFolder}/`,
      upload,
      read: (name) => read(name, {}),
      deleteNames,
      listPages,
    }),
    attic,
    system: openS3System({ root, find, openFile, create, publish, deleteNames, deleteBelow, listPages }),
    async close() {},
  };
}

function statOf(size: number, modified: string | Date, etag: string): StoredFile {
  const time = new Date(modified).getTime();
  // Lists know milliseconds, heads only seconds.
  const seconds = Math.floor(time / 1_000);
  return {
    size,
    modified: seconds * 1_000,
    tag: `${etag.replace(/^(?:"|&quot;)|(?:"|&quot;)$/g, "")}.${seconds.toString(36)}`,
  };
}

function etagOf(tag: string): string {
  return `"${tag.split(".")[0]}"`;
}

/** Gives up when no answer comes; one that has begun may take its time. */
async function patientFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Error("no answer in time")), patienceMs);
  try {
    return await fetch(input, { ...init, signal: patience.signal });
  } finally {
    clearTimeout(timer);
  }
}

function noFile(): never {
  fail("not-found", "There is no such file.");
}
