// Extensions that ask, answer or log far too much, or end their thread again and again: the server has time for others. Turns of
// its event loop are measured by the processor time of its thread, so that a busy machine makes no difference.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { maxTurn, reportTurns } from "../support/turns.ts";

const code = `import { readFileSync } from "node:fs";
import * as workers from "node:worker_threads";
export function register(cairn) {
  cairn.route("logs", async () => {
    // It gives way now and then: on a busy machine it would else be ended for that.
    for (let n = 1; n <= 100_000; n += 1) {
      cairn.log.info("line " + n, { n });
      if (n % 5_000 === 0) await new Promise((done) => setImmediate(done));
    }
    for (let n = 1; n <= 20_000; n += 1) console.log("printed " + n);
    return { body: "logged" };
  });
  cairn.route("asks", async () => {
    const all = await Promise.allSettled(Array.from({ length: 12_000 }, (_, n) => cairn.store.get("key" + n)));
    return { body: { refused: all.filter(({ reason }) => reason?.status === 429).length } };
  });
  cairn.route("large", async () => ({ body: Array.from({ length: 300_000 }, (_, n) => ({ n, text: "some text of " + n })) }));
  cairn.route("huge", async () => ({ body: "x".repeat(16_000_001) }));
  cairn.route("checked", async () => ({ body: { text: "x".repeat(1_000_001) } }));
  cairn.route("result", async () => ({ status: 200, headers: { "x-long": "x".repeat(4_000_001) } }));
  cairn.route("bytes", async () => ({ body: new TextEncoder().encode("é".repeat(10_000)) }));
  cairn.route("text", async () => ({ body: "é".repeat(10_000) }));
  cairn.route("door", async () => ({ body: [workers.parentPort, workers.workerData, process.getBuiltinModule("worker_threads").parentPort] }));
  cairn.route("nice", async () => ({ body: readFileSync("/proc/thread-self/stat", "utf8") }));
  cairn.route("buffers", async () => {
    const all = [];
    for (let n = 0; n < 250; n += 1) {
      all.push(Buffer.alloc(8_000_000, 1));
      for (const end = performance.now() + 10; performance.now() < end; );
    }
    return { body: all.length };
  });
  cairn.route("floods", async () => {
    for (let n = 0; n < 50; n += 1) cairn.log.info("flood");
    return { body: "x".repeat(100_000) };
  });
  cairn.route("million", async () => ({ body: "x".repeat(1_000_000) }));
  cairn.route("fills", async () => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); });
}`;
const good = `export function register(cairn) {
  cairn.route("hello", async () => ({ body: "hello" }));
}`;

const turns = reportTurns();
let server: Server;

before(async () => {
  // Without the limit of requests, which would refuse most of a flood.
  const settings = { environment: "development", extensions: { memoryLimit: 256 }, api: { rateLimit: 0 } };
  server = await startServer({ settings, env: turns.env });
  const folder = join(server.dataDir, "extensions");
  const names = [
    "logs",
    "asks",
    "large",
    "huge",
    "checked",
    "result",
    "bytes",
    "text",
    "door",
    "nice",
    "buffers",
    "fills",
    "floods",
    "million",
  ];
  const routes = names.map((name) => ({ name, method: "GET", path: `/${name}`, access: "public" }));
  const output = { type: "object" };
  const contributes = { routes: routes.map((route) => (route.name === "checked" ? { ...route, output } : route)) };
  writeExtension(folder, { id: "acme/bad", manifest: { contributes }, files: { "index.ts": code } });
  const hello = { contributes: { routes: [{ name: "hello", method: "GET", path: "/hello", access: "public" }] } };
  writeExtension(folder, { id: "acme/good", manifest: hello, files: { "index.ts": good } });
  await enableExtension(server, "acme/bad");
  await enableExtension(server, "acme/good");
  await call("bad/door");
});
after(async () => {
  await server.stop();
  turns.remove();
});

const call = (path: string) => server.request("GET", `/api/ext/acme/${path}`, { key: null });

async function linesOf(id: string): Promise<{ text: string }[]> {
  const { body } = await server.request("GET", `/api/extensions/${id}/log`);
  return body.data;
}

