// Several processes on one embedded database: one writes, all answer. Each request has a connection of its own, so that it
// reaches the processes in turn.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { patience, until } from "#base/patience.fixture.ts";
import { type Answer, http, type RequestOptions, runCairn, type Server, send, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

let server: Server;
before(async () => {
  server = await startServer({ args: ["--workers", "2"], env: { CAIRN_ADMIN_BUILD: "false" } });
  const file = { $ref: "/schemas/properties/file.json" };
  await server.makeSchema({ id: "note", properties: { title: { type: "string" }, attachment: file } });
  await server.makeCollection({ id: "notes", name: "Notes", schema: "note", publicOperations: ["read"] });
});
after(() => server.stop());

const list = "/api/collections/notes";

/** On a connection of its own. */
async function ask(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { key = server.key, ...rest } = options;
  const headers = { ...(key !== null && { "x-api-key": key }), ...rest.headers };
  const agent = new http.Agent({ keepAlive: false });
  return send(agent, server.url, method, path, { ...rest, headers });
}

const askAll = (method: string, path: string, options?: RequestOptions) =>
  Promise.all(Array.from({ length: 4 }, () => ask(method, path, options)));

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).join();

function workers(): { writer: number; reader: number } {
  const found = { writer: 0, reader: 0 };
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = / \d+ /.exec(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) \S/, ""))?.[0];
      if (Number(parent) !== server.pid) continue;
      const [, role] =
        /CAIRN_WORKER_ROLE=(?:later-|next-)?(\w+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
      if (role === "writer" || role === "reader") found[role] = Number(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

test("WRK-3 what one process has acknowledged all others answer at once", async () => {
  for (let round = 0; round < 4; round += 1) {
    const id = `seen-${round}`;
    assert.equal((await ask("POST", list, { body: { id, title: "first" } })).status, 201);
    for (const { body } of await askAll("GET", `${list}/${id}`)) assert.equal(body.data.title, "first");
    assert.equal((await ask("PATCH", `${list}/${id}`, { body: { title: "second" } })).status, 200);
    for (const { body } of await askAll("GET", `${list}/${id}`)) assert.equal(body.data.title, "second");
    for (const { body } of await askAll("GET", `${list}?limit=50`)) assert.equal(body.data.length, round + 1);
  }
});

test("WRK-3 keys, settings, schemas and rights hold in all processes at once", async () => {
  const made = (await ask("POST", "/api/apikeys", { body: { name: "brief", methods: ["GET"], endpoints: ["*"] } }))
    .body;
  assert.equal(statuses(await askAll("GET", list, { key: made.data.key })), "200,200,200,200");
  assert.equal((await ask("DELETE", `/api/apikeys/${made.data.id}`)).status, 204);
  assert.equal(statuses(await askAll("GET", list, { key: made.data.key })), "401,401,401,401");

  assert.equal(statuses(await askAll("GET", list, { key: null })), "200,200,200,200");
  assert.equal((await ask("PATCH", `${list}/settings`, { body: { publicOperations: [] } })).status, 200);
  assert.equal(statuses(await askAll("GET", list, { key: null })), "401,401,401,401");

  await server.setSetting("api.rateLimit", 7);
  for (const { headers } of await askAll("GET", list, { key: null }))
    assert.equal(headers.get("x-ratelimit-limit"), "7");
  await server.setSetting("api.rateLimit", null);

  const schema = (await ask("GET", "/api/schemas/note?raw=true")).body;
  const properties = { ...schema.properties, more: { type: "string", default: "added" } };
  assert.equal((await ask("PUT", "/api/schemas/note", { body: { ...schema, properties } })).status, 200);
  for (const { body } of await askAll("GET", `${list}/schema`)) assert.ok(body.properties.more);
});

test("WRK-4 headers from outside that only the processes send each other are ignored", async () => {
  const headers = {
    "cairn-forwarded-address": "203.0.113.9",
    "cairn-forwarded-protocol": "https",
    "cairn-forwarded-local": "203.0.113.9",
    "cairn-call": "notes",
  };
  const body = { email: "nobody@example.org", password: "wrong" };
  for (const { status } of await askAll("POST", "/api/auth/login", { body, headers, key: null }))
    assert.equal(status, 401);
  const { text } = await ask("GET", "/api/audit?limit=100");
  assert.ok(!text.includes("203.0.113.9"), text);
  assert.ok(text.includes("127.0.0.1"), text);
});

test("WRK-4 a read that turns out to need a write counts once, whichever process gets it", async () => {
  await server.makeCollection({ id: "searched", schema: "note", publicOperations: ["read"] });
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/search",
    manifest: { contributes: { searchProviders: [{ name: "own", collections: ["searched"] }] } },
    files: {
      "index.ts": `export function register(cairn) {
        cairn.searchProvider("own", { search: async () => ({ hits: [], total: 0 }) });
      }`,
    },
  });
  await enableExtension(server, "acme/search");
  const path = "/api/collections/searched?search=x";
  const isProvided = ({ headers }: Answer) => headers.get("x-search") === "acme/search";
  await until(
    () => askAll("GET", path),
    (answers) => answers.every(isProvided),
  );
  const rounds = async () => {
    const answers: Answer[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      // Not counted together with other tests.
      const agent = new http.Agent({ keepAlive: false, localAddress: "127.0.0.9" });
      answers.push(await send(agent, server.url, "GET", path, {}));
      // By then the processes have told each other what they have counted.
      if (turn === 7) await sleep(600);
    }
    return answers;
  };
  // All in one minute.
  const answers = await until(
    rounds,
    (all) => new Set(all.map((one) => one.headers.get("x-ratelimit-reset"))).size === 1,
  );
  const left = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  const [first = 0] = left;
  assert.deepEqual(
    left,
    left.map((_, at) => first - at),
  );
});

