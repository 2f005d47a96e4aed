// How much one caller may ask, and that nobody talks their way around it.

import assert from "node:assert/strict";
import { Agent } from "node:http";
import { after, before, test } from "node:test";
import { inOneMinute } from "#base/patience.fixture.ts";
import { type Answer, type RequestOptions, type Server, send, startServer } from "../../harness.ts";
import { logIn, makeUser, signIn } from "../../support/sign-in.ts";
import { testOnce } from "../../support/test-once.ts";

const limit = 20;
let server: Server;
let proxied: Server;
const agents: Agent[] = [];

before(async () => {
  const settings = { api: { rateLimit: limit } };
  [server, proxied] = await Promise.all([
    startServer({ settings }),
    startServer({ settings, env: { CAIRN_TRUST_PROXY: "127.0.0.1,10.0.0.0/8" } }),
  ]);
  await server.makeCollection({ id: "open", schema: "blog", publicOperations: ["read", "create"] });
  await makeUser(server, "root", ["admin"]);
});
after(async () => {
  for (const agent of agents) agent.destroy();
  await Promise.all([server.stop(), proxied.stop()]);
});

type Ask = (path?: string, options?: RequestOptions & { method?: string }) => Promise<Answer>;

/** Somebody without credentials, at an address that no other test uses: the whole of 127.0.0.0/8 is this machine. */
function visitor(address: string): Ask {
  const agent = new Agent({ keepAlive: true, localAddress: address });
  agents.push(agent);
  return (path = "/api/collections/open", { method = "GET", key, headers, ...options } = {}) =>
    send(agent, server.url, method, path, { ...options, headers: { ...(key && { "x-api-key": key }), ...headers } });
}

const numbers = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN));

async function refusedOf(times: number, ask: (at: number) => Promise<Answer>): Promise<number> {
  let refused = 0;
  for (let at = 0; at < times; at += 1) if ((await ask(at)).status === 429) refused += 1;
  return refused;
}

test("HTTP-93 behind a trusted proxy every name is answered", async () => {
  const { status } = await proxied.request("GET", "/api/collections", { headers: { host: "cms.example.test" } });
  assert.equal(status, 200);
});

test("RATE-1, RATE-2 an address without credentials has a number of requests a minute, then 429", async () => {
  const ask = visitor("127.0.0.10");
  await inOneMinute(async () => {
    for (let at = 1; at <= limit; at += 1) {
      const answer = await ask();
      assert.equal(answer.status, 200);
      const [shown, remaining, reset] = numbers(answer);
      assert.deepEqual([shown, remaining], [limit, limit - at]);
      assert.equal(reset, Math.ceil(Date.now() / 60_000) * 60);
    }
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.body, { error: { code: 429, message: "Too many requests" } });
    assert.deepEqual(numbers(refused).slice(0, 2), [limit, 0]);
    const wait = Number(refused.headers.get("retry-after"));
    assert.ok(wait >= 1 && wait <= 60);
    assert.equal((await ask("/api/collections/open", { method: "POST", body: { title: "x" } })).status, 429);
  });
});

test("RATE-9 guessing keys and looking for addresses is limited too, and a good key is not (T72)", async () => {
  const ask = visitor("127.0.0.11");
  await inOneMinute(async () => {
    await refusedOf(limit + 1, () => ask());
    assert.equal((await ask("/api/collections/open", { key: "cairn_wrong" })).status, 429);
    assert.equal((await ask("/api/nothing")).status, 429);
    assert.equal((await ask("/api/collections", { method: "PUT", body: {} })).status, 429);
    assert.equal((await ask("/api/collections?a[b][c][d]=1")).status, 429);
    const guess = { email: "root", password: "wrong" };
    assert.equal((await ask("/api/auth/login", { method: "POST", body: guess })).status, 429);
    assert.equal((await ask("/api/collections/open", { key: server.key })).status, 200);
    for (const path of ["/healthz", "/readyz"]) assert.equal((await ask(path)).status, 200);
  });
});

