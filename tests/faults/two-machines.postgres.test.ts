// Two servers that share a database and a bucket and nothing else, as on two machines: files are one.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { becomes } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../harness.ts";
import { filesBelow } from "../support/files-below.ts";
import { chunk, multipart, send } from "../support/forms.ts";
import { type Bucket, startBucket } from "../support/s3-server.ts";
import { fetchBytes, picture, upload } from "../support/sample-files.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { whileSilent } from "./silence.ts";

const other = mkdtempSync(join(tmpdir(), "cairn-other-"));
const object = "/api/collections/things/one";
let bucket: Bucket;
let first: Server;
let second: Server;
const database = () => first.env.CAIRN_DATABASE_URL as string;

before(async () => {
  bucket = await startBucket();
  const CAIRN_FILES = bucket.url;
  first = await startServer({ env: { CAIRN_FILES } });
  const properties = {
    doc: { type: "file" },
    box: { type: "depot" },
    photo: { type: "image" },
    draft: { type: "boolean" },
  };
  await first.makeSchema({ id: "thing", properties, required: [], index: [] });
  await first.makeCollection({ id: "things", schema: "thing" });
  await first.request("POST", "/api/collections/things", { body: { id: "one" } });
  const CAIRN_SITE_KEY_FILE = join(first.dataDir, ".system", "site.key");
  const env = { CAIRN_FILES, CAIRN_SITE_KEY_FILE, CAIRN_DATABASE_URL: `${database()}?application_name=second` };
  second = await startServer({ dataDir: other, env });
});
after(async () => {
  await second.stop();
  await first.stop();
  await bucket.close();
  rmSync(other, { recursive: true });
});

const on = (server: Server) => ({ send: (path: string, form: object) => send(server, path, form, { key: first.key }) });
const partsOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
const left = () =>
  [first, second].flatMap(({ dataDir }) => readdirSync(join(dataDir, ".system", "uploads"))).concat(inBucket());
/** The parts that lie in the bucket. */
const inBucket = () => filesBelow(bucket.folder).filter((name) => /^site.\.uploads.+_object$/.test(name));

test("PF-39 chunks that go to one server or the other, in any order and again, become one file", async () => {
  const bytes = randomBytes(500_000);
  const parts = partsOf(bytes, 60_000);
  const form = (index: number) =>
    chunk({ field: "doc", name: "a.bin", bytes: parts[index] as Buffer, index, total: parts.length, uuid: "u1" });
  for (const [turn, index] of [4, 0, 7, 2, 2, 5, 1, 6].entries()) {
    const answer = await on(turn % 2 === 0 ? first : second).send(`${object}/doc`, form(index));
    assert.deepEqual([answer.status, answer.body], [200, { status: "chunk received" }]);
  }
  // The last index names what it misses; the upload goes on after both servers were restarted.
  const last = await on(second).send(`${object}/doc`, form(8));
  assert.match(last.body.error, /missing: 3\b/);
  await first.kill();
  await second.kill();
  await Promise.all([first.restart(), second.restart()]);
  const done = await on(first).send(`${object}/doc`, form(3));
  assert.equal(done.body.data.doc.size, bytes.length);
  assert.deepEqual((await fetchBytes(second, "/stream/things/one/doc", { key: first.key })).bytes, bytes);
  await becomes(left, []);
});

test("PF-39 of two last chunks at the same moment, one on each server, exactly one saves the file", async () => {
  for (let round = 0; round < 5; round++) {
    const form = (index: number) =>
      chunk({
        field: "box",
        name: `r${round}.txt`,
        bytes: Buffer.from(`${index}`),
        index,
        total: 3,
        uuid: `r${round}`,
      });
    await on(first).send(`${object}/box`, form(1));
    const answers = await Promise.all([
      on(first).send(`${object}/box`, form(0)),
      on(second).send(`${object}/box`, form(2)),
    ]);
    const saved = answers.filter(({ body }) => body.data);
    assert.equal(saved.length, 1, answers.map(({ text }) => text).join("\n"));
    const { files } = (saved[0] as Answer).body.data.box;
    assert.deepEqual(
      files.map(({ name }: { name: string }) => name),
      Array.from({ length: round + 1 }, (_, number) => `r${number}.txt`),
    );
    const { bytes } = await fetchBytes(first, `/download/things/one/box/r${round}.txt`);
    assert.equal(bytes.toString(), "012");
  }
  await becomes(left, []);
});

