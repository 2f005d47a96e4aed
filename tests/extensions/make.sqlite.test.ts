// Making an extension by the command line, and running what it adds.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { runCairn, type Server, startServer } from "../harness.ts";

let project: string;
let server: Server;

before(async () => {
  project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  const plain = join(project, "node_modules", "acme-plain");
  const manifest = { id: "acme/plain", name: "Plain", version: "1.0.0", api: 1, runtime: "node", contributes: {} };
  for (const [folder, text] of [
    [plain, JSON.stringify({ name: "acme-plain", cairn: { extension: "extension.json" } })],
    [join(project, "node_modules", "broken-one"), "{"],
    [join(project, "node_modules", "empty-one"), "null"],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), text);
  }
  writeFileSync(join(plain, "extension.json"), JSON.stringify(manifest));
  const packages = ["broken-one", "empty-one", "acme-plain", "missing-one"];
  server = await startServer({ cwd: project, settings: { extensions: { packages } } });
});
after(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

const file = (id: string, path: string) => join(project, "extensions", id, path);

async function cairn(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await server.cli(args);
  assert.deepEqual([code, args[0], stderr.replace(/^Run .*\n/, "")], [0, args[0], ""]);
  return stdout;
}

async function failing(code: number, ...args: string[]): Promise<string> {
  const answer = await server.cli(args);
  assert.equal(answer.code, code, `${args}: ${answer.stdout}${answer.stderr}`);
  return answer.stdout + answer.stderr;
}

test("EXT-1 packages that the settings name are found, and one that cannot be read fails alone", async () => {
  const { body } = await server.request("GET", "/api/extensions");
  const found = body.data.filter(({ source }: { source: string }) => source === "package");
  assert.deepEqual(
    found.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [
      ["acme/plain", "disabled"],
      ["broken-one", "invalid"],
      ["empty-one", "invalid"],
      ["missing-one", "invalid"],
    ],
  );
  assert.equal(found[1].error, "There is no extension.json.");
});

test("EXT-73 EXT-71 EXT-72 a new extension runs at once when it is enabled", async () => {
  await cairn("extension:new", "acme/map", "--with", "route,tool,command,field,page,filter,reaction,check");
  const written = readFileSync(file("acme/map", "cairn.d.ts"), "utf8");
  assert.match(written, /declare module "cairn\/extension"/);
  assert.match(await cairn("extension:check", "acme/map"), /^acme\/map: no problems/);
  assert.match(await cairn("extension:list"), /acme\/map +0\.1\.0 +node +project +disabled/);
  assert.match(await failing(2, "map:hello"), /belongs to the extension acme\/map, which is disabled/);

  assert.match(await failing(2, "extension:enable", "acme/map"), /What it adds:[\s\S]*routes:hello[\s\S]*add --yes/);
  assert.match(await cairn("extension:show", "acme/map"), /State: +disabled/);
  assert.match(await failing(1, "extension:enable", "acme/map", "--yes", "--without", "mail"), /switches\.mail/);
  const record = JSON.parse(
    await cairn("extension:enable", "acme/map", "--yes", "--without", "routes:hello", "--json"),
  );
  assert.deepEqual([record.state, record.enabled], ["enabled", true]);
  const hello = () => server.request("GET", "/api/ext/acme/map/hello/Ada", { key: null });
  assert.equal((await hello()).status, 404);
  await cairn("extension:disable", "acme/map");
  const patch = await server.request("PATCH", "/api/extensions/acme/map", {
    body: { switches: { "routes:hello": true } },
  });
  assert.equal(patch.status, 200);
  assert.equal(await cairn("extension:enable", "acme/map"), "acme/map is enabled.\n");
  assert.deepEqual((await hello()).body, { hello: "Ada", caller: "anonymous" });

  assert.match(await cairn("help"), /Extension Map:\n +map:hello \[name\] +Say hello/);
  assert.match(await cairn("help", "map:hello"), /--loud +in capital letters/);
  assert.equal(await cairn("map:hello", "Ada", "--loud"), "HELLO, ADA!\n");
  assert.deepEqual(JSON.parse(await cairn("map:hello", "--json")), { text: "Hello, world!" });
  assert.match(await failing(2, "map:hello", "--quiet"), /unknown option/);
  assert.match(await failing(1, "extension:show", "acme/none"), /There is no extension "acme\/none"/);
});

test("EXT-72 a command returns its exit code, and its failures are one line", async () => {
  await cairn("extension:new", "acme/codes", "--with", "command");
  writeFileSync(
    file("acme/codes", "index.ts"),
    `export function register(cairn) {
      cairn.command("codes:hello", async (call, options, name) => {
        if (name === "refuse") cairn.fail(404, "There is nobody.");
        if (name === "throw") throw new Error("a secret");
        await call.print("\\u001b[31mred");
        return name === "three" ? 3 : name === "odd" ? 1.5 : undefined;
      });
    }`,
  );
  await cairn("extension:enable", "acme/codes", "--yes");
  assert.equal(await cairn("codes:hello"), "\\u001b[31mred\n");
  await failing(3, "codes:hello", "three");
  assert.equal(await failing(1, "codes:hello", "refuse"), "cairn: There is nobody.\n");
  const thrown = await failing(1, "codes:hello", "throw");
  assert.match(thrown, /cairn: The extension acme\/codes failed\./);
  assert.match(await failing(1, "codes:hello", "odd"), /returned no exit code/);
});

test("EXT-73 a new extension for the sandbox runs as well", async () => {
  await cairn("extension:new", "acme/box", "--runtime", "sandbox", "--with", "route,tool,filter");
  assert.match(await cairn("extension:check", "acme/box"), /^acme\/box: no problems/);
  await cairn("extension:enable", "acme/box", "--yes");
  const { body } = await server.request("GET", "/api/ext/acme/box/hello/Ada", { key: null });
  assert.deepEqual(body, { hello: "Ada", caller: "anonymous" });
  for (const [said, ...args] of [
    ["must be vendor/name", "extension:new", "Acme"],
    ["is there already", "extension:new", "acme/box"],
    ["must be node or sandbox", "extension:new", "acme/two", "--runtime", "deno"],
    ['no part "magic"', "extension:new", "acme/two", "--with", "magic"],
  ] as [string, ...string[]][])
    assert.match(await failing(2, ...args), new RegExp(said));
});

test("EXT-74 a check names all that is wrong", async () => {
  await cairn("extension:new", "acme/wrong", "--with", "route,page");
  writeFileSync(file("acme/wrong", "admin/overview.ts"), 'import x from "lodash";\nexport class Page {}\nvoid x;\n');
  writeFileSync(
    file("acme/wrong", "index.ts"),
    'import type { Cairn } from "cairn/extension";\nexport function register(cairn: Cairn) { cairn.rout("a"); }\n',
  );
  const said = await failing(1, "extension:check", "acme/wrong");
  for (const part of [
    /The code cannot be loaded: .*rout/,
    /exported as default/,
    /do not resolve "lodash"/,
    /TS2339|TS2551/,
  ])
    assert.match(said, part);
  writeFileSync(
    file("acme/wrong", "index.ts"),
    "export function register(cairn) { cairn.route('other', () => ({})); }\n",
  );
  assert.match(await failing(1, "extension:check", "acme/wrong"), /no function for routes:hello/);
  const manifest = JSON.parse(readFileSync(file("acme/wrong", "extension.json"), "utf8"));
  const commands = [{ name: "object:steal", about: "x" }];
  writeFileSync(file("acme/wrong", "extension.json"), JSON.stringify({ ...manifest, contributes: { commands } }));
  const [found] = JSON.parse(await failing(1, "extension:check", "acme/wrong", "--json"));
  assert.match(found.findings[0].text, /"object" is a word of Cairn's own commands/);
  assert.match(await failing(2, "extension:check", "acme/none"), /There is no extension/);
});

test("EXT-76 the zip holds what runs, and a package is checked", async () => {
  await cairn("extension:new", "acme/packed", "--runtime", "sandbox", "--with", "route");
  const zip = join(project, "packed.zip");
  const { files } = JSON.parse(await cairn("extension:pack", "acme/packed", "-o", zip, "--json"));
  assert.deepEqual(files, ["README.md", "extension.json", "index.ts"]);
  assert.equal(readFileSync(zip).subarray(0, 2).toString(), "PK");
  assert.match(await failing(2, "extension:pack", "acme/packed", "-o", zip), /add --force/);
  await cairn("extension:new", "acme/package", "--with", "route");
  assert.match(await failing(1, "extension:pack", "acme/package"), /needs a package\.json/);
  writeFileSync(file("acme/package", "package.json"), "{}");
  assert.match(await failing(1, "extension:pack", "acme/package"), /must be JavaScript/);
});

test("EXT-75 tests of an extension run against a real server, with hosts that answer instead of the network", async () => {
  await cairn("extension:new", "acme/tested", "--with", "route,command");
  const manifest = JSON.parse(readFileSync(file("acme/tested", "extension.json"), "utf8"));
  manifest.permissions = { hosts: ["geo.example.org"] };
  writeFileSync(file("acme/tested", "extension.json"), JSON.stringify(manifest));
  writeFileSync(
    file("acme/tested", "index.ts"),
    `import type { Cairn } from "cairn/extension";
    export function register(cairn: Cairn): void {
      cairn.route("hello", async (call) => {
        const found = await cairn.own.fetch("https://geo.example.org/find?q=" + call.params.name);
        return { status: found.status, body: { said: found.text, caller: call.actor.kind } };
      });
      cairn.command("tested:hello", async (call) => call.print((await cairn.own.fetch("https://geo.example.org/")).text));
    }`,
  );
  writeFileSync(
    file("acme/tested", "index.test.ts"),
    `import assert from "node:assert/strict";
    import { test } from "node:test";
    import { startCairn } from "cairn/testing";
    test("all", async () => {
      const site = await startCairn({ extension: import.meta.dirname });
      site.fakeHost("geo.example.org", ({ path, query }) => ({ status: 203, body: path + (query.q ?? "") }));
      const ask = async (as) => {
        const answer = await site.fetch("/api/ext/acme/tested/hello/Ada", { as });
        return [answer.status, await answer.json()];
      };
      assert.deepEqual(await ask("anonymous"), [203, { said: "/findAda", caller: "anonymous" }]);
      assert.deepEqual(await ask("editor"), [203, { said: "/findAda", caller: "user" }]);
      assert.deepEqual(await site.cli("tested:hello"), { code: 0, stdout: "/\\n", stderr: "" });
      await site.close();
    });`,
  );
  assert.match(await cairn("extension:test", "acme/tested"), /pass 1\n/);
  writeFileSync(
    file("acme/tested", "index.test.ts"),
    'import { test } from "node:test"; test("no", () => { throw 1; });',
  );
  assert.match(await failing(1, "extension:test", "acme/tested"), /fail 1\n/);
});

/** The scripts that a debugger sees at an address. */
async function scriptsAt(address: string): Promise<string[]> {
  const found: string[] = [];
  const socket = new WebSocket(address);
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as { method?: string; params?: { url: string } };
    if (method === "Debugger.scriptParsed") found.push(params?.url ?? "");
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  socket.send(JSON.stringify({ id: 1, method: "Debugger.enable" }));
  await until(() => found.some((url) => url.endsWith("/acme/map/index.ts")));
  socket.close();
  return found;
}

test("EXT-77 EXT-80 cairn dev runs what was saved, shows what is wrong with it, and lets a debugger in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-project-"));
  const index = join(folder, "extensions", "acme", "map", "index.ts");
  const made = await runCairn(["extension:new", "acme/map", "--with", "route"], { env: server.env, cwd: folder });
  assert.equal(made.code, 0, made.stderr);
  const args = ["--inspect-extensions", "0"];
  const dev = await startServer({ cwd: folder, command: "dev", args, env: { CAIRN_LOG_LEVEL: "info" } });
  try {
    assert.equal((await dev.cli(["extension:enable", "acme/map", "--yes"])).code, 0);
    const said = async () => (await dev.request("GET", "/api/ext/acme/map/hello/Ada", { key: null })).body?.hello;
    assert.equal(await said(), "Ada");
    const addresses = await until(() => dev.stderr.match(/ws:\/\/127\.0\.0\.1:\d+\/\S+/g) ?? undefined);
    const scripts = await scriptsAt(addresses?.at(-1) ?? "");
    assert.ok(!scripts.some((url) => url.endsWith("/serve.ts")), "it sees the thread of extensions alone");
    const text = readFileSync(index, "utf8");
    writeFileSync(index, text.replace("hello: name", 'hello: "you"'));
    await until(async () => (await said()) === "you");
    const state = async () => (await dev.request("GET", "/api/extensions/acme/map")).body.data;
    writeFileSync(index, "export function register(cairn) { cairn.nothing(); }");
    assert.match((await until(state, (found) => found.state === "failed")).error, /nothing is not a function/);
    await until(() => /extension acme\/map: .*nothing is not a function/.test(dev.stdout + dev.stderr));
    writeFileSync(index, text);
    await until(async () => (await said()) === "Ada");
  } finally {
    await dev.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