test("RATE-9 an unknown address and a wrong method count for the caller that a valid credential names", async () => {
  const ask = visitor("127.0.0.16");
  const person = await signIn(server, "root");
  const made = await server.cli(["key:create", "--name", "narrow", "--endpoints", "/collections/open", "--json"]);
  const { key: narrow } = JSON.parse(made.stdout);
  const missing = (options?: RequestOptions) => ask("/api/nothing", options);
  const wrong = (options: RequestOptions = {}) => ask("/api/collections", { method: "PUT", body: {}, ...options });
  const withSession = { headers: { cookie: person.cookie } };
  await inOneMinute(async () => {
    for (const options of [{ key: server.key }, { key: narrow }, withSession])
      for (let at = 0; at <= limit; at += 1) {
        assert.deepEqual([(await missing(options)).status, (await wrong(options)).status], [404, 405]);
      }
    assert.deepEqual(numbers(await missing({ key: narrow })).slice(0, 2), [0, 0]);
    assert.deepEqual(numbers(await ask()).slice(0, 2), [limit, limit - 1], "nothing was counted for the address");
    const wrongSession = { headers: { cookie: "cairn_session=nothing" } };
    const bad = [{ key: "cairn_wrong" }, wrongSession, { headers: { authorization: "Bearer a.b.c" } }];
    assert.equal(await refusedOf(limit + 4, (at) => missing(bad[at % 3])), 5);
    assert.equal((await wrong({ key: "cairn_wrong" })).status, 429);
    assert.equal((await missing({ key: server.key })).status, 404);
  });
  await server.cli(["settings:set", "api.keyRateLimit", "5"]);
  await inOneMinute(async () => {
    assert.equal(await refusedOf(10, () => missing({ key: narrow })), 5);
    assert.equal((await ask("/api/collections/open", { key: narrow })).status, 429);
  });
  await server.cli(["settings:set", "api.keyRateLimit", "0"]);
});

testOnce("RATE-3 nothing that a request says about its address counts (T72)", async () => {
  const ask = visitor("127.0.0.12");
  await inOneMinute(async () => {
    const names = [
      "x-forwarded-for",
      "x-real-ip",
      "x-client-ip",
      "x-originating-ip",
      "x-remote-addr",
      "cf-connecting-ip",
      "true-client-ip",
      "fastly-client-ip",
    ];
    const refused = await refusedOf(4 * limit, (at) => {
      const address = `203.0.113.${at}`;
      const spoofed = { ...Object.fromEntries(names.map((name) => [name, address])), forwarded: `for=${address}` };
      return ask(`/api/collections/open?ip=${address}&remoteAddress=${address}`, { headers: spoofed });
    });
    assert.equal(refused, 3 * limit);
    const body = { title: "x", ip: "203.0.113.200", remoteAddress: "203.0.113.200" };
    assert.equal((await ask("/api/collections/open", { method: "POST", body })).status, 429);
  });
});

testOnce("RATE-3 behind a trusted proxy the last address that no proxy holds counts (T72)", async () => {
  await inOneMinute(async () => {
    const ask = (forwarded: string) =>
      proxied.request("GET", "/api/collections", { key: null, headers: { "x-forwarded-for": forwarded } });
    // What the client wrote stands before what the proxies added.
    assert.equal(await refusedOf(limit + 5, (at) => ask(`203.0.113.${at}, 198.51.100.1, 10.0.0.7`)), 5);
    assert.equal((await ask("198.51.100.1")).status, 429);
    assert.notEqual((await ask("198.51.100.2")).status, 429);
    // One IPv6 network is one caller.
    assert.equal(await refusedOf(limit + 5, (at) => ask(`2001:db8::${at.toString(16)}:1`)), 5);
    assert.notEqual((await ask("2001:db8:0:1::1")).status, 429);
    // What is no address counts for the proxy itself.
    assert.equal(await refusedOf(limit + 5, (at) => ask(`garbage-${at}`)), 5);
  });
});

testOnce("RATE-2 every answer of the API carries the headers", async () => {
  const ask = visitor("127.0.0.14");
  await inOneMinute(async () => {
    const person = await signIn(server, "root");
    const answers: Record<string, Answer> = {
      key: await server.request("GET", "/api/collections/open"),
      head: await server.request("HEAD", "/api/collections/open"),
      session: await person.request("GET", "/api/auth/session"),
      "no csrf": await person.request("DELETE", "/api/collections/open/x", { headers: { "x-csrf-token": "no" } }),
      created: await server.request("POST", "/api/collections/open", { body: { id: "one", title: "One" } }),
      anonymous: await ask(),
      "not allowed": await ask("/api/settings/general"),
      "bad key": await ask("/api/collections", { key: "cairn_no" }),
      "bad query": await server.request("GET", "/api/collections?a[__proto__]=1"),
      "bad path": await server.request("GET", "/api/collections/%zz"),
      "bad body": await server.request("POST", "/api/collections/open", {
        raw: "{",
        headers: { "content-type": "application/json" },
      }),
      unknown: await server.request("GET", "/api/nothing/here"),
      method: await server.request("PATCH", "/api/collections", { body: {} }),
      preflight: await server.request("OPTIONS", "/api/collections", {
        key: null,
        headers: { origin: "https://a.test" },
      }),
      unprefixed: await server.request("GET", "/collections"),
      missing: await server.request("GET", "/api/collections/open/nothing"),
      openapi: await server.request("GET", "/api/openapi.json"),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const [shown, remaining, reset] = numbers(answer) as [number, number, number];
      assert.ok(shown === 0 || shown === limit, name);
      assert.ok(remaining >= 0 && remaining <= shown, name);
      assert.ok(reset * 1_000 > Date.now() - 1_000 && reset * 1_000 <= Date.now() + 60_000, name);
    }
    for (const name of ["key", "session", "created", "missing"])
      assert.equal(numbers(answers[name] as Answer)[0], 0, name);
    for (const name of ["anonymous", "bad key", "preflight"])
      assert.equal(numbers(answers[name] as Answer)[0], limit, name);
    assert.equal((await ask("/healthz")).headers.get("x-ratelimit-limit"), null);
  });
});