test("PF-39 parts lie where no address leads, and go a day after the last one", async () => {
  const form = chunk({ field: "doc", name: "b.bin", bytes: Buffer.from("secret"), index: 0, total: 2, uuid: "u3" });
  await on(first).send(`${object}/doc`, form);
  const [kept = ""] = inBucket();
  const [, , upload = "", name = ""] = kept.split("/");
  for (const path of [
    `.uploads/${upload}/${name}`,
    `%2euploads/${upload}/${name}`,
    `x/../.uploads/${upload}/${name}`,
  ]) {
    for (const door of ["download", "stream", "imageworks", "api/upload"]) {
      const { status, bytes } = await fetchBytes(second, `/${door}/${path}`, { key: first.key });
      assert.ok(status >= 400 && status < 500, `${door} ${path}: ${status}`);
      assert.ok(!bytes.includes("secret"));
    }
  }
  const check = await first.cli(["files:check", "--json", "--fix"]);
  assert.deepEqual([JSON.parse(check.stdout), inBucket()], [[], [kept]]);
  const aDayAgo = Date.now() / 1000 - 25 * 3600;
  utimesSync(join(bucket.folder, kept), aDayAgo, aDayAgo);
  const stale = await first.cli(["files:check", "--json", "--fix"]);
  const size = "secret".length;
  assert.deepEqual(JSON.parse(stale.stdout), [{ kind: "orphan", key: `.uploads/${upload}`, size, isRemoved: true }]);
  assert.deepEqual(inBucket(), []);
});

