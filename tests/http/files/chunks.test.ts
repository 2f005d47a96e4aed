// Uploads in chunks: any order, any process, one gate.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Server, startServer } from "../../harness.ts";
import { chunk, multipart, send } from "../../support/forms.ts";
import { picture } from "../../support/sample-files.ts";

let server: Server;
const object = "/api/collections/things/one";
const limit = 400_000;
const staging = () => readdirSync(join(server.dataDir, ".system", "uploads"));
const stored = (path: string) => join(server.dataDir, "things", "one", path);
const get = async () => (await server.request("GET", object)).body.data;

before(async () => {
  server = await startServer({ settings: { files: { maxUploadSize: limit } } });
  const properties = {
    title: { type: "string" },
    doc: { type: "file" },
    cover: { type: "image" },
    box: { type: "depot" },
  };
  await server.makeSchema({ id: "thing", properties, required: [], index: [] });
  await server.makeCollection({ id: "things", schema: "thing" });
});
after(() => server.stop());
beforeEach(async () => {
  await server.request("DELETE", object);
  await server.request("POST", "/api/collections/things", { body: { id: "one", title: "One" } });
});

const pieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

test("PF-30 chunks become one file with the last of them; the others are confirmed", async () => {
  const bytes = randomBytes(100_000);
  const parts = pieces(bytes, 30_000);
  for (const [index, part] of parts.entries()) {
    const form = chunk({ field: "doc", name: "a.bin", bytes: part, index, total: parts.length, uuid: "u1" });
    const answer = await send(server, `${object}/doc`, form);
    assert.equal(answer.status, 200);
    if (index < parts.length - 1) assert.deepEqual(answer.body, { status: "chunk received" });
    else assert.deepEqual([answer.body.data.doc.name, answer.body.data.doc.size], ["a.bin", bytes.length]);
  }
  assert.deepEqual(readFileSync(stored("doc/a.bin")), bytes);
  assert.deepEqual(staging(), []);
});

test("PF-30 the fields may have their short names; one chunk of one is a whole file", async () => {
  const short = (index: number, total: number, bytes: string) =>
    multipart([
      { field: "chunkindex", value: String(index) },
      { field: "totalchunkcount", value: String(total) },
      { field: "doc", name: "a.txt", bytes },
    ]);
  assert.deepEqual((await send(server, `${object}/doc`, short(0, 2, "ab"))).body, { status: "chunk received" });
  await send(server, `${object}/doc`, short(1, 2, "cd"));
  assert.equal(readFileSync(stored("doc/a.txt"), "utf8"), "abcd");
  await send(server, `${object}/doc`, short(0, 1, "whole"));
  assert.equal(readFileSync(stored("doc/a-2.txt"), "utf8"), "whole");
});

test("PF-31 chunks come in any order, again, and at the same moment", async () => {
  const bytes = randomBytes(90_000);
  const parts = pieces(bytes, 10_000);
  const form = (index: number, part: Buffer) =>
    chunk({ field: "doc", name: "a.bin", bytes: part, index, total: parts.length, uuid: "u2" });
  for (const index of [3, 3, 7]) await send(server, `${object}/doc`, form(index, parts[index] as Buffer));
  const rest = [...parts.entries()].filter(([index]) => index < parts.length - 1 && index !== 3);
  const answers = await Promise.all(rest.map(([index, part]) => send(server, `${object}/doc`, form(index, part))));
  assert.ok(answers.every(({ status }) => status === 200));
  const last = await send(server, `${object}/doc`, form(parts.length - 1, parts.at(-1) as Buffer));
  assert.equal(last.body.data.doc.size, bytes.length);
  assert.deepEqual(readFileSync(stored("doc/a.bin")), bytes);
});

test("PF-32 the fields may come behind the file", async () => {
  const bytes = randomBytes(50_000);
  const parts = pieces(bytes, 20_000);
  for (const [index, part] of parts.entries()) {
    const isLate = index !== 1;
    const form = chunk({ field: "doc", name: "a.bin", bytes: part, index, total: 3, uuid: "u3", isLate });
    assert.equal((await send(server, `${object}/doc`, form)).status, 200);
  }
  assert.deepEqual(readFileSync(stored("doc/a.bin")), bytes);
  assert.deepEqual(staging(), []);
});

test("PF-33 the last chunk names those that are missing, and they complete the upload (T44)", async () => {
  const form = (index: number) =>
    chunk({ field: "doc", name: "a.txt", bytes: Buffer.from(String(index)), index, total: 5, uuid: "u4" });
  await send(server, `${object}/doc`, form(0));
  await send(server, `${object}/doc`, form(2));
  const last = await send(server, `${object}/doc`, form(4));
  assert.equal(last.status, 400);
  assert.match(last.body.error, /1, 3/);
  assert.equal("doc" in (await get()), false);
  assert.equal(existsSync(stored("doc")), false);
  assert.deepEqual((await send(server, `${object}/doc`, form(3))).body, { status: "chunk received" });
  assert.equal((await send(server, `${object}/doc`, form(1))).body.data.doc.size, 5);
  assert.equal(readFileSync(stored("doc/a.txt"), "utf8"), "01234");
});

