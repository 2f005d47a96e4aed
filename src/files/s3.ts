// Files in a bucket of S3 or of something that speaks like it. A file appears there only when it is whole, by nature.
// Every request has a time limit and is tried again when the fault may pass; what stays a fault is `unavailable`.

import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { S3mini, S3ServiceError } from "s3mini";
import { CairnError, fail } from "#base/errors.ts";
import { checkKey, checkMove, isCached } from "./keys.ts";
import type { ByteRange, FileStore, OpenFile, StagedFile, StoredFile } from "./port.ts";

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
const keysAtOnce = 8;
const pageSize = 1_000;

/** To the head of the answer; of an upload that is after its last byte. */
const patienceMs = 120_000;
/** Before the second and the third attempt. */
const pauses = [200, 1_000];

type Listed = { key: string } & StoredFile;

export function openS3(bucket: Bucket, log: Logger): FileStore {
  const { prefix: root, ...config } = bucket;
  const s3 = new S3mini({ ...config, fetch: patientFetch });
  const nameOf = (key: string) => root + checkKey(key).join("/");

  /** Undefined when there is no such file. */
  async function ask<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof CairnError) throw error;
        const status = error instanceof S3ServiceError ? error.status : 0;
        if (status === 404) return undefined;
        const pause = status === 0 || status === 429 || status >= 500 ? pauses[attempt] : undefined;
        if (pause === undefined) throw unavailable(error);
        await sleep(pause);
      }
    }
  }

  function unavailable(error: unknown): CairnError {
    log.error({ err: error }, "the file store does not do what it should");
    return new CairnError("unavailable", "The file store is not available right now.");
  }

  /** Its first byte tells what there is to know of a file; an empty one has none. */
  async function find(key: string): Promise<StoredFile | undefined> {
    const name = nameOf(key);
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
    return describe(size, headers.get("last-modified") ?? "", headers.get("etag") ?? "");
  }

  async function read(key: string, { range, tag }: { range?: ByteRange | undefined; tag?: string }): Promise<Readable> {
    const conditions = tag === undefined ? {} : { "if-match": `"${tag.split(".")[0]}"` };
    const answer = await ask(() =>
      s3.getObjectRaw(nameOf(key), !range, range?.start, range && range.end + 1, conditions),
    );
    if (!answer) return missing();
    if (!answer.body) return Readable.from([]);
    const asked = range && `bytes ${range.start}-${range.end}/`;
    if (asked && !answer.headers.get("content-range")?.startsWith(asked)) {
      await answer.body.cancel();
      throw unavailable(new Error("another range came than the one asked for"));
    }
    return Readable.fromWeb(answer.body as ReadableStream);
  }

  async function* list(prefix: string, { withCache = isCached(prefix) } = {}): AsyncIterable<Listed> {
    for await (const page of listPages(prefix)) {
      for (const file of page) if (withCache || !isCached(file.key)) yield file;
    }
  }

  async function* listPages(prefix: string): AsyncIterable<Listed[]> {
    const below = `${nameOf(prefix)}/`;
    for (let token: string | undefined; ; ) {
      const page = await ask(() => s3.listObjectsPaged("/", below, pageSize, token));
      if (!page) throw unavailable(new Error("there is no such bucket"));
      yield (page.objects ?? []).map(({ Key, Size, LastModified, ETag }) => ({
        key: Key.slice(root.length),
        ...describe(Size, LastModified, ETag),
      }));
      token = page.nextContinuationToken;
      if (token === undefined) return;
    }
  }

  async function copy(from: string, to: string): Promise<void> {
    if (from === to) return;
    // By its own encoding of the source, s3mini hides the slashes; not every server finds it then.
    const source = [s3.bucketName, ...nameOf(from).split("/")].map(encodeURIComponent).join("/");
    const additionalHeaders = { "x-amz-copy-source": `/${source}` };
    if (!(await ask(() => s3.copyObject(nameOf(from), nameOf(to), { additionalHeaders })))) missing();
  }

  async function deleteFiles(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    const gone = await ask(() => s3.deleteObjects(keys.map(nameOf)));
    if (!gone?.every(Boolean)) throw unavailable(new Error("some files were not deleted"));
  }

  /** The number of files. */
  async function eachPage(prefix: string, withCache: boolean, work: (page: Listed[]) => Promise<unknown>) {
    let done = 0;
    for await (const all of listPages(prefix)) {
      const page = withCache ? all : all.filter(({ key }) => !isCached(key));
      await work(page);
      done += page.length;
    }
    return done;
  }

  function copyPage(page: Listed[], fromPrefix: string, toPrefix: string): Promise<void> {
    return inParallel(page, keysAtOnce, ({ key }) => copy(key, toPrefix + key.slice(fromPrefix.length)));
  }

  async function upload(staged: StagedFile, name: string): Promise<void> {
    const handle = await open(staged.path, "r");
    try {
      const readPart = async (start: number, size: number) => {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size), 0, size, start);
        if (bytesRead !== size) throw new Error("the staged file is shorter than it was");
        return buffer;
      };
      if (staged.size > partSize) await uploadParts(name, staged.size, readPart);
      else {
        const bytes = await readPart(0, staged.size);
        if (!(await ask(() => s3.putObject(name, bytes)))) throw unavailable(new Error("there is no such bucket"));
      }
    } finally {
      await handle.close();
    }
  }

  /** A few parts in memory, whatever the size of the file. */
  async function uploadParts(
    name: string,
    size: number,
    readPart: (start: number, size: number) => Promise<Buffer>,
  ): Promise<void> {
    const each = Math.max(partSize, Math.ceil(size / maxParts));
    const starts = Array.from({ length: Math.ceil(size / each) }, (_, number) => number * each);
    const id = await ask(() => s3.getMultipartUploadId(name));
    if (id === undefined) throw unavailable(new Error("there is no such bucket"));
    try {
      const parts: { partNumber: number; etag: string }[] = [];
      await inParallel(starts, partsAtOnce, async (start) => {
        const bytes = await readPart(start, Math.min(each, size - start));
        const part = await ask(() => s3.uploadPart(name, id, bytes, start / each + 1));
        if (!part) throw unavailable(new Error("the upload is gone"));
        parts.push(part);
      });
      parts.sort((a, b) => a.partNumber - b.partNumber);
      await ask(() => s3.completeMultipartUpload(name, id, parts));
    } catch (error) {
      await s3.abortMultipartUpload(name, id).catch(() => {});
      throw error;
    }
  }

  return {
    find,

    async open(key): Promise<OpenFile> {
      const file = (await find(key)) ?? missing();
      const stream = (range?: ByteRange) => read(key, { range, tag: file.tag });
      return {
        ...file,
        stream,
        read: async (range) => Buffer.concat(await (await stream(range)).toArray()),
        async close() {},
      };
    },

    read: (key, range) => read(key, { range }),

    async publish(staged, key) {
      await upload(staged, nameOf(key));
      const file = await find(key);
      if (file?.size !== staged.size) throw unavailable(new Error("a published file is not there"));
      // It is safe now; what is left behind here is swept.
      await rm(staged.path, { force: true }).catch(() => {});
      return file;
    },

    copy,

    async move(from, to) {
      if (from === to) return;
      await copy(from, to);
      await deleteFiles([from]);
    },

    delete: (key) => deleteFiles([key]),

    deleteAll: (prefix) => eachPage(prefix, true, (page) => deleteFiles(page.map(({ key }) => key))),

    async copyAll(fromPrefix, toPrefix) {
      checkMove(fromPrefix, toPrefix);
      return eachPage(fromPrefix, isCached(fromPrefix), (page) => copyPage(page, fromPrefix, toPrefix));
    },

    async moveAll(fromPrefix, toPrefix) {
      checkMove(fromPrefix, toPrefix);
      await eachPage(fromPrefix, true, async (page) => {
        await copyPage(page, fromPrefix, toPrefix);
        await deleteFiles(page.map(({ key }) => key));
      });
    },

    list,
    localPath: () => undefined,
    async close() {},
  };
}

function describe(size: number, modified: string | Date, etag: string): StoredFile {
  const time = new Date(modified).getTime();
  // Lists know milliseconds, heads only seconds.
  const seconds = Math.floor(time / 1_000);
  return {
    size,
    modified: seconds * 1_000,
    tag: `${etag.replace(/^(?:"|&quot;)|(?:"|&quot;)$/g, "")}.${seconds.toString(36)}`,
  };
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

/** Ends when all have ended; then fails as the first of them did. */
async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  let failed: { error: unknown } | undefined;
  const run = async () => {
    for (const item of waiting) {
      if (failed) return;
      await work(item).catch((error) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  if (failed) throw failed.error;
}

function missing(): never {
  fail("not-found", "There is no such file.");
}
