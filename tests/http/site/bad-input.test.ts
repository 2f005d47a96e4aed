// Bad input: whatever is sent, the answer is a clear 4xx, nothing breaks and nothing leaks.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { leastTime, patience } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { maxGrowth, maxTurn, reportTurns, type Turns } from "../../support/turns.ts";

const turns = reportTurns();
let server: Server;
let idle: Turns;
const list = "/api/collections/items";
const json = { "content-type": "application/json" };

before(async () => {
  server = await startServer({ env: turns.env, settings: { api: { maxBodySize: 1_000_000 } } });
  await server.makeSchema({
    id: "item",
    properties: {
      title: { type: "string", field: "text" },
      count: { type: "number", field: "number" },
      tags: { type: "list", field: "list" },
      deck: { type: "deck", field: "deck" },
      card: { type: "card", field: "card" },
      secret: { type: "password", field: "password" },
    },
    required: [],
    index: ["title", "count", "tags"],
  });
  await server.makeCollection({ id: "items", schema: "item" });
  await server.request("POST", list, { body: { id: "one", title: "One", count: 1 } });
  idle = await turns.take(server);
});
after(async () => {
  await server.stop();
  turns.remove();
});

function assertClean(answer: Answer, what: string): void {
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text}`);
  // What succeeds may speak of SQLite: the list of settings does.
  if (answer.status < 400) return;
  assert.doesNotMatch(answer.text, /node_modules|\/src\/|\.ts:|at [\w.]+ \(|SQLITE|select .* from|Error:/i, what);
}

for (const [what, body] of [
  ["broken JSON", '{"title":'],
  ["bare words", "title=1"],
  ["a byte order mark", '\ufeff{"title":"x"}'],
  ["100,000 open brackets", "[".repeat(100_000)],
  ["100,000 nested objects", '{"a":'.repeat(100_000)],
  ["1e400", '{"count":1e400}'],
  ["half a surrogate pair", '{"title":"\\ud800"}'],
  ["__proto__", '{"__proto__":{"polluted":1}}'],
  ["nested __proto__", '{"card":{"__proto__":{"polluted":1}}}'],
  ["constructor", '{"constructor":{"prototype":{"polluted":1}}}'],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
  ["a list", "[]"],
  ["a number", "7"],
  ["null", "null"],
  ["nothing", ""],
] as const)
  test(`HTTP-21, HTTP-25 a body of ${what} is 400, quickly (T13, T9)`, async () => {
    const refuse = async () => {
      for (const [method, path] of [
        ["POST", list],
        ["PUT", `${list}/one`],
        ["PATCH", `${list}/one`],
      ] as const) {
        const answer = await server.request(method, path, { raw: body, headers: json });
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.body.error.code, 400);
        assertClean(answer, what);
      }
    };
    assert.ok((await leastTime(900, refuse)) < 900);
    assert.equal((await server.request("GET", `${list}/one`)).text.includes("polluted"), false);
  });

test("HTTP-21 keys given twice have one reading: the last (T13)", async () => {
  const answer = await server.request("PATCH", `${list}/one`, { raw: '{"title":"a","title":"One"}', headers: json });
  assert.equal(answer.body.data.title, "One");
});

test("HTTP-20 other JSON types are read", async () => {
  const headers = { "content-type": "application/merge-patch+json; charset=utf-8" };
  assert.equal((await server.request("PATCH", `${list}/one`, { raw: '{"count":2}', headers })).status, 200);
});

test("HTTP-22 a body over the limit is 413 and closes the connection (T13)", async () => {
  const raw = Buffer.alloc(50_000_000, 0x61);
  const refuse = async () => {
    const big = await server.request("POST", list, { raw, headers: json });
    assert.deepEqual([big.status, big.body.error.code, big.headers.get("connection")], [413, 413, "close"]);
  };
  assert.ok((await leastTime(1_000, refuse)) < 1_000);
  const read = await sendEndlessly("transfer-encoding: chunked\r\n");
  assert.match(read.text, /^HTTP\/1\.1 413 /);
  assert.equal((await server.request("GET", `${list}/one`)).status, 200);
});

/** Sends a body without end; resolves with the answer once the other side has closed. */
function sendEndlessly(header: string): Promise<{ text: string; sent: number }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done) => {
    let sent = 0;
    let text = "";
    const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`;
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${list} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${server.key}\r\ncontent-type: application/json\r\n${header}\r\n`,
      );
      const more = () => {
        while (!socket.destroyed && sent < 50_000_000) {
          sent += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on("drain", more);
      more();
    });
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.on("error", () => {});
    socket.on("end", () => socket.destroy());
    socket.on("close", () => done({ text, sent }));
  });
}

test("HTTP-22 a refused stream is not read to its end", async () => {
  const { sent } = await sendEndlessly("transfer-encoding: chunked\r\n");
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`);
});

