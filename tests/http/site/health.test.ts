// For those who run the service: alive, ready, measured.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
before(async () => {
  // What is queued stays in the queue.
  server = await startServer({ settings: { jobs: { runInServer: false } } });
});
after(() => server.stop());

test("HTTP-70, HTTP-71 a running service is alive and ready, for all callers", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    for (const key of [null, "junk"]) {
      const answer = await server.request("GET", path, { key });
      assert.deepEqual([answer.status, answer.body], [200, { status: "ok" }], path);
    }
  }
});

test("HTTP-72 requests are counted by route and status", async () => {
  const count = async () => {
    const { text } = await server.request("GET", "/metrics");
    const line =
      /^cairn_http_request_duration_seconds_count\{method="GET",route="\/api\/collections\/:collection\/:id",status="404"\} (\d+)$/m;
    return Number(line.exec(text)?.[1] ?? 0);
  };
  const before = await count();
  for (let i = 0; i < 3; i += 1) await server.request("GET", `/api/collections/blog/none-${i}`);
  assert.equal(await count(), before + 3);
  const { text, headers } = await server.request("GET", "/metrics");
  assert.match(headers.get("content-type") ?? "", /^text\/plain/);
  assert.match(text, /^cairn_http_request_duration_seconds_bucket\{.*le="\+Inf"\} \d+$/m);
  assert.match(text, /^cairn_nodejs_eventloop_lag_seconds /m);
  assert.match(text, /^cairn_process_resident_memory_bytes /m);
  // From the start of the process, which alone takes more, and not from the first look.
  assert.ok(Number(/^cairn_process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]) > 0.1);
});

test("HTTP-72 buckets add up to the count", async () => {
  const { text } = await server.request("GET", "/metrics");
  const series = [
    ...text.matchAll(/_seconds_bucket\{method="GET",route="\/healthz",status="200",le="([^"]+)"\} (\d+)/g),
  ];
  const values = series.map(([, , value]) => Number(value));
  assert.ok(values.length > 5, text.slice(0, 300));
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
});

test("HTTP-85 the event loop and the lanes of queries have metrics", async () => {
  const read = async (name: string) => {
    const { text } = await server.request("GET", "/metrics");
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  };
  const before = await read('cairn_queries_total{lane="quick"}');
  await server.request("GET", "/api/collections/blog?limit=7");
  assert.ok(
    (await read('cairn_queries_total{lane="quick"}')) + (await read('cairn_queries_total{lane="slow"}')) > before,
  );
  assert.equal(await read('cairn_queries_waiting{lane="slow"}'), 0);
  assert.ok((await read('cairn_event_loop_held_seconds_bucket{le="+Inf"}')) > 0);
  assert.ok((await read('cairn_event_loop_held_max_seconds{by="work"}')) >= 0);
  for (const reason of ["stopped", "cancelled", "busy", "budget", "cut", "thread"])
    assert.ok((await read(`cairn_queries_ended_total{reason="${reason}"}`)) >= 0);
});

test("HTTP-73 figures are for keys that reach them, wherever the caller is", async () => {
  const ask = (key: string | null, headers: Record<string, string> = {}) =>
    server.request("GET", "/metrics", { key, headers });
  const made = async (endpoint: string) => (await server.makeKey({ endpoints: [endpoint] })).key;
  assert.equal((await ask(null)).status, 401);
  assert.equal((await ask(null, { host: "127.0.0.1:8080" })).status, 401);
  assert.equal((await ask(null, { "x-forwarded-for": "127.0.0.1" })).status, 401);
  assert.equal((await ask("junk")).status, 401);
  assert.equal((await ask(await made("/collections"))).status, 401);
  assert.equal((await ask(server.key, { "x-forwarded-for": "10.0.0.1" })).status, 200);
  const collector = await made("/metrics");
  assert.equal((await ask(null, { authorization: `Bearer ${collector}` })).status, 200);
});

test("HTTP-73 a setting opens the figures to callers on the machine, not to proxies nor to rebound names", async () => {
  const ask = async (headers: Record<string, string> = {}) =>
    (await server.request("GET", "/metrics", { key: null, headers })).status;
  await server.setSetting("metrics.openOnLoopback", true);
  assert.equal(await ask(), 200);
  assert.equal(await ask({ host: "localhost:8080" }), 200);
  assert.equal(await ask({ "x-forwarded-for": "127.0.0.1" }), 401);
  assert.equal(await ask({ forwarded: "for=127.0.0.1" }), 401);
  assert.equal(await ask({ host: "evil.example" }), 403);
  await server.setSetting("metrics.openOnLoopback", null);
  assert.equal(await ask(), 401);
});

test("HTTP-75 the metrics show queued jobs, by kind", async () => {
  const code = "export default async () => new Promise(() => {});";
  const automation = {
    id: "slow",
    name: "Slow",
    handler: code,
    triggers: [{ id: "w", type: "webhook", auth: "none" }],
  };
  const saved = await server.request("POST", "/api/collections/automations", { body: automation });
  assert.equal(saved.status, 201, saved.text);
  for (let at = 0; at < 3; at += 1) {
    const { status, text } = await server.request("POST", "/automations/slow", { body: {} });
    assert.equal(status, 202, text);
  }
  const { text } = await server.request("GET", "/metrics");
  const figure = (kind: string, state: string) =>
    Number(new RegExp(`^cairn_queue_jobs\\{kind="${kind}",state="${state}"\\} (\\d+)$`, "m").exec(text)?.[1]);
  assert.deepEqual([figure("automation", "waiting"), figure("automation", "running")], [3, 0]);
  for (const kind of ["mail.send", "webhook.deliver", "import"]) assert.equal(figure(kind, "waiting"), 0, kind);
  assert.match(text, /^cairn_queue_delay_seconds\{kind="automation"\} \d/m);
});
