// The endpoint as HTTP sees it: methods, messages, versions, origins, limits, discovery.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type RequestOptions, type Server, startServer } from "../harness.ts";
import { alone, opening } from "./event-stream.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0, maxBodySize: 100_000 } } });
  await server.makeSchema({ id: "note", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "notes", schema: "note", mcp: { access: "public", resource: true } });
  await server.request("POST", "/api/collections/notes", { body: { id: "a", title: "Stone" } });
});
after(() => server.stop());

const accept = "application/json, text/event-stream";

/** By default with the full key. */
function post(body: unknown, headers: Record<string, string> = {}, more: RequestOptions = {}): Promise<Answer> {
  return server.request("POST", "/mcp", { body, ...more, headers: { accept, ...headers } });
}

function read({ text, body }: Answer) {
  return body ?? JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? "null");
}

async function begin(version = "2025-11-25", capabilities: object = {}): Promise<Record<string, string>> {
  const answer = await post(opening(version, capabilities));
  assert.equal(answer.status, 200, answer.text);
  const id = answer.headers.get("mcp-session-id") ?? "";
  return { "mcp-session-id": id, "mcp-protocol-version": version };
}

async function set(values: Record<string, unknown>): Promise<void> {
  assert.equal((await server.request("PUT", "/api/settings/mcp", { body: values })).status, 200);
}

test("MCP-1 the endpoint has three methods, and nothing below it", async () => {
  for (const method of ["PUT", "PATCH"]) {
    const { status, headers, body } = await server.request(method, "/mcp", { body: {} });
    assert.equal(status, 405, method);
    assert.equal(headers.get("allow"), "DELETE, GET, HEAD, POST, OPTIONS");
    assert.deepEqual(body, { jsonrpc: "2.0", error: { code: -32_000, message: "Method not allowed" }, id: null });
  }
  for (const path of ["/mcp/x", "/mcp/.well-known/oauth-protected-resource", "/mcp/a/b"]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status, body } = await server.request(method, path, method === "POST" ? { body: {} } : {});
      assert.equal(status, 404, `${method} ${path}`);
      assert.equal(body.jsonrpc, "2.0");
    }
  }
  const slashed = await server.request("POST", "/mcp/", { body: opening("2025-11-25"), headers: { accept } });
  assert.equal(slashed.status, 200);
});

test("MCP-2 the newest revision needs no session, older ones are asked for by name", async () => {
  const discover = await post(alone("server/discover").body, alone("server/discover").headers);
  assert.deepEqual(discover.body.result.supportedVersions, ["2026-07-28"]);
  assert.equal(discover.headers.get("mcp-session-id"), null);
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
    const answer = await post(opening(version));
    assert.equal(read(answer).result.protocolVersion, version);
    assert.match(answer.headers.get("mcp-session-id") ?? "", /^[\w-]{32,}$/);
  }
  assert.equal(read(await post(opening("1999-01-01"))).result.protocolVersion, "2025-11-25");
});