for (const type of [
  "text/plain",
  "text/html",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "nonsense",
  undefined,
])
  test(`HTTP-23 a body of type ${type} is 415`, async () => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const answer = await server.request("PUT", `${list}/x`, { raw: '{"title":"x"}', headers });
    assert.deepEqual([answer.status, answer.body.error.code], [415, 415]);
  });

test("HTTP-24 compressed bodies are 415 (T14)", async () => {
  for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, identity", "x"]) {
    const headers = { ...json, "content-encoding": encoding };
    const answer = await server.request("POST", list, { raw: Buffer.alloc(500_000), headers });
    assert.equal(answer.status, 415, encoding);
  }
});

test("HTTP-25 routes that need no body take none", async () => {
  for (const path of ["clone", "count/increment"]) {
    assert.equal((await server.request("POST", `${list}/one/${path}`)).status, 200);
    assert.equal((await server.request("POST", `${list}/one/${path}`, { raw: "", headers: json })).status, 200);
  }
});

test("HTTP-11 bad query strings are 400 (T9)", async () => {
  for (const query of [
    "filter[__proto__][polluted]=1",
    "constructor[prototype][polluted]=1",
    "__proto__=1",
    "a=%",
    "a=%ff",
    "a=%00",
    "a[b][c][d]=1",
    `${"a=1&".repeat(300)}`,
    "filter=1&filter[title]=2",
  ]) {
    for (const path of [list, `${list}/query`, `${list}/one`, "/api/schemas"]) {
      const answer = await server.request("GET", `${path}?${query}`);
      assert.equal(answer.status, 400, `${path}?${query.slice(0, 40)}`);
      assertClean(answer, query);
    }
  }
  assert.equal((await server.request("GET", `${list}?${"a".repeat(15_000)}`)).status, 200);
  assert.equal((await server.request("GET", `${list}?${"a".repeat(20_000)}`)).status, 431);
});

const segments = [
  ["%2e%2e%2f", 400],
  ["..%5c..", 400],
  ["%2e%2e", 400],
  ["%00", 400],
  ["a%0ab", 400],
  ["%7f", 400],
  ["a%2fb", 400],
  ["%252e%252e", 404],
  ["%252fetc", 404],
  ["a;b", 404],
  ["%zz", 400],
  ["%", 400],
  ["%c3%28", 400],
  ["x".repeat(300), 404],
  ["x".repeat(600), 404],
  ["%F0%9F%98%80", 404],
  ["~", 404],
] as const;
for (const [segment, status] of segments)
  test(`HTTP-12, HTTP-13 the segment ${segment.slice(0, 20)} is ${status} in every place (T19)`, async () => {
    for (const path of [
      `/api/collections/${segment}`,
      `${list}/${segment}`,
      `/api/collections/${segment}/one`,
      `/api/schemas/${segment}`,
      `/api/settings/${segment}`,
      `${list}/one/deck/deck/${segment}`,
      `/api/export/collections/${segment}`,
      `/api/report/collections/${segment}/fields`,
    ]) {
      const answer = await server.request("GET", path);
      assert.equal(answer.status, status, path);
      assertClean(answer, path);
    }
    for (const path of [`${list}/${segment}/title`, `${list}/one/${segment}`, `${list}/one/photos/${segment}`]) {
      const answer = await server.request("PUT", path, { body: {} });
      assert.equal(answer.status, status, path);
    }
  });