test("EXT-44 EXT-45 EXT-46 floods of lines, questions and answers leave the event loop to others", async () => {
  await turns.take(server);
  assert.equal((await call("bad/logs")).text, "logged");
  const asked = await call("bad/asks");
  // 64 are asked at once, and 10,000 wait.
  assert.deepEqual(asked.body, { refused: 12_000 - 10_064 });
  const large = await call("bad/large");
  assert.deepEqual([large.body.length, large.body[299_999].n], [300_000, 299_999]);
  const { longest, during } = await turns.take(server);
  assert.ok(longest < maxTurn, `a turn of ${longest} ms: ${during}`);
});

test("EXT-44 100 connections that call an extension again and again hold others up for a few answers at most", async () => {
  await call("bad/floods");
  await turns.take(server);
  const flood = Array.from({ length: 100 }, async () => {
    for (let n = 0; n < 10; n += 1) assert.equal((await call("bad/floods")).text.length, 100_000);
  });
  let isOver = false;
  const over = Promise.all(flood).then(() => {
    isOver = true;
  });
  let reads = 0;
  for (; !isOver; reads += 1) assert.equal((await server.request("GET", "/api/collections")).status, 200);
  await over;
  const { repeated, during } = await turns.take(server);
  assert.ok(reads > 1, `${reads} reads were answered while 1,000 calls were`);
  assert.ok(repeated < maxTurn / 5, `turns of ${repeated} ms: ${during}`);
});

test("EXT-65 the bytes of answers are freed when they are sent, without a collection of all garbage", async () => {
  await turns.take(server);
  for (let n = 0; n < 300; n += 1) assert.equal((await call("bad/million")).text.length, 1_000_000);
  const { majors } = await turns.take(server);
  assert.ok(majors <= 4, `${majors} collections of the whole heap for 300 MB of answers`);
});

test("EXT-45 the log of a flood ends with its last lines, and says that some are missing", async () => {
  await call("bad/logs");
  const lines = await until(
    () => linesOf("acme/bad"),
    (found) => found.some(({ text }) => text === "printed 20000"),
  );
  assert.ok(lines.length <= 220, `${lines.length} lines are kept`);
  assert.equal(lines.at(-1)?.text, "printed 20000");
});

test("EXT-48 answers that are too long are refused, and others arrive as they are", async () => {
  for (const name of ["huge", "checked", "result"]) {
    const answer = await call(`bad/${name}`);
    assert.deepEqual([name, answer.status, answer.body.error.message], [name, 500, "The extension acme/bad failed."]);
  }
  const bytes = await call("bad/bytes");
  assert.deepEqual([bytes.text, bytes.headers.get("content-type")], ["é".repeat(10_000), "application/octet-stream"]);
  const text = await call("bad/text");
  assert.deepEqual([text.text, text.headers.get("content-type")], ["é".repeat(10_000), "text/plain; charset=utf-8"]);
});

test("EXT-49 the thread of extensions has a lower priority than the server, and reaches it by the facade alone", async () => {
  assert.deepEqual((await call("bad/door")).body, [null, null, null]);
  if (process.platform !== "linux") return;
  const niceOf = (stat: string) => Number(stat.replace(/^.*\) /s, "").split(" ")[16]);
  const ofServer = niceOf(readFileSync(`/proc/${server.pid}/stat`, "utf8"));
  assert.equal(niceOf((await call("bad/nice")).text), Math.min(19, ofServer + 5));
});

test("EXT-41 buffers fill the memory of extensions as well, and end the thread alone", async () => {
  assert.equal((await call("bad/buffers")).status, 500);
  const { body } = await server.request("GET", "/api/extensions/acme/bad");
  const full = ({ text }: { text: string }) => text === "It used up the memory of all extensions.";
  await until(async () => (await linesOf("acme/bad")).some(full));
  assert.equal(body.data.state, "enabled");
  assert.equal((await call("good/hello")).text, "hello");
});

test("EXT-47 an extension that ends the thread twice rests, and others are called at once", async () => {
  // 64 of them run at a time: some wait while the first ones end the thread twice.
  const answers = await Promise.all(Array.from({ length: 150 }, () => call("bad/fills")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([500, 503]));
  const resting = answers.find(({ status }) => status === 503);
  assert.match(resting?.body.error.message, /acme\/bad ended the thread of extensions \d times in 5 minutes/);
  assert.ok(Number(resting?.headers.get("retry-after")) >= 1);
  assert.equal((await call("good/hello")).text, "hello");
});
