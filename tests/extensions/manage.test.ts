// What an administrator does with an extension: settings, log, reports, reload, installing and removing.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import type { ExtensionLogLine } from "#contract/extensions.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { makeUser, signIn, signInAlone } from "../support/sign-in.ts";
import { type ZipEntry, zipOf } from "../support/zip.ts";

const id = "acme/shop";
const at = `/api/extensions/${id}`;
const settingsSchema = {
  type: "object",
  properties: {
    city: { type: "string", maxLength: 10, default: "Bern" },
    limit: { type: "integer", minimum: 1 },
    token: { type: "string", format: "secret", minLength: 3 },
  },
  additionalProperties: false,
};
const code = `export function register(cairn) {
  cairn.route("settings", async () => ({ body: cairn.settings.all() }));
  cairn.route("log", async () => { cairn.log.warn("careful", { big: "x".repeat(9000) }); await cairn.store.set("a", 1); return {}; });
}`;
const route = (name: string) => ({ name, method: "GET", path: `/${name}`, access: "public" });

let server: Server;
let project: string;
let folder: string;

function write(settings: object = settingsSchema, text = code): void {
  writeExtension(folder, {
    id,
    manifest: { settings_schema: "settings.json", contributes: { routes: [route("settings"), route("log")] } },
    files: { "index.ts": text, "settings.json": JSON.stringify(settings) },
  });
}

before(async () => {
  project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  writeExtension(join(project, "extensions"), { id: "acme/own", files: { "index.ts": code } });
  server = await startServer({ cwd: project });
  folder = join(server.dataDir, "extensions");
  write();
  await enableExtension(server, id);
});
after(async () => {
  await server.stop();
  rmSync(project, { recursive: true });
});

const own = async () => (await server.request("GET", `/api/ext/${id}/settings`, { key: null })).body;

test("EXT-8 settings are checked by the schema of the extension, and the code sees them with the next call", async () => {
  assert.deepEqual((await server.request("GET", `${at}/settings`)).body.data, { city: "Bern" });
  assert.deepEqual(await own(), { city: "Bern" });
  const wrong = await server.request("PUT", `${at}/settings`, { body: { limit: 0, odd: 1, token: "ab" } });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.error.details).sort(), ["limit", "odd", "token"]);
  const sent = { limit: 3, city: "Basel", token: "a secret" };
  const put = await server.request("PUT", `${at}/settings`, { body: sent });
  assert.deepEqual(put.body.data, { city: "Basel", limit: 3, token: { set: true } });
  assert.deepEqual(await own(), sent);
  assert.equal((await server.request("PUT", `${at}/settings`, { body: [] })).status, 400);
});

test("EXT-9 a secret is never answered, and stays when it is sent as set", async () => {
  await server.request("PUT", `${at}/settings`, { body: { token: { set: true } } });
  assert.deepEqual(await own(), { city: "Bern", token: "a secret" });
  const { text } = await server.request("GET", at);
  assert.ok(!text.includes("a secret"));
  await server.request("PUT", `${at}/settings`, { body: {} });
  assert.deepEqual(await own(), { city: "Bern" });
  await server.request("PUT", `${at}/settings`, { body: { token: { set: true } } });
  assert.deepEqual(await own(), { city: "Bern" });
});

test("EXT-10 values that a new schema refuses are kept and named, and the defaults are used for them", async () => {
  await server.request("PUT", `${at}/settings`, { body: { city: "Lausanne", limit: 5 } });
  write({
    ...settingsSchema,
    properties: { ...settingsSchema.properties, city: { type: "string", maxLength: 3, default: "A" } },
  });
  const { body } = await server.request("GET", at);
  assert.equal(body.data.state, "enabled");
  assert.match(body.data.error, /kept.*city/);
  assert.deepEqual(await own(), { city: "A", limit: 5 });
  write();
  assert.equal((await server.request("GET", at)).body.data.error, null);
  assert.deepEqual(await own(), { city: "Lausanne", limit: 5 });
});