test("MCP-5 the plain way and the library's give the same answers", async () => {
  const session = await begin();
  const calls: [string, object][] = [
    ["get_object", { collection: "notes", id: "a" }],
    ["get_object", { collection: "notes", id: "nowhere" }],
    ["get_object", { collection: 7 }],
    ["list_collections", {}],
    ["query_collection", { collection: "notes" }],
  ];
  for (const [name, args] of calls) {
    const params = { name, arguments: args };
    const call = (meta?: object) => ({
      jsonrpc: "2.0",
      id: "same",
      method: "tools/call",
      params: { ...params, ...(meta && { _meta: meta }) },
    });
    const plain = await post(call(), session);
    assert.match(plain.headers.get("content-type") ?? "", /^application\/json/);
    const streamed = await post(call({ progressToken: 1 }), session);
    assert.match(streamed.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.deepEqual(read(plain), read(streamed), name);

    const short = alone("tools/call", params);
    const long = alone("tools/call", params, { progressToken: 1 });
    const [first, second] = [await post(short.body, short.headers), await post(long.body, long.headers)];
    assert.deepEqual(first.body, second.body, name);
    assert.equal(first.body.result.resultType, "complete");
  }
  const gone = { "mcp-session-id": "x", "mcp-protocol-version": "2025-11-25" };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_collections" } };
  assert.equal((await post(call, gone)).status, 404);
  assert.equal((await post(call, { ...session, "mcp-protocol-version": "1999-01-01" })).status, 400);
  assert.equal((await post(call, session, { key: null })).status, 401);
});

test("MCP-5 writes that stand alone get the same answers in the plain way and the library's", async () => {
  const both = async (name: string, [first, second]: [object, object]) => {
    const short = alone("tools/call", { name, arguments: first });
    const long = alone("tools/call", { name, arguments: second }, { progressToken: 1 });
    return [(await post(short.body, short.headers)).body, (await post(long.body, long.headers)).body];
  };
  const failing: [string, object][] = [
    ["create_object", { collection: "notes", id: "a", data: {} }],
    ["create_object", { collection: "nowhere", data: {} }],
    ["patch_object", { collection: "notes", id: "nowhere", data: {} }],
    ["delete_object", { collection: "notes" }],
  ];
  for (const [name, args] of failing) {
    const [plain, streamed] = await both(name, [args, args]);
    assert.deepEqual(plain, streamed, name);
    assert.equal(plain.result.isError, true, name);
  }
  const made = (id: string) => ({ collection: "notes", id, data: {} });
  const [plain, streamed] = await both("create_object", [made("plain"), made("other")]);
  const shapeOf = ({ structuredContent, content, ...rest }: Record<string, object>) => [
    rest,
    Object.keys(structuredContent as object),
    Object.keys(content as object),
  ];
  assert.deepEqual(shapeOf(plain.result), shapeOf(streamed.result));
  assert.equal(plain.result.structuredContent.id, "plain");
  assert.deepEqual(JSON.parse(plain.result.content[0].text), plain.result.structuredContent);
  for (const id of ["plain", "other"])
    assert.equal((await server.request("DELETE", `/api/collections/notes/${id}`)).status, 204);
});

test("MCP-6 MCP-9 malformed messages get the right code and never a 5xx (T107)", async () => {
  const session = await begin();
  const raw = (text: string, headers = session) =>
    server.request("POST", "/mcp", { raw: text, headers: { accept, "content-type": "application/json", ...headers } });
  const cases: [string, number, number][] = [
    ["{bad", 400, -32_700],
    ["", 400, -32_700],
    ["{}", 400, -32_600],
    ["null", 400, -32_600],
    ["7", 400, -32_600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
    ['{"jsonrpc":"2.0","id":1,"method":"nope/never"}', 200, -32_601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}', 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"zzz"}}', 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"cairn://no/"}}', 200, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"no"}}', 200, -32_602],
    [`${"[".repeat(200)}${"]".repeat(200)}`, 400, -32_700],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}', 400, -32_700],
  ];
  for (const [text, status, code] of cases) {
    const answer = await raw(text);
    assert.deepEqual([answer.status, read(answer)?.error?.code], [status, code], text.slice(0, 80));
  }
  const right = alone("tools/list");
  const changes: [Record<string, string>, number][] = [
    [{ "mcp-method": "prompts/list" }, -32_020],
    [{ "mcp-protocol-version": "2025-11-25" }, -32_020],
    [{ "mcp-method": "TOOLS/LIST" }, -32_020],
  ];
  for (const [change, code] of changes) {
    const answer = await post(right.body, { ...right.headers, ...change });
    assert.deepEqual([answer.status, answer.body.error.code], [400, code], JSON.stringify(change));
  }
  const unknown = alone("nope/never");
  assert.equal((await post(unknown.body, unknown.headers)).body.error.code, -32_601);
});

test("MCP-7 a version that is not spoken is refused", async () => {
  const session = await begin();
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  assert.equal((await post(ping, session)).status, 200);
  for (const version of ["1999-01-01", "2027-01-01", "x"]) {
    assert.equal((await post(ping, { ...session, "mcp-protocol-version": version })).status, 400, version);
    assert.equal((await post(opening("2025-11-25"), { "mcp-protocol-version": version })).status, 400, version);
    const headers = { ...session, accept: "text/event-stream", "mcp-protocol-version": version };
    assert.equal((await server.request("GET", "/mcp", { headers })).status, 400, version);
  }
});

