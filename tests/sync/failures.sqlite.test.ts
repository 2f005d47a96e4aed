// What push and pull do when the other side is not what it should be: a remote of our own that plays every part.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { runCairn, type Server, startServer } from "../harness.ts";
import { create, fill } from "./pair.ts";

interface Seen {
  method: string;
  url: string;
  key: string | undefined;
}

type Play = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that notes what reaches it and answers as it is told. */
async function startActor() {
  const seen: Seen[] = [];
  let play: Play = (_request, response) => answer(response, 200, {});
  const actor = createServer((request, response) => {
    seen.push({ method: request.method ?? "", url: request.url ?? "", key: request.headers["x-api-key"] as string });
    request.resume().on("end", () => play(request, response));
  });
  await new Promise<void>((done) => actor.listen(0, "127.0.0.1", done));
  return {
    seen,
    url: `http://127.0.0.1:${(actor.address() as AddressInfo).port}`,
    plays(next: Play) {
      play = next;
      seen.length = 0;
    },
    stop: () => {
      actor.closeAllConnections();
      actor.close();
    },
  };
}

function answer(response: ServerResponse, status: number, data: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(data));
}

const nothingDone = { data: { created: [], updated: [], unchanged: [], skipped: [], errors: [] } };
let here: Server;
let remote: Awaited<ReturnType<typeof startActor>>;
let canary: Awaited<ReturnType<typeof startActor>>;

before(async () => {
  remote = await startActor();
  canary = await startActor();
  here = await startServer({ settings: { sync: { url: `${remote.url}/api/`, key: "cairn_secret" } } });
  await fill(here);
  await create(here, "news", { id: "first", title: "First" });
});
beforeEach(() => canary.plays((_request, response) => answer(response, 200, nothingDone)));
after(async () => {
  remote?.stop();
  canary?.stop();
  await here?.stop();
});

test("SYNC-61 SYNC-62 SYNC-67 errors of the remote are reported in plain words, on one line, and fail", async () => {
  const message = "Invalid API key or insufficient permissions";
  const cases: [number, unknown, RegExp][] = [
    [401, { error: { code: 401, message } }, /^cairn: HTTP 401: .*Sync Manager.*insufficient permissions\n$/],
    [404, { error: { code: 404, message: "Not found" } }, /^cairn: HTTP 404: .* is not the API root.*\n$/],
    [
      422,
      { error: { code: 422, message: "Refused", details: { "schemas.x": ["is bad"] } } },
      /HTTP 422.*schemas\.x: is bad/,
    ],
    [500, "oops", /^cairn: The remote answers HTTP 500\.\n$/],
    [200, [], /cannot be understood/],
  ];
  for (const [status, body, said] of cases) {
    remote.plays((_request, response) => answer(response, status, body));
    for (const command of status === 401 ? ["push", "pull"] : ["push"]) {
      const { code, stdout, stderr } = await here.cli([command]);
      assert.deepEqual([code, stdout], [1, ""], `${command} ${status}`);
      assert.match(stderr, said);
      assert.equal(remote.seen.length, 1);
      remote.seen.length = 0;
    }
  }
});

test("SYNC-61 a refused seeding names the endpoint that the key needs", async () => {
  const error = { code: 401, message: "Invalid API key or insufficient permissions" };
  remote.plays((request, response) => {
    if (request.url?.includes("/import/jumpstart")) answer(response, 401, { error });
    else answer(response, 200, nothingDone);
  });
  const { code, stderr } = await here.cli(["push", "--objects=news:first"]);
  assert.equal(code, 1);
  assert.match(stderr, /the endpoint \/import\/jumpstart \(Content Import \(seeding\)\)\./);
});

test("SYNC-63 SYNC-54 a remote that does not answer is reported as a timeout; a dry run lists what would be sent", async () => {
  remote.plays(() => {});
  await here.cli(["settings:set", "sync.timeout", "1"]);
  const { code, stderr } = await here.cli(["push", "--pages"]);
  assert.equal(code, 1);
  assert.match(stderr, /did not answer within 1 seconds \(connection timeout\)/);
  const dry = await here.cli(["push", "--pages", "--objects=news", "--dry-run", "--json"]);
  await here.cli(["settings:set", "sync.timeout", "null"]);
  assert.equal(dry.code, 0);
  const { compared, sent, items } = JSON.parse(dry.stdout);
  assert.deepEqual([compared, sent], [false, false]);
  assert.deepEqual(items, [
    { kind: "object", collection: "builder-pages", id: "home" },
    { kind: "object", collection: "news", id: "first" },
  ]);
  assert.ok(remote.seen.every(({ method }) => method !== "POST" || remote.seen.length > 1));
});

test("SYNC-64 the key follows no redirect (T116)", async () => {
  for (const status of [302, 307]) {
    remote.plays((request, response) => answer(response, status, {}, { location: `${canary.url}${request.url}` }));
    for (const args of [["push"], ["pull"], ["push", "--dry-run"]]) {
      const { code, stderr } = await here.cli(args);
      assert.equal(code, 1, args.join(" "));
      assert.match(stderr, /redirects to/);
    }
  }
  assert.deepEqual(canary.seen, []);
});