test("RATE-4, RATE-5 limits change while the server runs; 0 switches one off (T73)", async () => {
  const ask = visitor("127.0.0.15");
  assert.equal((await server.cli(["settings:set", "api.rateLimit", "0"])).code, 0);
  const statuses = new Set<number>();
  for (let at = 0; at < 500; at += 1) statuses.add((await ask()).status);
  assert.deepEqual([...statuses], [200]);
  assert.deepEqual(numbers(await ask()).slice(0, 2), [0, 0]);
  await inOneMinute(async () => {
    assert.equal((await server.request("PUT", "/api/settings/api", { body: { rateLimit: 3 } })).status, 200);
    assert.equal(await refusedOf(10, () => ask()), 7);
    assert.equal((await server.request("PUT", "/api/settings/api", { body: { rateLimit: limit } })).status, 200);
  });
});

test("RATE-4 a key and a signed-in user have limits of their own, off until they are set", async () => {
  const person = await signIn(server, "root");
  const { key } = JSON.parse((await server.cli(["key:create", "--name", "other", "--json"])).stdout);
  assert.equal(await refusedOf(50, () => server.request("GET", "/api/collections/open", { key })), 0);
  assert.equal(await refusedOf(50, () => person.request("GET", "/api/collections/open")), 0);
  await server.cli(["settings:set", "api.keyRateLimit", "10"]);
  await server.cli(["settings:set", "api.sessionRateLimit", "15"]);
  await inOneMinute(async () => {
    assert.equal(await refusedOf(30, () => server.request("GET", "/api/collections/open", { key })), 20);
    assert.equal(await refusedOf(30, () => person.request("GET", "/api/collections/open")), 15);
    assert.equal((await server.request("GET", "/api/collections/open")).status, 200, "another key");
  });
  await server.cli(["settings:set", "api.keyRateLimit", "0"]);
  await server.cli(["settings:set", "api.sessionRateLimit", "0"]);
});

testOnce("RATE-12 a limit is a whole number, a window a duration", async () => {
  for (const body of [{ rateLimit: -1 }, { rateLimit: 1.5 }, { rateLimit: "5" }])
    assert.equal((await server.request("PUT", "/api/settings/api", { body })).status, 400);
  for (const loginWindow of ["15", "", "P1Y", "PT0S", 15])
    assert.equal((await server.request("PUT", "/api/settings/auth", { body: { loginWindow } })).status, 400);
  assert.equal((await server.request("PUT", "/api/settings/auth", { body: { loginWindow: "PT10M" } })).status, 200);
});

test("RATE-11 one address that tries many accounts is stopped (T61)", async () => {
  await server.cli(["settings:set", "api.rateLimit", "0"]);
  await server.cli(["settings:set", "auth.addressLimit", "12"]);
  const refused = await refusedOf(20, (at) =>
    logIn(server, { email: `user-${at}@example.test`, password: "Summer2026" }),
  );
  assert.equal(refused, 8);
  assert.equal((await logIn(server, { email: "root", password: "wrong" })).status, 429);
});

test("RATE-10 concurrent attempts and a restart do not bypass the limit (T61)", async () => {
  await server.cli(["settings:set", "auth.addressLimit", "0"]);
  await makeUser(server, "ada");
  const attempts = () => Promise.all(Array.from({ length: 25 }, () => logIn(server, { email: "ada", password: "no" })));
  const statuses = (await attempts()).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  await server.restart();
  assert.ok((await attempts()).every(({ status }) => status === 429));
});

testOnce("RATE-15 a wrong key takes as long whichever character is wrong (T71)", async () => {
  const { key } = server;
  const swap = (at: number) => key.slice(0, at) + (key[at] === "A" ? "B" : "A") + key.slice(at + 1);
  const wrong = [swap(6), swap(key.length - 1)] as const;
  // A busy machine may spoil a try; a difference in the work itself shows in all of them.
  let difference = 1;
  const times: [number[], number[]] = [[], []];
  for (let tries = 0; tries < 6 && difference >= 0.15; tries += 1) {
    for (let round = 0; round < 400; round += 1) {
      for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const started = performance.now();
        await server.request("GET", "/api/collections/open", { key: wrong[at] });
        times[at].push(performance.now() - started);
      }
    }
    const [first, last] = times.map((list) => list.toSorted((a, b) => a - b)[list.length >> 1] as number) as [
      number,
      number,
    ];
    difference = Math.abs(first - last) / last;
  }
  assert.ok(difference < 0.15, `${difference}`);
});