test("MCP-8 several messages at once are for the revision that has them (T107)", async () => {
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  for (const version of ["2025-11-25", "2025-06-18"]) {
    const answer = await post([ping(1), ping(2)], await begin(version));
    assert.deepEqual([answer.status, answer.body.error.code], [400, -32_600], version);
  }
  assert.equal((await post([ping(1)])).status, 400);
  const session = await begin("2025-03-26");
  const both = await post([ping(1), ping(2)], session);
  assert.deepEqual([both.status, both.text.match(/"result":\{\}/g)?.length], [200, 2]);
  for (const bad of [[], [ping(1), ping(1)], Array.from({ length: 200 }, (_, at) => ping(at))]) {
    assert.equal((await post(bad, session)).status, 400);
  }
  assert.equal((await post([{ ...opening("2025-03-26") }], session)).status, 400);
});

test("MCP-10 bodies have a size and a type, and refusals a shape", async () => {
  const large = await post({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(100_000) } });
  assert.deepEqual([large.status, large.body.jsonrpc, large.body.id], [413, "2.0", null]);
  const headers = { accept, "content-type": "text/plain" };
  assert.equal((await server.request("POST", "/mcp", { raw: "{}", headers })).status, 415);
  const zipped = { accept, "content-type": "application/json", "content-encoding": "gzip" };
  assert.equal((await server.request("POST", "/mcp", { raw: "{}", headers: zipped })).status, 415);
  const narrow = await post(opening("2025-11-25"), { accept: "application/json" });
  assert.equal(narrow.status, 406);
});

test("MCP-11 a request under an id that is being answered is refused (T102)", async () => {
  const session = await begin();
  const list = { jsonrpc: "2.0", id: 5, method: "tools/list" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(list, session)));
  for (const answer of answers) {
    assert.ok(answer.status === 200 || answer.status === 400, String(answer.status));
    if (answer.status === 200) assert.equal(read(answer).id, 5);
  }
  assert.ok(answers.some(({ status }) => status === 200));
});

test("MCP-20 MCP-22 a session begins, is needed, and ends", async () => {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  assert.equal((await post(ping)).status, 400);
  assert.equal((await server.request("GET", "/mcp", { headers: { accept } })).status, 400);
  assert.equal((await server.request("DELETE", "/mcp")).status, 400);
  for (const id of ["x", "x".repeat(5_000), "../../x"]) {
    const answer = await post(ping, { "mcp-session-id": id });
    assert.deepEqual([answer.status, answer.body.error.code], [404, -32_001], id.slice(0, 20));
  }
  const session = await begin();
  assert.equal((await post(ping, session)).status, 200);
  assert.equal((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status, 202);
  assert.equal((await server.request("DELETE", "/mcp", { headers: session })).status, 204);
  assert.equal((await post(ping, session)).status, 404);
  assert.equal((await server.request("DELETE", "/mcp", { headers: session })).status, 404);
});

test("MCP-32 MCP-33 MCP-34 without credentials the answer says how to get them (T97, T100)", async () => {
  const base = server.url;
  const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
  for (const options of [
    { key: null },
    { key: null, headers: { cookie: "cairn_session=whatever" } },
  ] as RequestOptions[]) {
    const { status, headers, body } = await post(
      opening("2025-11-25"),
      {},
      { body: opening("2025-11-25"), ...options },
    );
    assert.deepEqual([status, body.error.code, body.id], [401, -32_000, null]);
    const challenge = headers.get("www-authenticate") ?? "";
    assert.match(challenge, /^Bearer realm="MCP", error="login_required"/);
    assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
    assert.match(challenge, /scope="[^"]*mcp:tools[^"]*"/);
  }
  for (const query of [`api_key=${server.key}`, `access_token=${server.key}`]) {
    const found = await server.request("GET", `/mcp?${query}`, { key: null, headers: { accept } });
    assert.equal(found.status, 401, query.slice(0, 12));
  }
  for (const headers of [
    { "x-api-key": "cairn_wrong" },
    { authorization: "Bearer cairn_wrong" },
    { authorization: "Bearer a.b.c" },
    { authorization: "Basic eDp5" },
    { authorization: `Bearer ${server.key}`, "x-api-key": "cairn_other" },
  ] as Record<string, string>[]) {
    const answer = await post(opening("2025-11-25"), headers, { body: opening("2025-11-25"), key: null });
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
  }
  const bearer = { authorization: `Bearer ${server.key}` };
  assert.equal((await post(opening("2025-11-25"), bearer, { body: opening("2025-11-25"), key: null })).status, 200);
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: false } });
  const closed = await post(opening("2025-11-25"), {}, { body: opening("2025-11-25"), key: null });
  assert.equal(closed.headers.get("www-authenticate"), 'Bearer realm="MCP", error="login_required"');
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: true } });
});