for (const [index, total] of [
  ["-1", "3"],
  ["3", "3"],
  ["0", "0"],
  ["0", "10001"],
  ["0", "1000000000"],
  ["0.5", "3"],
  ["x", "3"],
  ["", "3"],
  ["1e0", "3"],
])
  test(`PF-34 chunk ${index} of ${total} is refused (T44)`, async () => {
    const answer = await send(
      server,
      `${object}/doc`,
      multipart([
        { field: "dzchunkindex", value: index as string },
        { field: "dztotalchunkcount", value: total as string },
        { field: "doc", name: "a.txt", bytes: "x" },
      ]),
    );
    assert.deepEqual([answer.status, typeof answer.body.error], [400, "string"]);
    assert.equal("doc" in (await get()), false);
  });

test("PF-34 the number of chunks is fixed by the first, and their sum has the limit of a file (T44)", async () => {
  const form = (index: number, total: number, uuid: string, size = 1) =>
    chunk({ field: "doc", name: "a.txt", bytes: Buffer.alloc(size, "x"), index, total, uuid });
  await send(server, `${object}/doc`, form(0, 3, "u5"));
  assert.equal((await send(server, `${object}/doc`, form(1, 4, "u5"))).status, 400);
  await send(server, `${object}/doc`, form(0, 2, "u6", limit - 10));
  const over = await send(server, `${object}/doc`, form(1, 2, "u6", 11));
  assert.deepEqual([over.status, typeof over.body.error], [413, "string"]);
  const announced = multipart([
    { field: "dzchunkindex", value: "0" },
    { field: "dztotalchunkcount", value: "2" },
    { field: "dztotalfilesize", value: String(limit + 1) },
    { field: "doc", name: "a.txt", bytes: "x" },
  ]);
  assert.equal((await send(server, `${object}/doc`, announced)).status, 413);
  assert.equal("doc" in (await get()), false);
});

test("PF-35 uploads of the same name do not mix: of other callers, other targets, other ids (T45)", async () => {
  const made = await server.request("POST", "/api/apikeys", {
    body: { name: "second", methods: ["POST"], endpoints: ["*"] },
  });
  const key = made.body.data.key as string;
  await server.request("POST", "/api/collections/things", { body: { id: "two" } });
  const part = (index: number, text: string, uuid?: string) =>
    chunk({ field: "file", name: "a.txt", bytes: Buffer.from(text), index, total: 2, ...(uuid && { uuid }) });
  const other = "/api/collections/things/two/doc";
  await send(server, `${object}/doc`, part(0, "one-"));
  await send(server, `${object}/doc`, part(0, "key-"), { key });
  await send(server, other, part(0, "two-"));
  await send(server, `${object}/box`, part(0, "box-"));
  await send(server, `${object}/box/sub`, part(0, "sub-"));
  await send(server, `${object}/box`, part(0, "uid-", "../../../etc"));
  for (const path of [other, `${object}/box`, `${object}/box/sub`, `${object}/doc`]) {
    assert.equal((await send(server, path, part(1, "end"))).status, 200, path);
  }
  assert.equal((await send(server, `${object}/box`, part(1, "end", "../../../etc"))).status, 200);
  const read = (path: string) => readFileSync(join(server.dataDir, "things", path), "utf8");
  assert.deepEqual(
    ["one/doc/a.txt", "two/doc/a.txt", "one/box/a.txt", "one/box/sub/a.txt", "one/box/a-2.txt"].map(read),
    ["one-end", "two-end", "box-end", "sub-end", "uid-end"],
  );
  await send(server, `${object}/doc`, part(1, "end"), { key });
  assert.equal(read("one/doc/a-2.txt"), "key-end");
});

test("PF-36 a file in chunks passes the same gate (T32, T45)", async () => {
  const html = Buffer.from("<!doctype html><script>alert(1)</script>");
  const upload = async (bytes: Buffer, uuid: string) => {
    const parts = pieces(bytes, Math.ceil(bytes.length / 3));
    let answer = { status: 0, body: undefined as unknown };
    for (const [index, part] of parts.entries()) {
      const form = chunk({ field: "cover", name: "a.jpg", bytes: part, index, total: parts.length, uuid });
      answer = await send(server, `${object}/cover`, form);
    }
    return answer;
  };
  const refused = await upload(html, "u7");
  assert.deepEqual([refused.status, typeof (refused.body as { error: string }).error], [400, "string"]);
  assert.equal("cover" in (await get()), false);
  const image = await picture(40, 30);
  assert.equal((await upload(image, "u7")).status, 200);
  assert.deepEqual(readFileSync(stored("cover/a.jpg")), image);
});

test("PF-38 rights are checked with the first chunk, and abandoned chunks are deleted after a day (T46)", async () => {
  const form = chunk({ field: "doc", name: "a.txt", bytes: Buffer.from("x"), index: 0, total: 2, uuid: "u8" });
  assert.equal((await send(server, `${object}/doc`, form, { key: null })).status, 401);
  const left = new Set(staging());
  await send(server, `${object}/doc`, form);
  const [folder] = staging().filter((name) => !left.has(name));
  assert.ok(folder);
  const path = join(server.dataDir, ".system", "uploads", folder);
  await server.restart();
  assert.ok(existsSync(path));
  const aDayAgo = Date.now() / 1000 - 25 * 3600;
  for (const name of readdirSync(path)) utimesSync(join(path, name), aDayAgo, aDayAgo);
  utimesSync(path, aDayAgo, aDayAgo);
  await server.restart();
  while (existsSync(path)) await sleep(20);
  // Its row is gone with it: the number of chunks is free again.
  const anew = chunk({ field: "doc", name: "a.txt", bytes: Buffer.from("y"), index: 0, total: 1, uuid: "u8" });
  assert.equal((await send(server, `${object}/doc`, anew)).status, 200);
});