test("EXT-11 the log has what the code wrote and what the admin reported, after a known line", async () => {
  await server.request("GET", `/api/ext/${id}/log`, { key: null });
  const read = async (after = 0): Promise<ExtensionLogLine[]> =>
    (await server.request("GET", `${at}/log?after=${after}`)).body.data;
  await until(async () => (await read()).some(({ text }) => text === "careful"));
  await makeUser(server, "writer", ["editor"]);
  const writer = await signIn(server, "writer");
  const last = (await read()).at(-1)?.id ?? 0;
  const report = { message: "did not load", name: "overview" };
  assert.equal((await writer.request("POST", `${at}/reports`, { body: report })).status, 204);
  const [line] = await read(last);
  assert.equal(line?.text, "In the admin, overview: did not load");
  assert.equal((await writer.request("POST", `${at}/reports`, { body: {} })).status, 400);
  assert.equal((await server.request("POST", `${at}/reports`, { key: null, body: report })).status, 401);
  assert.equal((await writer.request("GET", `${at}/log`)).status, 403);
  assert.equal((await server.request("GET", `${at}/log?after=x`)).status, 400);
  let status = 204;
  for (let sent = 0; sent < 45 && status === 204; sent += 1)
    status = (await writer.request("POST", `${at}/reports`, { body: report })).status;
  assert.equal(status, 429);
});

test("EXT-12 EXT-81 an extension that could not be loaded is tried again when its code changes, by reload, and at the start", async () => {
  const broken = 'export function register() { throw new Error("not yet"); }';
  const stateOf = async () => (await server.request("GET", at)).body.data.state;
  const call = async () => (await server.request("GET", `/api/ext/${id}/settings`, { key: null })).status;
  const breakIt = async () => {
    write(settingsSchema, broken);
    await server.request("POST", `${at}/reload`);
    assert.equal(await call(), 500);
    await until(async () => (await stateOf()) === "failed");
    assert.equal(await call(), 404);
  };
  await breakIt();
  assert.match((await server.request("GET", at)).body.data.error, /not yet/);
  write();
  assert.equal(await stateOf(), "enabled");
  assert.equal(await call(), 200);

  await breakIt();
  const again = await server.request("POST", `${at}/reload`);
  assert.deepEqual([again.body.data.state, again.body.data.error], ["enabled", null]);
  assert.equal(await call(), 500);
  await until(async () => (await stateOf()) === "failed");
  await server.restart();
  assert.equal(await stateOf(), "enabled");
  await server.setSetting("extensions.eager", true);
  await server.restart();
  await until(async () => (await stateOf()) === "failed");
  await server.setSetting("extensions.eager", false);
  write();
  await server.request("POST", `${at}/reload`);
  assert.equal(await call(), 200);
});

const manifest = (more: object = {}) => ({
  ...{ id: "acme/box", name: "Box", version: "1.0.0", api: 1, runtime: "sandbox", entrypoint: "index.js" },
  ...more,
});
const entriesOf = (more: object = {}): ZipEntry[] => [
  { name: "extension.json", text: JSON.stringify(manifest(more)) },
  { name: "index.js", text: "export function register() {}" },
];
const install = (entries: ZipEntry[]) =>
  server.request("POST", "/api/extensions", {
    raw: zipOf(entries),
    headers: { "content-type": "application/zip" },
  });

test("EXT-13 a zip for the sandbox is installed whole; whatever is wrong with one, nothing is written", async () => {
  const index = entriesOf()[1] as ZipEntry;
  const wrong: [ZipEntry[], RegExp][] = [
    [[...entriesOf(), { name: "../evil.js", text: "" }], /archive/],
    [[...entriesOf(), { name: "/evil.js", text: "" }], /archive/],
    [[...entriesOf(), { name: "link.js", text: "/etc/passwd", mode: 0o120777 }], /is a link/],
    [[...entriesOf(), { name: "big.js", text: "x".repeat(5_000_001) }], /larger than/],
    [[...entriesOf(), { name: ".hidden/a.js", text: "" }], /not a path below/],
    [entriesOf({ id: "../acme" }), /extension\.json/],
    [entriesOf({ id: "acme/../../x" }), /extension\.json/],
    [entriesOf({ runtime: "node" }), /sandbox/],
    [[index], /extension\.json/],
  ];
  for (const [entries, said] of wrong) {
    const { status, text } = await install(entries);
    assert.equal(status, 400, text);
    assert.match(text, said);
  }
  const noZip = { raw: "no zip", headers: { "content-type": "application/zip" } };
  assert.equal((await server.request("POST", "/api/extensions", noZip)).status, 400);
  assert.deepEqual(readdirSync(folder), ["acme"]);
  assert.deepEqual(readdirSync(join(folder, "acme")), ["shop"]);

  const made = await install(entriesOf());
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.data.id, made.body.data.state, made.body.data.source], ["acme/box", "disabled", "data"]);
  assert.equal((await install(entriesOf({ version: "1.0.1" }))).body.data.version, "1.0.1");
  // Code that runs with the rights of the server is not replaced over HTTP.
  assert.equal((await install(entriesOf({ id }))).status, 409);
  assert.deepEqual(readdirSync(folder), ["acme"]);
});

