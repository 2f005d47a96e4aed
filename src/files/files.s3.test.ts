import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, describe, test } from "node:test";
import { createLog } from "#base/log.ts";
import { filesContract, type TestStore } from "./files.contract.ts";
import { withLocalFile } from "./local-copies.ts";
import { openFiles, parseBucket } from "./open-files.ts";
import { openS3 } from "./s3.ts";
import { openStaging } from "./staging.ts";

interface TestServer {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  /** Of Koa. */
  middleware: ((request: CopyRequest, next: () => Promise<void>) => Promise<void>)[];
}

interface CopyRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  status: number;
  type: string;
  body: string;
  store: {
    getObject(bucket: string, key: string, range: object): Promise<{ content: Readable }>;
    existsObject(bucket: string, key: string): Promise<boolean>;
    putPart(bucket: string, uploadId: string, part: string, content: Readable): Promise<{ md5: string }>;
  };
}
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => TestServer;
const address = { address: "127.0.0.1", port: 0, silent: true };
const log = createLog("silent");
const cleanups: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "cairn-s3-"));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The server of these tests does not know this condition; others do. */
async function refuseTaken(request: CopyRequest, next: () => Promise<void>): Promise<void> {
  const [, bucket = "", ...key] = request.path.split("/").map(decodeURIComponent);
  const isNew = request.method === "PUT" && request.headers["if-none-match"] === "*";
  if (!isNew || !(await request.store.existsObject(bucket, key.join("/")))) return next();
  request.status = 412;
}

async function prepare(): Promise<TestStore> {
  const server = new S3rver({ ...address, directory: await folder(), configureBuckets: [{ name: "cairn" }] });
  server.middleware.unshift(refuseTaken);
  const { port } = await server.run();
  const staging = await openStaging(await folder());
  const filesUrl = `s3://S3RVER:S3RVER@cairn/some/prefix?endpoint=http://127.0.0.1:${port}&region=us-east-1`;
  const files = await openFiles({ dataDir: await folder(), filesUrl, log });
  return {
    files,
    staging,
    async remove() {
      await staging.close();
      await server.close();
    },
  };
}

filesContract("S3", prepare);

