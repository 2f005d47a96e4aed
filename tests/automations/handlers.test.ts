// What a handler can do through ctx, and what a hostile one cannot do to the server.

import assert from "node:assert/strict";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { amongOthers } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { automate, type Run, settledRuns } from "./samples.ts";

let server: Server;
let outside: HttpServer;
let address: string;
before(async () => {
  outside = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const { method, headers, url } = request;
    const isNote = url === "/note.txt";
    response.writeHead(url === "/teapot" ? 418 : 200, { "content-type": isNote ? "text/plain" : "application/json" });
    response.end(isNote ? "a note" : JSON.stringify({ method, headers, body }));
  });
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const automations = { webhookLimit: 0, memoryLimit: 32, allowPrivateHosts: true };
  const smtp = { host: "127.0.0.1", port: 9, from: "cms@example.org" };
  const files = { allowPrivateHosts: true };
  server = await startServer({ settings: { automations, files, smtp, api: { rateLimit: 0 } } });
  const text = { type: "string" };
  await server.makeSchema({ id: "part", properties: { id: text, name: text }, required: ["id"], index: [] });
  await server.makeSchema({
    id: "stone",
    properties: {
      id: text,
      title: text,
      weight: { type: "number" },
      note: { type: "file" },
      parts: { type: "deck", schemaref: "part" },
    },
    required: ["id", "title"],
    index: ["id", "title", "weight"],
  });
  await server.makeCollection({ id: "stones", schema: "stone" });
});
after(async () => {
  await server.stop();
  outside.close();
});

let count = 0;
/** One run of a new automation, by hand. */
async function run(body: string, args: object = {}): Promise<Run> {
  count += 1;
  await automate(server, `h${count}`, { body });
  return (await server.request("POST", `/api/automations/h${count}/run`, { body: args })).body.data as Run;
}

test("ATM-33, FIL-22 objects are made, found, changed and deleted", async () => {
  const { result, error } = await run(`
    const { objects } = ctx;
    const made = await objects.create("stones", { id: "flint", title: "Flint", weight: 2 });
    await objects.create("stones", { id: "slate", title: "Grey slate", weight: 5 });
    const patched = await objects.patch("stones", "flint", { weight: 3 });
    const replaced = await objects.replace("stones", "slate", { title: "Slate" });
    const number = await objects.increment("stones", "flint", "weight", 4);
    const copy = await objects.clone("stones", "flint", { id: "flint-2" });
    const listed = await objects.list("stones", { sort: "id", order: "asc", limit: 2 });
    const filter = { or: [{ weight: { in: [7, 8] } }, { not: { weight: { lt: 100 } }, title: "none" }] };
    const queried = await objects.query("stones", { filter, sort: "id" });
    const searched = await objects.search("stones", "slate");
    const gone = await objects.delete("stones", "flint-2");
    const got = await objects.get("stones", "flint");
    return [made.id, patched.weight, replaced.weight ?? null, number, copy.id, listed.data.map((o) => o.id), listed.total,
      queried.data.map((o) => o.id), searched.data.map((o) => o.id), gone, got.weight]`);
  assert.equal(error, null);
  assert.deepEqual(result, [
    "flint",
    3,
    null,
    7,
    "flint-2",
    ["flint", "flint-2"],
    3,
    ["flint", "flint-2"],
    ["slate"],
    null,
    7,
  ]);
});

test("ATM-33 a handler obeys schemas, and can catch errors", async () => {
  const { result } = await run(`
    const told = [];
    for (const attempt of [
      () => ctx.objects.create("stones", { id: "x", weight: 1 }),
      () => ctx.objects.get("stones", "none"),
      () => ctx.objects.get("nowhere", "x"),
      () => ctx.objects.get("stones"),
      () => ctx.objects.query("stones", { filter: { colour: "red" } }),
    ]) await attempt().catch((e) => told.push([e.code, "title" in (e.details ?? {})]));
    return told`);
  assert.deepEqual(result, [
    [400, true],
    [404, false],
    [404, false],
    [400, false],
    [400, false],
  ]);
});

test("ATM-33 deck items are made, read, replaced and deleted", async () => {
  const { result, error } = await run(`
    const at = ["stones", "slate", "parts"];
    await ctx.deck.create(...at, { id: "p1", name: "edge" });
    await ctx.deck.create(...at, { id: "p2", name: "face" });
    await ctx.deck.replace(...at, "p1", { name: "rim" });
    const after = await ctx.deck.delete(...at, "p2");
    return [await ctx.deck.get(...at, "p1"), after.parts.length]`);
  assert.equal(error, null);
  assert.deepEqual(result, [{ id: "p1", name: "rim" }, 1]);
});

test("ATM-34 files are saved from an address and read", async () => {
  const { result, error } = await run(
    `await ctx.files.save("stones", "slate", "note", ctx.args.url);
     const file = await ctx.files.read("stones", "slate", "note");
     return [file.name, file.size, file.text, file.base64]`,
    { url: `${address}/note.txt` },
  );
  assert.equal(error, null);
  assert.deepEqual(result, ["note.txt", 6, "a note", Buffer.from("a note").toString("base64")]);
});

test("ATM-34 a mail of the mailer is queued", async () => {
  const body = {
    name: "Hello",
    to: "ada@example.org",
    from: "cms@example.org",
    subject: "Hi {{ data.who }}",
    bodyText: "x",
  };
  const made = await server.request("POST", "/api/collections/mailer", { body });
  const { result, error } = await run("return ctx.mail.send(ctx.args.mailer, { data: { who: 'Ada' } })", {
    mailer: made.body.data.id,
  });
  assert.equal(error, null);
  assert.deepEqual([result.status, result.to, result.subject], ["queued", ["ada@example.org"], "Hi Ada"]);
});