test("HTTP-27 requests that could be read in two ways are refused (T28)", async () => {
  const start = `POST ${list} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nx-api-key: ${server.key}\r\n`;
  const smuggled = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const request of [
    `${start}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n${smuggled}`,
    `${start}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`,
    `${start}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${smuggled}`,
    `${start}Transfer-Encoding: xchunked\r\n\r\n${smuggled}`,
    `${start}X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`,
    `${start}Content-Length: -1\r\n\r\n{}`,
    "GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: 1\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01",
  ]) {
    const answer = await exchange(request);
    assert.match(answer, /^HTTP\/1\.1 400 /, request);
    assert.equal(answer.split("HTTP/1.1 ").length, 2, request);
    assert.doesNotMatch(answer, /HPE_|Parse Error/);
  }
});

function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => done(text));
    socket.setTimeout(patience, () => socket.destroy());
  });
}

test("HTTP-2, HTTP-3 all errors have one shape and disclose nothing internal (T24)", async () => {
  const answers: [number, Answer][] = [
    [400, await server.request("POST", list, { raw: "{", headers: json })],
    [400, await server.request("GET", `${list}?sort=title;--`)],
    [400, await server.request("GET", `${list}?filter[title')]=1`)],
    [400, await server.request("GET", `${list}?filter[secret]=x`)],
    [401, await server.request("GET", list, { key: null })],
    [404, await server.request("GET", `${list}/none`)],
    [405, await server.request("PUT", "/api/openapi.json", { body: {} })],
    [412, await server.request("PATCH", `${list}/one`, { body: {}, headers: { "if-match": '"old"' } })],
    [415, await server.request("POST", list, { raw: "x", headers: { "content-type": "text/plain" } })],
    [400, await server.request("POST", "/api/import/collections/items/json", { raw: "{", headers: json })],
    [422, await server.request("POST", "/api/import/collections/items/json", { raw: "{}", headers: json })],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(Object.keys(answer.body), ["error"]);
    assert.equal(answer.body.error.code, status);
    assert.equal(typeof answer.body.error.message, "string");
    assertClean(answer, String(status));
  }
});