describe("S3", () => {
  async function* one(text: string): AsyncIterable<Uint8Array> {
    yield Buffer.from(text);
  }

  test("FILE-13 the address names bucket, prefix, endpoint and credentials; the environment fills in", () => {
    assert.deepEqual(parseBucket("s3://k%2F1:se%40cret@bucket/a/b/?endpoint=http://host:9000/&region=eu-1", {}), {
      endpoint: "http://host:9000/bucket",
      region: "eu-1",
      accessKeyId: "k/1",
      secretAccessKey: "se@cret",
      prefix: "a/b/",
    });
    const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" };
    assert.deepEqual(parseBucket("s3://bucket", env), {
      endpoint: "https://s3.eu-central-1.amazonaws.com/bucket",
      region: "eu-central-1",
      accessKeyId: "key",
      secretAccessKey: "secret",
      prefix: "",
    });
  });

  for (const [what, url] of [
    ["no credentials", "s3://bucket"],
    ["another scheme", "ftp://key:hidden@bucket"],
    ["no bucket", "s3:///prefix"],
    ["a strange endpoint", "s3://key:hidden@bucket?endpoint=gopher://x"],
  ] as const) {
    test(`FILE-13 an address with ${what} is refused without repeating it`, () => {
      assert.throws(
        () => parseBucket(url, {}),
        (error: Error) => !error.message.includes("hidden"),
      );
    });
  }

  test("FILE-14 a decoder gets a copy on this machine, the same one while it is kept, and old ones go", async () => {
    const store = await prepare();
    const keys = Array.from({ length: 12 }, (_, number) => `blog/one/gallery/${number}.txt`);
    for (const key of keys) await store.files.publish(await store.staging.receive(one(key), 1_000), key);
    const paths = new Set<string>();
    for (const key of [keys[0] as string, ...keys, keys[11] as string]) {
      const content = await withLocalFile(store, key, async (path) => {
        paths.add(path);
        return readFile(path, "utf8");
      });
      assert.equal(content, key);
    }
    assert.equal(paths.size, 12);
    assert.equal((await readdir(store.staging.folder)).length, 8);
    await assert.rejects(withLocalFile(store, "blog/one/gallery/none.txt", readFile), { word: "not-found" });
    await store.remove();
  });

  test("FILE-6 a file over the limit for one copy is copied piece by piece, by the server", async () => {
    const copied: string[] = [];
    const server = new S3rver({ ...address, directory: await folder(), configureBuckets: [{ name: "cairn" }] });
    // The server of these tests copies whole files only; this is what the others do.
    server.middleware.unshift(async (request, next) => {
      const source = request.headers["x-amz-copy-source"];
      if (request.method !== "PUT" || !source || !request.query.uploadId) return next();
      const range = request.headers["x-amz-copy-source-range"] as string;
      copied.push(`${request.query.partNumber} ${range}`);
      const [start, end] = range.slice("bytes=".length).split("-").map(Number);
      const [, bucket = "", ...key] = source.split("/").map(decodeURIComponent);
      const { content } = await request.store.getObject(bucket, key.join("/"), { start, end });
      const { uploadId, partNumber = "" } = request.query;
      const { md5 } = await request.store.putPart(bucket, uploadId, partNumber, content);
      request.status = 200;
      request.type = "application/xml";
      request.body = `<CopyPartResult><ETag>&quot;${md5}&quot;</ETag></CopyPartResult>`;
    });
    const { port } = await server.run();
    const bucket = parseBucket(`s3://S3RVER:S3RVER@cairn/p?endpoint=http://127.0.0.1:${port}&region=us-east-1`, {});
    const files = openS3(bucket, log, { most: 1_000, piece: 400 });
    const staging = await openStaging(await folder());
    const content = randomBytes(600).toString("hex");
    await files.publish(await staging.receive(one(content), 1e6), "blog/größe/file/a b.txt");
    await files.publish(await staging.receive(one("small"), 1e6), "blog/größe/file/b.txt");
    await files.copy("blog/größe/file/a b.txt", "blog/two/file/copy.txt");
    assert.deepEqual(copied.sort(), ["1 bytes=0-399", "2 bytes=400-799", "3 bytes=800-1199"]);
    assert.equal(await text(await files.read("blog/two/file/copy.txt")), content);
    await files.copy("blog/größe/file/b.txt", "blog/two/file/b.txt");
    assert.equal(await text(await files.read("blog/two/file/b.txt")), "small");
    assert.equal(copied.length, 3);
    await staging.close();
    await server.close();
  });

  test("FILE-6 a copy that the server breaks off leaves nothing, and is unavailable", async () => {
    const requests: string[] = [];
    const head = { etag: '"e"', "last-modified": new Date(0).toUTCString(), "content-range": "bytes 0-0/2000" };
    const { bucket, close } = await fakeServer(({ method, url = "" }, response) => {
      requests.push(`${method} ${url.split("?")[0]}`);
      if (method === "GET") return response.writeHead(206, head).end("x");
      if (method === "POST")
        return response.end("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
      if (method === "PUT") return response.end("<Error><Code>InternalError</Code></Error>");
      return response.writeHead(204).end();
    });
    const files = openS3(bucket, log, { most: 1_000, piece: 2_000 });
    await assert.rejects(files.copy("a/b/c/d", "a/b/c/e"), { word: "unavailable" });
    assert.ok(requests.includes("DELETE /bucket/a/b/c/e"), requests.join());
    await close();
  });

  test("FILE-3 (T54) only the opened version is streamed, never a newer one", async () => {
    let etag = "old";
    const { files, close } = await fakeStore((request, response) => {
      if (request.headers["if-match"] !== undefined && request.headers["if-match"] !== `"${etag}"`)
        return response.writeHead(412).end();
      const head = { "content-range": "bytes 0-0/1", etag: `"${etag}"`, "last-modified": new Date(0).toUTCString() };
      return response.writeHead(206, head).end("x");
    });
    const opened = await files.open("a/b/c/d");
    assert.equal(await text(await opened.stream({ start: 0, end: 0 })), "x");
    etag = "new";
    await assert.rejects(opened.stream(), { word: "not-found" });
    await close();
  });

  test("FILE-4 an answer with another range than the one asked for is not passed on", async () => {
    const { files, close } = await fakeStore((_request, response) => response.writeHead(200).end("whole file"));
    await assert.rejects(files.read("a/b/c/d", { start: 2, end: 3 }), { word: "unavailable" });
    await close();
  });

  test("FILE-9 a long list goes on page by page", async () => {
    const pages = (url: string) => {
      const isSecond = url.includes("continuation-token=next");
      const name = isSecond ? "b" : "a";
      return `<ListBucketResult><IsTruncated>${!isSecond}</IsTruncated><NextContinuationToken>next</NextContinuationToken>
        <Contents><Key>blog/one/file/${name}</Key><Size>3</Size><ETag>&quot;e&quot;</ETag><LastModified>1970-01-01T00:00:01.500Z</LastModified></Contents>
        </ListBucketResult>`;
    };
    const { files, close } = await fakeStore((request, response) => response.end(pages(request.url ?? "")));
    const listed: object[] = [];
    for await (const file of files.list("blog")) listed.push(file);
    assert.deepEqual(listed, [
      { key: "blog/one/file/a", size: 3, modified: 1_000, tag: "e.1" },
      { key: "blog/one/file/b", size: 3, modified: 1_000, tag: "e.1" },
    ]);
    await close();
  });

  test("FILE-15 a store that fails for a moment is asked again; one that stays away is unavailable", async () => {
    let requests = 0;
    let failures = 2;
    const { files, close } = await fakeStore((_request, response) => {
      requests++;
      if (failures-- > 0) return response.writeHead(503).end("slow down");
      const head = { "content-range": "bytes 0-0/7", etag: '"abc"', "last-modified": new Date(0).toUTCString() };
      return response.writeHead(206, head).end("x");
    });
    assert.deepEqual(await files.find("a/b/c/d"), { size: 7, modified: 0, tag: "abc.0" });
    assert.equal(requests, 3);
    failures = 100;
    await assert.rejects(files.find("a/b/c/d"), { word: "unavailable" });
    assert.equal(requests, 6);
    await close();
    await assert.rejects(files.find("a/b/c/d"), { word: "unavailable" });
  });

  test("FILE-48 a file that was stored, and whose answer was lost, is not taken when it is sent again", async () => {
    let stored: string | undefined;
    let isLost = true;
    const { files, close } = await fakeStore(async (request, response) => {
      if (request.method === "GET") return response.writeHead(200, { etag: '"e"' }).end(stored);
      if (stored !== undefined) return response.writeHead(412).end();
      stored = await text(request);
      return isLost ? request.socket.destroy() : response.writeHead(200).end();
    });
    const at = "backups/schemas/a/a-1.json";
    assert.deepEqual(await files.system.create(new Map([[at, "{}"]])), new Set());
    assert.deepEqual(await files.system.create(new Map([[at, "{}"]])), new Set([at]));
    assert.equal(stored, "{}");
    [stored, isLost] = [undefined, false];
    assert.deepEqual(await files.system.create(new Map([[at, "[]"]])), new Set());
    await close();
  });

  test("FILE-48 a server that refuses the condition is asked for the file first", async () => {
    let stored: string | undefined;
    const { files, close } = await fakeStore(async (request, response) => {
      const head = { "content-range": "bytes 0-0/2", etag: '"e"', "last-modified": new Date(0).toUTCString() };
      if (request.method === "GET")
        return stored === undefined ? response.writeHead(404).end() : response.writeHead(206, head).end("{");
      if (request.headers["if-none-match"]) return response.writeHead(501).end();
      stored = await text(request);
      return response.writeHead(200).end();
    });
    const at = "backups/schemas/a/a-1.json";
    assert.deepEqual(await files.system.create(new Map([[at, "{}"]])), new Set());
    assert.deepEqual(await files.system.create(new Map([[at, "[]"]])), new Set([at]));
    assert.equal(stored, "{}");
    await close();
  });

  test("FILE-46 an upload to the service that is aborted between two parts leaves no upload behind", async () => {
    const requests: string[] = [];
    const abort = new AbortController();
    const { files, close } = await fakeStore(({ method, url = "" }, response) => {
      requests.push(`${method} ${url.split("?")[0]}`);
      if (method === "POST")
        return response.end("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
      if (method === "PUT") abort.abort(new Error("enough"));
      return response.writeHead(200, { etag: '"e"' }).end();
    });
    const staging = await openStaging(await folder());
    const staged = await staging.receive(one("x".repeat(60 * 1024 * 1024)), 1e9);
    await assert.rejects(files.system.put(staged, "whole-backups/a.zip", abort.signal), /enough/);
    const ended = requests.filter((line) => line === "DELETE /bucket/.system/whole-backups/a.zip");
    assert.deepEqual([ended.length, requests.filter((line) => line.startsWith("POST")).length], [1, 1]);
    assert.ok((await readdir(staging.folder)).length === 1);
    await staging.close();
    await close();
  });

  test("FILE-15 wrong credentials are unavailable at once, not tried again", async () => {
    let requests = 0;
    const { files, close } = await fakeStore((_request, response) => {
      requests++;
      return response.writeHead(403).end();
    });
    await assert.rejects(files.find("a/b/c/d"), { word: "unavailable" });
    assert.equal(requests, 1);
    await close();
  });
});

async function fakeServer(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    answer(request, response);
    request.resume();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { bucket: parseBucket(`s3://key:secret@bucket?endpoint=http://127.0.0.1:${port}`, {}), close };
}

async function fakeStore(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const { bucket, close } = await fakeServer(answer);
  return { files: openS3(bucket, log), close };
}