test("EXT-14 removing takes the code away; its store and settings wait, unless they are purged", async () => {
  await server.request("PUT", `${at}/settings`, { body: { city: "Bern2" } });
  const kept = join(server.dataDir, ".system", "extension-data", id);
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, "a"), "a");
  assert.equal((await server.request("DELETE", at)).status, 204);
  assert.ok(!existsSync(join(folder, id)) && existsSync(kept));
  assert.equal((await server.request("GET", at)).status, 404);
  assert.equal((await server.request("GET", `/api/ext/${id}/settings`, { key: null })).status, 404);
  write();
  await enableExtension(server, id);
  assert.equal((await own()).city, "Bern2");
  assert.equal((await server.request("DELETE", `${at}?purge=true`)).status, 204);
  assert.ok(!existsSync(kept));
  write();
  await enableExtension(server, id);
  assert.deepEqual(await own(), { city: "Bern" });
  assert.equal((await server.request("DELETE", "/api/extensions/acme/none")).status, 404);
});

test("EXT-15 what is not in the data directory stays, and a session must have confirmed its password", async () => {
  const refused = await server.request("DELETE", "/api/extensions/acme/own");
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.body.error.message, /belongs to the project/);
  await makeUser(server, "boss", ["admin"]);
  const boss = await signInAlone(server, "boss");
  const zip = { raw: zipOf(entriesOf({ version: "2.0.0" })), headers: { "content-type": "application/zip" } };
  assert.equal((await boss.request("POST", "/api/extensions", zip)).status, 403);
  assert.equal((await boss.request("DELETE", "/api/extensions/acme/box")).status, 403);
});

test("EXT-18 an extension has a folder for files, which backups hold", async () => {
  const text = `import { writeFileSync } from "node:fs";
    export function register(cairn) {
      cairn.route("keep", () => {
        writeFileSync(cairn.dataFolder + "/large", Buffer.alloc(3_000_000, "x"));
        return { body: { folder: cairn.dataFolder } };
      });
    }`;
  const manifest = { contributes: { routes: [route("keep")] } };
  writeExtension(folder, { id: "acme/files", manifest, files: { "index.ts": text } });
  await enableExtension(server, "acme/files");
  const kept = join(server.dataDir, ".system", "extension-data", "acme", "files");
  assert.ok(!existsSync(kept), "it is made when it is needed");
  const answer = await server.request("GET", "/api/ext/acme/files/keep", { key: null });
  assert.deepEqual([answer.status, answer.body], [200, { folder: kept }]);
  assert.equal(statSync(kept).mode & 0o777, 0o700);
  const file = join(project, "whole.zip");
  const made = await server.cli(["backup:create", file]);
  assert.equal(made.code, 0, made.stderr);
  await server.terminate();
  rmSync(join(kept, "large"));
  writeFileSync(join(kept, "newer"), "a");
  const restored = await server.cli(["backup:restore-all", file, "--force"]);
  assert.equal(restored.code, 0, restored.stdout + restored.stderr);
  assert.deepEqual(readdirSync(kept), ["large"]);
  assert.ok(readFileSync(join(kept, "large")).equals(Buffer.alloc(3_000_000, "x")));
  await server.restart();
});
