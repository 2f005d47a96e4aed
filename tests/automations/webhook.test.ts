// The webhook to the letter: who may call it, what the handler is given, what the caller is told.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type RequestOptions, type Server, startServer } from "../harness.ts";
import { automate, runsOf, settledRuns } from "./samples.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { automations: { webhookLimit: 0, queueLimit: 20 }, api: { rateLimit: 0 } } });
  const echo = "return { args: ctx.args, request: ctx.request, trigger: ctx.trigger, event: ctx.event }";
  await automate(server, "echo", { body: echo, triggers: [{ type: "webhook", sync: true }] });
  await automate(server, "same", { body: "return 1", triggers: [{ type: "webhook", sync: true, auth: "sameOrigin" }] });
  await automate(server, "keyed", { body: echo, triggers: [{ type: "webhook", sync: true, auth: "apiKey" }] });
  await automate(server, "later", { body: "return ctx.args", triggers: [{ type: "webhook" }] });
});
after(() => server.stop());

function call(path: string, options: RequestOptions = {}) {
  return server.request("POST", `/automations/${path}`, { key: null, ...options });
}

test("ATM-5 ATM-7 a synchronous webhook answers with the handler's value", async () => {
  const answer = await call("echo?a=1&b=2&list[]=x", { body: { b: [3], c: { d: null } } });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  assert.deepEqual(answer.body.args, { a: "1", b: [3], list: ["x"], c: { d: null } });
  assert.deepEqual(answer.body.trigger, { id: "t0", type: "webhook", auth: "none", sync: true });
  assert.equal(answer.body.event, null);
  await automate(server, "nothing", { body: "", triggers: [{ type: "webhook", sync: true }] });
  assert.equal((await call("nothing")).text, "null");
});

test("ATM-6 ATM-19 without sync the run is queued, executed and kept", async () => {
  const answer = await call("later?a=1", { body: { b: 2 } });
  assert.equal(answer.status, 202);
  assert.deepEqual(Object.keys(answer.body), ["status", "runId"]);
  assert.equal(answer.body.status, "queued");
  const run = (await settledRuns(server, "later", 1)).find(({ runId }) => runId === answer.body.runId);
  assert.equal(run?.status, "succeeded");
  assert.equal(run?.trigger, "webhook");
  assert.deepEqual(run?.result, { a: "1", b: 2 });
});

test("ATM-6 nothing but the boolean true makes a webhook synchronous (T110)", async () => {
  for (const [at, sync] of ["true", "on", 1, "yes", [true]].entries()) {
    const record = {
      id: `weak-${at}`,
      handler: "export default () => 1",
      triggers: [{ id: "w", type: "webhook", sync }],
    };
    const saved = await server.request("POST", "/api/collections/automations", { body: record });
    if (saved.status === 201) assert.equal((await call(`weak-${at}`)).status, 202, JSON.stringify(sync));
    else assert.equal(saved.status, 400);
  }
});

test("ATM-8 a key comes by header alone and never reaches the handler (T69) (T110)", async () => {
  const { key } = server;
  for (const id of ["keyed", "echo", "later"]) assert.equal((await call(`${id}?api_key=${key}`)).status, 401, id);
  const headers = { "x-api-key": key, cookie: "cairn_session=x" };
  const answer = await call("keyed?a=1", { headers, body: { b: 2, api_key: key } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body.args, { a: "1", b: 2 });
  assert.doesNotMatch(JSON.stringify([answer.body.args, answer.body.request.headers]), new RegExp(key));
  assert.equal(
    (await call("echo", { raw: '{"__proto__":{"x":1}}', headers: { "content-type": "application/json" } })).status,
    400,
  );
  assert.equal((await call("echo?__proto__[x]=1")).status, 400);
  const logs = join(server.dataDir, ".system", "logs");
  const texts = readdirSync(logs).map((file) => readFileSync(join(logs, file), "utf8"));
  assert.ok(![...texts, server.stderr, server.stdout].some((text) => text.includes(key)));
});

test("ATM-9 an open webhook looks at no credentials", async () => {
  for (const headers of [
    { "x-api-key": "cairn_wrong" },
    { authorization: "Bearer x.y.z" },
    { cookie: "cairn_session=x" },
  ])
    assert.equal((await call("echo", { headers })).status, 200);
});

test("ATM-10 sameOrigin compares whole origins (T109)", async () => {
  const { host, port } = new URL(server.url);
  const own = `http://${host}`;
  for (const headers of [
    { origin: own },
    { referer: `${own}/page?x=1` },
    { origin: own, referer: "http://evil.test/" },
  ])
    assert.equal((await call("same", { headers })).status, 200, JSON.stringify(headers));
  const foreign = [
    {},
    { host: `evil.test:${port}`, origin: `http://evil.test:${port}` },
    { origin: "null" },
    { origin: "" },
    { origin: `https://${host}` },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: "http://127.0.0.1" },
    { origin: `http://${host}.evil.test` },
    { origin: `http://${host}@evil.test` },
    { origin: "http://evil.test", referer: `${own}/` },
    { origin: "null", referer: `${own}/` },
    { referer: `http://${host}@evil.test/` },
    { referer: `http://evil.test/?${own}/` },
    { referer: `${own.replace("127.0.0.1", "127.0.0.1.evil.test")}/` },
    { referer: "nonsense" },
    { referer: "about:blank" },
  ];
  for (const headers of foreign) {
    const answer = await call("same", { headers: headers as Record<string, string> });
    assert.equal(answer.status, 403, JSON.stringify(headers));
  }
});