test("MCP-30 a key must be scoped for the endpoint and the method", async () => {
  const make = async (methods: string, endpoint: string) =>
    (await server.makeKey({ methods: methods.split(","), endpoints: [endpoint] })).key;
  const hello = (key: string) =>
    post(opening("2025-11-25"), { "x-api-key": key }, { body: opening("2025-11-25"), key: null });
  assert.equal((await hello(await make("GET,POST,DELETE", "/mcp"))).status, 200);
  assert.equal((await hello(await make("GET,POST,DELETE", "/collections"))).status, 401);
  const reader = await make("GET", "*");
  assert.equal((await hello(reader)).status, 401);
  const write = { name: "create_object", arguments: { collection: "notes", id: "by-reader", data: { title: "x" } } };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: write };
  const begun = await hello(server.key);
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  for (const headers of [{}, session]) {
    assert.equal((await post(call, { ...headers, "x-api-key": reader }, { body: call, key: null })).status, 401);
  }
  assert.equal((await server.request("GET", "/api/collections/notes/by-reader")).status, 404);
  // A key that may post to it does everything with objects there, as the one method of the endpoint goes.
  const poster = await make("POST", "/mcp");
  const opened = await hello(poster);
  const own = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "x-api-key": poster };
  const names = read(await post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, own)).result.tools.map(
    ({ name }: { name: string }) => name,
  );
  for (const name of ["get_object", "patch_object", "delete_object"]) assert.ok(names.includes(name), name);
  assert.ok(!names.includes("create_schema"));
});

test("MCP-37 below the Pro edition a key counts as absent", async () => {
  await server.request("PUT", "/api/settings/general", { body: { edition: "standard" } });
  assert.equal((await post(opening("2025-11-25"))).status, 401);
  assert.equal((await server.cli(["settings:set", "mcp.publicAccess", "true"])).code, 0);
  const public_ = await post(opening("2025-11-25"));
  assert.equal(public_.status, 200);
  const session = { "mcp-session-id": public_.headers.get("mcp-session-id") ?? "" };
  const tools = read(await post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).result.tools;
  assert.ok(!tools.some(({ name }: { name: string }) => name === "create_schema"));
  await server.cli(["settings:set", "edition", "pro"]);
  await server.setSetting("mcp.publicAccess", false);
  assert.equal((await post({ jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).status, 404);
});

test("MCP-39 nothing is for shared caches (T108)", async () => {
  await set({ publicAccess: true, publicIpPerMinute: 0 });
  const list = alone("tools/list");
  const mine = await post(list.body, list.headers);
  const theirs = await post(list.body, list.headers, { body: list.body, key: null });
  assert.notDeepEqual(mine.body.result.tools, theirs.body.result.tools);
  for (const { headers, body } of [mine, theirs]) {
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(body.result.cacheScope, "private");
  }
  const session = await begin();
  const streamed = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, session);
  assert.match(streamed.headers.get("cache-control") ?? "", /^no-store/);
  await set({ publicAccess: false });
});

test("MCP-40 MCP-50 discovery describes the endpoint", async () => {
  const find = async () => (await server.request("GET", "/.well-known/mcp.json", { key: null })).body;
  const found = await find();
  assert.equal(found.endpoint, `${server.url}/mcp`);
  assert.equal(found.transport, "streamable-http");
  assert.equal(found.mcpVersion, "2026-07-28");
  assert.equal(found.resourceMetadata, `${server.url}/.well-known/oauth-protected-resource/mcp`);
  assert.deepEqual([found.auth.public, found.auth.apiKey, found.publicTools], [false, { header: "X-API-Key" }, []]);
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: false } });
  assert.ok(!("resourceMetadata" in (await find())));
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: true } });
  await set({ publicAccess: true });
  assert.ok((await find()).publicTools.includes("get_object"));
  await set({ publicAccess: false, enabled: false });
  const off = await find();
  assert.deepEqual([off.disabled, off.publicTools], [true, []]);
  assert.equal((await post(opening("2025-11-25"))).status, 404);
  assert.equal((await server.request("GET", "/mcp", { headers: { accept } })).status, 404);
  await set({ enabled: true });
  assert.equal((await post(opening("2025-11-25"))).status, 200);
});