test("ATM-35 fetch makes requests, and returns any status", async () => {
  const { result, error } = await run(
    `const sent = await ctx.fetch(ctx.args.url + "/x", { method: "POST", headers: { "X-Mine": "1" }, body: { a: 1 } });
     const seen = JSON.parse(sent.text);
     const pot = await ctx.fetch(ctx.args.url + "/teapot");
     return [sent.status, sent.ok, seen.method, seen.headers["x-mine"], seen.headers["content-type"], seen.body, pot.status, pot.ok]`,
    { url: address },
  );
  assert.equal(error, null);
  assert.deepEqual(result, [200, true, "POST", "1", "application/json", '{"a":1}', 418, false]);
});

test("ATM-35 private addresses, other schemes and bad headers are refused", async () => {
  const body = `const told = [];
    for (const [url, options] of ctx.args.all) await ctx.fetch(url, options).then(() => told.push("open"), (e) => told.push(e.code));
    return told`;
  await server.setSetting("automations.allowPrivateHosts", false);
  const all = [
    address,
    `${server.url}/healthz`,
    "http://[::1]/",
    "http://169.254.169.254/",
    "http://2130706433/",
    "file:///etc/passwd",
  ];
  const { result } = await run(body, { all: all.map((url) => [url, {}]) });
  assert.deepEqual(result, [422, 422, 422, 422, 422, 400]);
  const told = await run("return ctx.fetch(ctx.args.url).catch((e) => e.message)", { url: address });
  assert.match(String(told.result), /unless the setting automations\.allowPrivateHosts allows them/);
  await server.setSetting("automations.allowPrivateHosts", true);
  const bad = [
    [address, { headers: { "x y": "1" } }],
    [address, { headers: { x: "a\r\nb: c" } }],
    [address, { method: "CONNECT" }],
  ];
  assert.deepEqual((await run(body, { all: bad })).result, [400, 400, 400]);
});

test("ATM-36 a handler logs, hashes and knows the time", async () => {
  const { result, log } = await run(`
    ctx.log("one", { two: 2 }); ctx.log.warn("three"); console.log("four");
    const { crypto } = ctx;
    return [await crypto.hash("sha256", "a"), await crypto.hmac("sha256", "key", "a"), (await crypto.random(8)).length,
      (await crypto.uuid()).length, ctx.now().slice(0, 2)]`);
  assert.deepEqual(result.slice(2), [16, 36, "20"]);
  assert.match(result[0], /^ca978112ca1bbdcafac231b39a23dc4d/);
  assert.match(result[1], /^[0-9a-f]{64}$/);
  assert.deepEqual(
    log.map((line) => line.slice(25)),
    ['info one {"two":2}', "warn three", "info four"],
  );
});

test("ATM-41 any text can be returned, logged and thrown", async () => {
  const odd = await run("ctx.log('a\\0b'); return 'c\\0d\\ud800e'");
  assert.equal(odd.result, "c\0d\ud800e");
  const thrown = await run("throw new Error('f\\0g')");
  assert.equal(thrown.status, "failed");
});

test("ATM-38 a handler sees no secret of the service", async () => {
  const { result } = await run(`return [typeof process, typeof require, typeof globalThis.fetch,
    Object.keys(ctx).sort().join(" "), JSON.stringify(await ctx.objects.list("auth")).includes("argon2")]`);
  const keys = "args automation crypto deck event fetch files log mail now objects request run sleep trigger";
  assert.deepEqual(result, ["undefined", "undefined", "undefined", keys, false]);
});

test("ATM-39 ATM-40 ATM-41 bombs end their run and nothing else", async () => {
  const bombs = {
    loop: "for (;;);",
    memory: "const all = []; for (;;) all.push(new Array(10000).fill(1))",
    stalled: "await new Promise(() => {})",
    recursion: "const f = () => f() + 1; f()",
    flood: "for (;;) ctx.objects.get('stones', 'slate').catch(() => {})",
    chatter: "for (;;) ctx.log('x'.repeat(10000))",
    huge: "return 'x'.repeat(6000000)",
  };
  await server.setSetting("automations.timeLimit", 2);
  for (const [id, body] of Object.entries(bombs))
    await automate(server, `bomb-${id}`, { body, triggers: [{ type: "webhook" }] });
  for (const id of Object.keys(bombs)) await server.request("POST", `/automations/bomb-${id}`, { key: null });
  const waits: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now();
      await server.request("GET", "/healthz", { key: null });
      waits.push(performance.now() - started);
    }
  })();
  for (const id of Object.keys(bombs)) {
    const [ended] = await settledRuns(server, `bomb-${id}`, 1);
    assert.equal(ended?.status, "failed", id);
    assert.ok((ended?.error ?? "") !== "", id);
  }
  isOver = true;
  await watching;
  const sorted = waits.toSorted((a, b) => a - b);
  const worst = sorted[Math.floor(sorted.length * 0.99)] as number;
  assert.ok(waits.length > 50 && worst < amongOthers(1_000), `${waits.length} answers, 99 of 100 within ${worst} ms`);
  await server.setSetting("automations.timeLimit", null);
  assert.equal((await run("return 'alive'")).result, "alive");
});