test("ATM-11 apiKey asks for a key with POST and the endpoint of automations", async () => {
  const make = async (methods: string, endpoint: string) =>
    (await server.makeKey({ methods: methods.split(","), endpoints: [endpoint] })).key;
  const good = [
    await make("POST", "/automations"),
    await make("GET,POST", "*"),
    await make("POST", "/automations/keyed"),
  ];
  const bad = [
    await make("GET", "/automations"),
    await make("POST", "/collections"),
    await make("POST", "/automations/other"),
  ];
  for (const key of good) {
    assert.equal((await call("keyed", { headers: { "x-api-key": key } })).status, 200);
    assert.equal((await call("keyed", { headers: { authorization: `Bearer ${key}` } })).status, 200);
  }
  for (const key of bad) assert.equal((await call("keyed", { headers: { "x-api-key": key } })).status, 401);
  for (const headers of [{}, { "x-api-key": "cairn_no" }, { authorization: "Basic eDp5" }, { "x-api-key": "" }])
    assert.equal((await call("keyed", { headers: headers as Record<string, string> })).status, 401);
  const two = { "x-api-key": good[0] as string, authorization: `Bearer ${good[1]}` };
  assert.equal((await call("keyed", { headers: two })).status, 401);
});

test("ATM-12 an automation that cannot be called is 404", async () => {
  await automate(server, "off", { body: "", enabled: false, triggers: [{ type: "webhook" }] });
  await automate(server, "hookless", { body: "", triggers: [{ type: "schedule", cron: "@daily" }] });
  const answers = await Promise.all(["unknown", "off", "hookless", "ECHO", "x%20y"].map((id) => call(id)));
  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.equal(answer.text, '{"error":{"code":404,"message":"Not found"}}');
  }
});

test("ATM-13 it is called by POST", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const answer = await server.request(method, "/automations/echo", { key: null });
    assert.equal(answer.status, 405, method);
    assert.match(answer.headers.get("allow") ?? "", /POST/);
  }
});

test("ATM-15 no more runs wait than may, and each that was accepted is stored (T111)", async () => {
  await server.makeCollection({ id: "signs", schema: "text" });
  // None of them ends before all have been sent.
  const isOver = 'ctx.objects.get("signs", "over").then(() => true, () => false)';
  const body = `while (!(await ${isOver})) await ctx.sleep(100)`;
  await automate(server, "slow", { body, triggers: [{ type: "webhook" }] });
  const answers = await Promise.all(Array.from({ length: 60 }, () => call("slow")));
  const accepted = answers.filter(({ status }) => status === 202).map(({ body }) => body.runId as string);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(accepted.length + refused.length, 60);
  assert.ok(accepted.length >= 20 && accepted.length < 40, `${accepted.length} were accepted`);
  assert.ok(refused.every(({ headers }) => headers.get("retry-after") !== null));
  const stored = new Set((await runsOf(server, "slow")).map(({ runId }) => runId));
  assert.deepEqual(
    accepted.filter((id) => !stored.has(id)),
    [],
  );
  await server.request("POST", "/api/collections/signs", { body: { id: "over", text: "x" } });
  await settledRuns(server, "slow", accepted.length);
});

test("ATM-16 bodies are limited in size and kind", async () => {
  const json = { "content-type": "application/json" };
  const large = JSON.stringify({ a: "x".repeat(1_048_576) });
  const { key } = server;
  assert.equal((await call("keyed", { raw: large, headers: json, key })).status, 413);
  const medium = JSON.stringify({ a: "x".repeat(1_000_000) });
  assert.equal((await call("keyed", { raw: medium, headers: json, key })).status, 200);
  assert.equal((await call("echo", { raw: medium, headers: json })).status, 413);
  assert.equal((await call("echo", { raw: JSON.stringify({ a: "x".repeat(250_000) }), headers: json })).status, 200);
  assert.equal((await call("echo", { raw: "<a/>", headers: { "content-type": "application/xml" } })).status, 415);
  assert.equal((await call("echo", { raw: "{", headers: json })).status, 400);
});

test("ATM-17 a handler that fails discloses only the run id", async () => {
  const body = "throw new Error('the secret reason')";
  await automate(server, "broken", { body, triggers: [{ type: "webhook", sync: true }] });
  const answer = await call("broken");
  const [run] = await runsOf(server, "broken");
  assert.equal(answer.status, 500);
  assert.deepEqual(answer.body, {
    error: { code: 500, message: `The automation failed. Run id: ${run?.runId}`, details: { runId: [run?.runId] } },
  });
  assert.equal(run?.status, "failed");
  assert.match(run?.error ?? "", /the secret reason/);
});

test("ATM-14 calls without a key are limited by address (T111)", async () => {
  await server.setSetting("automations.webhookLimit", 5);
  const headers = { "x-api-key": server.key };
  const answers = [];
  // A minute may end in between; the next one is then begun and ended.
  for (let at = 0; at < 12; at += 1) answers.push(await call(at % 2 ? "echo" : "unknown"));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && answers.length - refused.length <= 10);
  assert.match(refused[0]?.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal(refused[0]?.headers.get("x-ratelimit-limit"), "5");
  assert.equal(refused[0]?.headers.get("x-ratelimit-remaining"), "0");
  assert.ok(Number(refused[0]?.headers.get("x-ratelimit-reset")) > Date.now() / 1000 - 1);
  for (let at = 0; at < 12; at += 1) assert.equal((await call("keyed", { headers })).status, 200);
  await server.setSetting("automations.webhookLimit", 0);
});

test("ATM-18 below the Pro edition nothing fires and nothing is lost", async () => {
  await server.setSetting("edition", "standard");
  const answer = await call("echo");
  assert.equal(answer.status, 403);
  assert.match(answer.body.error.message, /Pro/);
  assert.equal((await call("unknown")).status, 403);
  await server.cli(["settings:set", "edition", "pro"]);
  assert.equal((await call("echo")).status, 200);
});