test("WRK-10 a server on a loopback address answers to its own names alone, whichever process writes", async () => {
  const forged = { host: "evil.test", "cairn-forwarded-local": "203.0.113.9" };
  const body = { email: "nobody@example.org", password: "wrong" };
  for (const [method, path] of [
    ["POST", "/api/auth/login"],
    ["POST", "/mcp"],
    ["GET", "/api/settings"],
  ] as const) {
    const headers = { ...forged, accept: "application/json, text/event-stream" };
    const sent = { headers, key: null, ...(method === "POST" && { body }) };
    const answers = [...(await askAll(method, path, sent)), ...(await askAll(method, path, sent))];
    assert.equal(statuses(answers), answers.map(() => 403).join(), path);
  }
});

test("WRK-6 bodies pass between the processes unchanged", async () => {
  const bytes = randomBytes(6 * 1024 * 1024);
  for (const id of ["file-a", "file-b", "file-c", "file-d"]) {
    assert.equal((await ask("POST", list, { body: { id } })).status, 201);
    const form = new FormData();
    form.set("file", new Blob([bytes]), "random.bin");
    const sent = await fetch(`${server.url}${list}/${id}/attachment`, {
      ...{ method: "POST", body: form, headers: { "x-api-key": server.key, connection: "close" } },
    });
    assert.ok(sent.ok, `${sent.status} ${await sent.text()}`);
  }
  for (const id of ["file-a", "file-b"]) {
    const got = await fetch(`${server.url}/download/notes/${id}/attachment`, { headers: { "x-api-key": server.key } });
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(bytes));
  }
});

test("WRK-6 small bodies, bodies of unknown length, streamed answers and answers without a body pass as well", async () => {
  const title = "Zürich, 東京 \u{1F5FF}\r\n\r\n";
  for (const id of ["small-a", "small-b", "small-c", "small-d"]) {
    // Its length is not announced.
    const text = new Blob([JSON.stringify({ id, title })]).stream();
    const headers = { "x-api-key": server.key, "content-type": "application/json", connection: "close" };
    const sent = await fetch(`${server.url}${list}`, { method: "POST", body: text, duplex: "half", headers });
    assert.equal(sent.status, 201, await sent.text());
    const { status, body } = await ask("PATCH", `${list}/${id}`, { body: { title: `${title}!` } });
    assert.deepEqual([status, body.data.title], [200, `${title}!`]);
  }
  const exported = await askAll("GET", "/api/export/collections/notes/json");
  for (const { text } of exported) assert.equal(text, exported[0]?.text);
  assert.equal(exported[0]?.text.split("small-").length, 5);
  for (const { status, text } of await askAll("HEAD", "/api/export/collections/notes/json"))
    assert.deepEqual([status, text], [200, ""]);
  for (const { status, body } of await askAll("POST", list, { body: { title: [1] } }))
    assert.deepEqual([status, typeof body.error.message], [400, "string"]);
  const gone = await Promise.all(["a", "b", "c", "d"].map((one) => ask("DELETE", `${list}/small-${one}`)));
  assert.equal(statuses(gone), "204,204,204,204");
});