/** A small generator of numbers, so that a failing run can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const seed = Number(process.env.CAIRN_TEST_SEED ?? 20_261_115);
const rounds = Number(process.env.CAIRN_TEST_REQUESTS ?? 3_000);

test(`HTTP-3 ${rounds} made-up bad requests (seed ${seed}) give no 5xx and stop nothing`, async () => {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const { pid } = server;
  const words = [
    "items",
    "one",
    "title",
    "deck",
    "card",
    "count",
    "query",
    "index",
    "schema",
    "settings",
    "clone",
    "increment",
    "api",
    "collections",
    "schemas",
    "import",
    "export",
    "report",
    "json",
    "csv",
    "fields",
    "%00",
    "..",
    "%2e%2e%2f",
    "%zz",
    "__proto__",
    "constructor",
    "-1",
    "1e400",
    "x".repeat(250),
    "%F0%9F%98%80",
    "a;b",
    "'",
    '"',
    "{}",
    "*",
    "%ff",
    "\\",
    "~",
    "null",
    "",
  ];
  const odd: unknown[] = [
    null,
    true,
    0,
    -1,
    1e308,
    "",
    "x".repeat(5_000),
    "\u0000",
    "\u202e",
    "2020-13-45",
    [],
    [[]],
    {},
    { id: {} },
    [null],
    { a: { b: { c: [] } } },
    "'; drop table objects; --",
    "<script>",
    "__proto__",
    0.1,
    [1, "a", {}],
    { constructor: 1 },
  ];
  const properties = [
    "id",
    "title",
    "count",
    "tags",
    "deck",
    "card",
    "secret",
    "created",
    "modified",
    "name",
    "properties",
    "required",
    "index",
    "schema",
    "inheritFrom",
    "publicOperations",
    "groups",
    "url",
    "mcp",
    "zzz",
  ];
  const parameters = [
    "limit",
    "offset",
    "sort",
    "order",
    "search",
    "filter[title]",
    "filter[count][gt]",
    "filter[zzz]",
    "include",
    "exclude",
    "format",
    "cursor",
    "fields",
    "fields[]",
    "raw",
    "path",
    "confirm",
    "filter",
    "filter[title][bad]",
    "template",
  ];
  const prefixes = [
    "/api/collections",
    "/api/objects",
    "/collections",
    "/api/schemas",
    "/api/report/collections",
    "/api/export",
    "/api/import",
    "/api/settings",
    "/api",
    "",
  ];
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const types = [
    "application/json",
    "application/json",
    "application/json",
    "text/csv",
    "multipart/form-data; boundary=b",
    "text/plain",
    "",
  ];

  function make(): [string, string, { raw?: string; headers: Record<string, string> }] {
    const depth = Math.floor(random() * 6);
    const path = `${pick(prefixes)}/${Array.from({ length: depth }, () => pick(words)).join("/")}`;
    const asked = Array.from(
      { length: Math.floor(random() * 4) },
      () => `${pick(parameters)}=${encodeURIComponent(String(pick(odd)))}`,
    );
    const body =
      random() < 0.2 ? pick(odd) : Object.fromEntries(Array.from({ length: 4 }, () => [pick(properties), pick(odd)]));
    const text = JSON.stringify(body);
    const headers: Record<string, string> = {};
    const type = pick(types);
    if (type) headers["content-type"] = type;
    if (random() < 0.1) headers["if-match"] = pick(['"x"', "*", "x", '""', ","]);
    if (random() < 0.1) headers["if-none-match"] = pick(['"x"', "*", "x", "W/"]);
    const method = pick(methods);
    const hasBody = method !== "GET" && method !== "HEAD" && random() < 0.8;
    const raw = random() < 0.1 ? text.slice(0, -1) : text;
    // Nothing may take the ground away from under the test.
    const target = asked.length > 0 ? `${path}?${asked.join("&")}` : path;
    const isFatal = method === "DELETE" && /^\/(api\/)?(collections|objects)\/items(\/one)?\/?(\?|$)/.test(target);
    return [
      isFatal ? "GET" : method,
      target.replaceAll(" ", "%20"),
      hasBody && !isFatal ? { raw, headers } : { headers: {} },
    ];
  }

  for (let done = 0; done < rounds; done += 30) {
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const [method, path, options] = make();
        const start = performance.now();
        const answer = await server.request(method, path, options);
        assertClean(answer, `${method} ${path} ${options.raw?.slice(0, 300)}`);
        assert.ok(answer.headers.get("x-request-id"));
        assert.ok(performance.now() - start < patience, `${method} ${path} hung`);
      }),
    );
  }
  assert.equal(server.pid, pid);
  assert.equal((await server.request("GET", "/healthz")).status, 200);
});

test("BOUND-8, BOUND-9 nothing of all this held the event loop or filled the heap", async (t) => {
  const { repeated, during, peak } = await turns.take(server);
  t.diagnostic(`${during.join("; ")}, ${peak - idle.held} bytes`);
  assert.ok(repeated < maxTurn, during.join("; "));
  assert.ok(peak - idle.held < maxGrowth, `${peak - idle.held} bytes`);
});