test("MCP-41 those without credentials are counted (T100)", async () => {
  await set({ publicAccess: true, publicIpPerMinute: 5 });
  const hello = () => post(opening("2025-11-25"), {}, { body: opening("2025-11-25"), key: null });
  const answers: Answer[] = [];
  // Twelve are more than five, even when a minute ends in between.
  for (let at = 0; at < 12; at += 1) answers.push(await hello());
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 2 && answers.some(({ status }) => status === 200), answers.map((a) => a.status).join());
  const [{ headers, body } = answers[0] as Answer] = refused;
  assert.equal(headers.get("x-ratelimit-limit"), "5");
  assert.equal(headers.get("x-ratelimit-window"), "60");
  assert.ok(Number(headers.get("retry-after")) >= 1);
  assert.equal(body.jsonrpc, "2.0");
  for (let at = 0; at < 12; at += 1) assert.equal((await post(opening("2025-11-25"))).status, 200);
  const preflight = () => server.request("OPTIONS", "/mcp", { key: null, headers: { origin: "https://a.test" } });
  for (let at = 0; at < 12; at += 1) assert.equal((await preflight()).status, 204);
  await set({ publicAccess: false, publicIpPerMinute: 60 });
});

test("MCP-45 pages of other sites are refused (T99)", async () => {
  const hello = (origin: string) => post(opening("2025-11-25"), { origin });
  const own = new URL(server.url);
  assert.equal((await post(opening("2025-11-25"))).status, 200);
  for (const origin of [server.url, `http://localhost:${own.port}`]) {
    const headers = { origin, host: new URL(origin).host };
    assert.equal((await post(opening("2025-11-25"), headers)).status, 200, origin);
  }
  for (const origin of [
    "http://evil.test",
    "null",
    "https://127.0.0.1.evil.test",
    `http://127.0.0.1:${Number(own.port) + 1}`,
    `http://evil.test:${own.port}`,
    "file://",
    "not an origin",
  ]) {
    assert.equal((await hello(origin)).status, 403, origin);
    const headers = { origin, accept: "text/event-stream" };
    assert.equal((await server.request("GET", "/mcp", { headers })).status, 403, origin);
  }
});

test("MCP-46 foreign names that point here are refused (T99)", async () => {
  const hello = (host: string, origin?: string) => post(opening("2025-11-25"), { host, ...(origin && { origin }) });
  const { port } = new URL(server.url);
  for (const host of ["127.0.0.1", `localhost:${port}`, "LOCALHOST", "[::1]:80"]) {
    assert.equal((await hello(host)).status, 200, host);
  }
  for (const host of ["evil.test", `evil.test:${port}`, "localhost.evil.test", "127.0.0.1.evil.test"]) {
    assert.equal((await hello(host)).status, 403, host);
    assert.equal((await hello(host, `http://${host}`)).status, 403, host);
  }
  assert.equal((await hello("a b")).status, 400);
});

test("MCP-47 a listed origin may use the endpoint from a page", async () => {
  const origin = "https://inspector.test";
  const preflight = () => server.request("OPTIONS", "/mcp", { key: null, headers: { origin } });
  const before_ = await preflight();
  assert.deepEqual([before_.status, before_.headers.get("access-control-allow-origin")], [204, null]);
  await set({ allowedOrigins: [origin] });
  const after_ = await preflight();
  assert.equal(after_.headers.get("access-control-allow-origin"), origin);
  assert.match(after_.headers.get("access-control-allow-headers") ?? "", /Mcp-Session-Id/);
  assert.match(after_.headers.get("access-control-allow-methods") ?? "", /POST/);
  const hello = await post(opening("2025-11-25"), { origin });
  assert.equal(hello.status, 200);
  assert.equal(hello.headers.get("access-control-allow-origin"), origin);
  assert.match(hello.headers.get("access-control-expose-headers") ?? "", /Mcp-Session-Id/);
  const refused = await post(opening("2025-11-25"), { origin }, { body: opening("2025-11-25"), key: null });
  assert.deepEqual([refused.status, refused.headers.get("access-control-allow-origin")], [401, origin]);
  assert.equal((await post(opening("2025-11-25"), { origin: "https://other.test" })).status, 403);
  await set({ allowedOrigins: ["*"] });
  const any = await post(opening("2025-11-25"), { origin: "https://other.test" });
  assert.deepEqual([any.status, any.headers.get("access-control-allow-origin")], [200, "https://other.test"]);
  assert.equal((await post(opening("2025-11-25"), { origin: "null" })).status, 403);
  await set({ allowedOrigins: [] });
});