/** The first line of the answer to a body of which so much is sent, on a connection of its own. */
async function firstLine(headers: Record<string, string>, { announced, sent }: { announced: number; sent: number }) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: "localhost", "content-type": "application/json", ...headers });
  const head = [`POST ${list} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${head.join("\r\n")}\r\ncontent-length: ${announced}\r\n\r\n${"x".repeat(sent)}`);
  const [bytes] = (await once(socket, "data", { signal: AbortSignal.timeout(patience) })) as [Buffer];
  socket.destroy();
  return bytes.toString("latin1").split("\r\n")[0];
}

test("HTTP-97 WRK-6 Host may be missing in HTTP/1.0 alone, whichever process answers", async () => {
  const { hostname, port } = new URL(server.url);
  const rest = `X-API-Key: ${server.key}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  for (let turn = 0; turn < 8; turn += 1) {
    const version = turn % 2;
    const socket = connect(Number(port), hostname);
    socket.write(`DELETE ${list}/nothing HTTP/1.${version}\r\n${rest}`);
    const [bytes] = (await once(socket, "data", { signal: AbortSignal.timeout(patience) })) as [Buffer];
    socket.destroy();
    assert.match(bytes.toString("latin1"), version === 1 ? /^HTTP\S+ 400 .*X-Request-Id: /is : /^HTTP\S+ 404 /);
  }
});

test("WRK-6 a refusal comes before a body that it does not need, and reaches clients that are still sending", async () => {
  const [key, large] = [{ "x-api-key": server.key }, 11 * 1024 * 1024];
  const refused = "HTTP/1.1 413 Payload Too Large";
  for (let turn = 0; turn < 4; turn += 1) {
    assert.equal(await firstLine({}, { announced: 300_000, sent: 0 }), refused);
    assert.equal(await firstLine(key, { announced: large, sent: 0 }), refused);
    assert.equal(await firstLine(key, { announced: large, sent: large }), refused);
  }
});

const openFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

test("WRK-13 requests whose bodies never end, and requests sent without waiting for answers, take few connections", async () => {
  const { hostname, port } = new URL(server.url);
  const { writer, reader } = workers();
  const few = 24;
  await askAll("GET", "/login");
  const before = [writer, reader].map(openFiles) as [number, number];
  const added = () => Math.max(openFiles(writer) - before[0], openFiles(reader) - before[1]);
  // Answered before its body has ended, which it never does.
  const endless = "GET /login HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n";
  for (let turn = 0; turn < 60; turn += 1) {
    const socket = connect(Number(port), hostname);
    socket.write(endless);
    await once(socket, "data", { signal: AbortSignal.timeout(patience) });
    socket.destroy();
  }
  await until(added, (count) => count < few);
  // Thousands at once on one connection for each process, whose client reads nothing.
  const lines = "GET /login HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(5_000);
  const greedy = [0, 1].map(() => connect(Number(port), hostname));
  for (const socket of greedy) socket.pause().write(lines);
  let most = 0;
  for (let look = 0; look < 40; look += 1) {
    most = Math.max(most, added());
    await sleep(25);
  }
  assert.ok(most < few, `${most} more`);
  for (const { status } of await askAll("GET", "/login")) assert.equal(status, 200);
  for (const socket of greedy) socket.destroy();
});

test("WRK-13 a read that turns out to need a write is answered before the requests behind it on its connection", async () => {
  const { hostname, port } = new URL(server.url);
  await server.makeCollection({ id: "locked", schema: "note", publicOperations: ["read"] });
  await ask("POST", "/api/collections/locked", { body: { id: "one" } });
  const form = new FormData();
  form.set("file", new Blob(["secret"]), "a.txt");
  const headers = { "x-api-key": server.key };
  await fetch(`${server.url}/api/collections/locked/one/attachment`, { method: "POST", body: form, headers });
  const lock = { body: { attachment: { protected: true, password: "lilac-42" } } };
  assert.equal((await ask("PATCH", "/api/collections/locked/one", lock)).status, 200);
  // A link is tried, and each try is counted.
  const first = "GET /download/locked/one/attachment?pwd=wrong HTTP/1.1\r\nhost: localhost\r\n\r\n";
  const next = "POST /api/nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n".repeat(8);
  for (let turn = 0; turn < 4; turn += 1) {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.write(first + next);
    await until(() => text.match(/HTTP\/1\.1 \d+/g)?.length === 9);
    assert.match(text, /^HTTP\/1\.1 40[13] /);
    socket.destroy();
  }
});

test("WRK-7 what reads note reaches the database from all processes", async () => {
  const made = (await ask("POST", "/api/apikeys", { body: { name: "used", methods: ["GET"], endpoints: ["*"] } })).body;
  await askAll("GET", `${list}/file-a`, { key: made.data.key });
  const counted = async () => (await ask("GET", `${list}/file-a/attachment/downloads`)).body.data.total;
  const start = await counted();
  await askAll("GET", "/download/notes/file-a/attachment");
  await until(async () => (await counted()) >= start + 4);
  const used = async () => {
    const { body } = await ask("GET", "/api/apikeys");
    return body.data.find((one: { name: string }) => one.name === "used").lastUsed;
  };
  await until(async () => (await used()) !== null);
  await until(async () => (await ask("GET", "/api/cache")).body.data.processes.length === 2);
  assert.equal(statuses(await askAll("GET", "/readyz")), "200,200,200,200");
  const { text } = await ask("GET", "/metrics");
  assert.match(text, /cairn_http_request_duration_seconds_count/);
});

test("WRK-8 a second server on the data directory is refused", async () => {
  for (const args of [[], ["--workers", "2"]]) {
    const { code, stderr } = await runCairn(["serve", "--port", "0", ...args], { env: server.env });
    assert.equal(code, 1);
    assert.match(stderr, /Another Cairn server is already running/);
  }
});

test("WRK-5 when a worker is killed under load, no acknowledged write is lost and nothing hangs", async () => {
  const stored: string[] = [];
  const others: string[] = [];
  let isOver = false;
  const writing = Array.from({ length: 8 }, async (_, at) => {
    for (let n = 0; !isOver; n += 1) {
      const id = `kept-${at}-${n}`;
      const answer = await ask("POST", list, { body: { id } }).catch(() => undefined);
      if (answer?.status === 201) stored.push(id);
      // The connection was cut with its worker.
      else if (!answer) await sleep(20);
      else others.push(`${answer.status} ${answer.headers.get("retry-after")}`);
    }
  });
  const grown = async () => {
    const goal = stored.length + 8;
    await until(() => stored.length >= goal);
  };
  try {
    await grown();
    for (const role of ["writer", "reader"] as const) {
      // One may be on its way up; the number 0 would stand for all processes of the test.
      process.kill(await until(() => workers()[role]), "SIGKILL");
      await grown();
    }
  } finally {
    isOver = true;
    await Promise.all(writing);
  }
  assert.deepEqual(
    others.filter((one) => one !== "503 1"),
    [],
  );
  const found = new Set<string>();
  for (let offset = 0; ; offset += 500) {
    const { body } = await ask("GET", `${list}?limit=500&offset=${offset}&fields=id`);
    for (const { id } of body.data) found.add(id);
    if (body.data.length < 500) break;
  }
  assert.deepEqual(
    stored.filter((id) => !found.has(id)),
    [],
  );
});

test("WRK-23 where the path of the data directory is long, no folder of the socket is left in the temporary folder", async (t) => {
  const temporary = mkdtempSync(join(tmpdir(), "cairn-long-"));
  t.after(() => rmSync(temporary, { recursive: true }));
  const long = await startServer({
    ...{ dataDir: join(temporary, "long".repeat(25)), args: ["--workers", "2"] },
    env: { CAIRN_ADMIN_BUILD: "false", TMPDIR: temporary },
  });
  const folders = () => readdirSync(temporary).filter((name) => /^cairn-[0-9a-f]{16}-/.test(name));
  const [first] = folders();
  await long.kill();
  assert.deepEqual(folders(), [first]);
  await long.restart();
  assert.equal(folders().length, 1);
  assert.notEqual(folders()[0], first);
  assert.equal((await long.request("GET", "/api/settings")).status, 200);
  await long.stop();
  assert.deepEqual(folders(), []);
});