test("SYNC-50 a dry run asks and sends nothing (T117)", async () => {
  remote.plays((_request, response) => answer(response, 200, { data: {} }));
  const { code, stderr } = await here.cli(["push", "--schemas", "--objects=news", "--overwrite", "--dry-run"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(remote.seen, [
    { method: "GET", url: "/api/sync/export?schemas=&objects=news", key: "cairn_secret" },
  ]);
});

test("SYNC-42 without --force not one request is sent (T116)", async () => {
  remote.plays((_request, response) => answer(response, 200, nothingDone));
  const { code, stderr } = await here.cli(["push", "--schemas", "--objects=news", "--overwrite"]);
  assert.equal(code, 2);
  assert.match(stderr, /--force/);
  assert.deepEqual(remote.seen, []);
});

test("SYNC-45 two requests in their order; the second waits for the first, and either failing fails", async () => {
  const asked = () => remote.seen.map(({ method, url }) => `${method} ${url}`);
  const compared = "GET /api/sync/export?schemas=&objects=news";
  const both = [compared, "POST /api/sync/import", "POST /api/import/jumpstart"];
  remote.plays((_request, response) => answer(response, 200, nothingDone));
  assert.equal((await here.cli(["push", "--schemas", "--objects=news"])).code, 0);
  assert.deepEqual(asked(), both);
  remote.seen.length = 0;
  assert.equal((await here.cli(["push", "--objects=news", "--overwrite", "--force"])).code, 0);
  assert.deepEqual(asked(), ["GET /api/sync/export?objects=news", "POST /api/import/jumpstart?overwrite=1"]);

  remote.plays(({ method }, response) => answer(response, method === "GET" ? 200 : 500, nothingDone));
  assert.equal((await here.cli(["push", "--schemas", "--objects=news"])).code, 1);
  assert.deepEqual(asked(), [compared, "POST /api/sync/import"]);

  remote.plays((request, response) => answer(response, request.url?.includes("jumpstart") ? 401 : 200, nothingDone));
  const half = await here.cli(["push", "--schemas", "--objects=news", "--json"]);
  assert.equal(half.code, 1);
  assert.match(half.stderr, /Content Import \(seeding\)/);
  assert.deepEqual([asked(), JSON.parse(half.stdout).sent], [both, false]);
});

test("SYNC-65 text from the remote cannot control the terminal (T116)", async () => {
  const evil = "page\u001b[2J\u009b31m\u202e\r\nx";
  const objects = [{ collection: "builder-pages", id: evil, data: { title: evil } }];
  remote.plays((_request, response) => answer(response, 200, { data: { objects } }));
  const dry = await here.cli(["pull", "--dry-run"]);
  assert.equal(dry.code, 0, dry.stderr);
  const pull = await here.cli(["pull"]);
  assert.equal(pull.code, 1);
  remote.plays((_request, response) => answer(response, 500, { error: { message: evil } }));
  const push = await here.cli(["push"]);
  remote.plays((_request, response) => answer(response, 302, {}, { location: "http://x/%1b" }));
  const redirected = await here.cli(["push"]);
  remote.plays((_request, response) =>
    answer(response, 200, { data: { ...nothingDone.data, created: [{ kind: evil, id: evil }] } }),
  );
  const done = await here.cli(["push"]);
  for (const { stdout, stderr } of [dry, pull, push, redirected, done]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal
    assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
  assert.match(dry.stdout, /page\\u001b\[2J/);
});

test("SYNC-67 a pull takes only requested items, and nothing outside of sync", async () => {
  const objects = [
    { collection: "builder-pages", id: "asked", data: { title: "Asked", template: "x" } },
    { collection: "automations", id: "planted", data: { name: "x", handler: "export default () => 1" } },
    { collection: "auth", id: "eve", data: { email: "eve@example.test", groups: ["admin"] } },
  ];
  remote.plays((_request, response) => answer(response, 200, { data: { objects, schemas: [{ id: "planted" }] } }));
  const { code, stdout, stderr } = await here.cli(["pull", "--pages=asked", "--json"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).result.created, [{ kind: "object", collection: "builder-pages", id: "asked" }]);
});

test("SYNC-60 SYNC-66 not configured is said; the settings file wins over the config file, and keeps the key encrypted", async () => {
  const project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  const data = mkdtempSync(join(tmpdir(), "cairn-data-"));
  const env = { ...here.env, CAIRN_DATA: data };
  const cairn = (...args: string[]) => runCairn(args, { env, cwd: project });
  try {
    await cairn("key:create", "--name", "k");
    for (const command of ["push", "pull"]) {
      const { code, stderr } = await cairn(command, "--dry-run");
      assert.equal(code, 1);
      assert.match(stderr, /^cairn: Sync is not configured/);
    }
    writeFileSync(
      join(project, "cairn.config.json"),
      JSON.stringify({ sync: { url: `${canary.url}/api`, key: "from-config" } }),
    );
    canary.plays((_request, response) => answer(response, 200, { data: {} }));
    await cairn("pull");
    assert.deepEqual(
      canary.seen.map(({ url, key }) => [url.split("?")[0], key]),
      [["/api/sync/export", "from-config"]],
    );
    remote.plays((_request, response) => answer(response, 200, { data: {} }));
    await cairn("settings:set", "sync.url", `${remote.url}/api`);
    await cairn("settings:set", "sync.key", "from-settings");
    await cairn("pull");
    assert.deepEqual(
      remote.seen.map(({ key }) => key),
      ["from-settings"],
    );
    assert.ok(!readFileSync(join(data, ".system", "settings.json"), "utf8").includes("from-settings"));
    const refused = await cairn("settings:set", "sync.url", "ftp://example.test");
    assert.match(refused.stderr, /sync\.url must be an address such as https:/);
  } finally {
    rmSync(project, { recursive: true });
    rmSync(data, { recursive: true });
  }
});