test("PF-9 one name sent to both servers at the same moment is kept as often as it was sent", async () => {
  const upload = (server: Server, content: string) =>
    on(server).send(`${object}/box/same`, multipart([{ field: "file", name: "n.txt", bytes: content }]));
  const contents = Array.from({ length: 12 }, (_, number) => `content ${number}`);
  const answers: Answer[] = await Promise.all(
    contents.map((content, number) => upload(number % 2 === 0 ? first : second, content)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { box } = (await first.request("GET", object)).body.data;
  const { files } = box.files.find(({ name }: { name: string }) => name === "same");
  const read: string[] = [];
  for (const { name, hash } of files) {
    const { bytes } = await fetchBytes(first, `/download/things/one/box/${name}?path=same`);
    assert.equal(createHash("sha256").update(bytes).digest("hex").slice(0, 32), hash, name);
    read.push(bytes.toString());
  }
  assert.deepEqual(read.sort(), contents.toSorted());
});

const megabyte = 1_048_576;
const memoryOf = (pid: number, name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;

test("PF-24 130 MB in chunks take less than 128 MB of memory", async () => {
  const block = randomBytes(10 * megabyte);
  const whole = createHash("sha256");
  const servers = [first, second];
  for (const { pid } of servers) writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = servers.map(({ pid }) => memoryOf(pid, "VmRSS"));
  let answer: Answer | undefined;
  for (let index = 0; index < 13; index++) {
    block.writeUInt32BE(index);
    whole.update(block);
    const form = chunk({ field: "doc", name: "l.bin", bytes: block, index, total: 13, uuid: "u4" });
    answer = await on(servers[index % 2] as Server).send(`${object}/doc`, form);
  }
  const grown = servers.map(({ pid }, at) => (memoryOf(pid, "VmHWM") - (before[at] as number)) / megabyte);
  assert.equal(answer?.body.data?.doc.hash, whole.digest("hex").slice(0, 32), answer?.text);
  assert.ok(Math.max(...grown) < 128, `${grown.map(Math.round)} MB`);
});

test("DUR-28 an object closed on one server is closed on the other as soon as that is answered (T41)", async () => {
  const set = async (path: string, body?: object, method = "PATCH") => {
    const { status, text } = await first.request(method, `/api/collections/${path}`, { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  const remove = (path: string) => set(path, undefined, "DELETE");
  // What visitors get then: files and images, the object, lists.
  const ways: Record<string, [close: () => Promise<void>, file: string, object: string, list: string]> = {
    drafts: [() => set("drafts/a", { draft: true }), "404", "404", "200 0"],
    closed: [() => set("closed/settings", { publicOperations: [] }), "401", "401", "401"],
    unfiled: [() => set("unfiled/settings", { publicFiles: false }), "401", "200", "200 1"],
    locked: [() => set("locked/a", { doc: { password: "p" }, photo: { password: "p" } }), "403", "200", "200 1"],
    emptied: [() => remove("emptied/a/doc").then(() => remove("emptied/a/photo")), "404", "200", "200 1"],
    deleted: [() => remove("deleted/a"), "404", "404", "200 0"],
  };
  const addresses = (id: string) => [
    `/download/${id}/a/doc`,
    `/stream/${id}/a/doc`,
    `/imageworks/${id}/a/photo.webp?w=10`,
    `/api/collections/${id}/a`,
    `/api/collections/${id}`,
    `/api/collections/${id}/query`,
  ];
  const ask = async (path: string, key: string | null = null) => {
    const { status, body } = await second.request("GET", path, { key });
    return Array.isArray(body?.data) ? `${status} ${body.data.length}` : `${status}`;
  };
  const bytes = await picture(40, 20);
  for (const id of Object.keys(ways)) {
    await first.makeCollection({ id, schema: "thing", publicOperations: ["read"] });
    await set(id, { id: "a" }, "POST");
    await upload(first, `${id}/a/doc`, { name: "a.txt", bytes: "secret" });
    await upload(first, `${id}/a/photo`, { name: "p.jpg", bytes });
    // The second time from memory.
    for (const path of [...addresses(id), ...addresses(id)]) assert.match(await ask(path), /^200( 1)?$/, path);
  }
  const made = await first.request("POST", "/api/apikeys", { body: { name: "k", methods: ["GET"], endpoints: ["*"] } });
  const { id: keyId, key } = made.body.data;
  assert.equal(await ask("/api/collections/things/one", key), "200");
  await makeUser(first, "pat", ["admin"]);
  const { cookie, request } = await signIn(first, "pat");
  const askAsPat = async () =>
    (await second.request("GET", "/api/collections/things/one", { key: null, headers: { cookie } })).status;
  assert.equal(await askAsPat(), 200);
  const { asked, askedWithKey, askedAsPat } = await whileSilent(database(), "second", async () => {
    for (const [close] of Object.values(ways)) await close();
    await first.request("DELETE", `/api/apikeys/${keyId}`);
    await request("POST", "/api/auth/logout");
    const waiting = Object.keys(ways).map((id) => addresses(id).map((path) => ask(path)));
    const waitingWithKey = ask("/api/collections/things/one", key);
    const waitingAsPat = askAsPat();
    // Whoever answers from memory has done so by then.
    await sleep(300);
    return { asked: waiting, askedWithKey: waitingWithKey, askedAsPat: waitingAsPat };
  });
  for (const [at, [id, [, file, object, list]]] of Object.entries(ways).entries()) {
    const answers = await Promise.all(asked[at] as Promise<string>[]);
    assert.deepEqual(answers, [file, file, file, object, list, list], id);
  }
  assert.deepEqual([await askedWithKey, await askedAsPat], ["401", 401]);
});
