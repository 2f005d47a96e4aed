// The routes of the admin for sync and whole backups, between two real installations.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import type { Answer, Server } from "../harness.ts";
import { makeUser, type Person, password, signIn, signInAlone } from "../support/sign-in.ts";
import { article, exported, makeKey, names, type Pair, startPair } from "./pair.ts";

let pair: Pair;
let here: Server;
let there: Server;
let ada: Person;
const folder = mkdtempSync(join(tmpdir(), "cairn-transfer-"));

before(async () => {
  pair = await startPair();
  ({ here, there } = pair);
  await makeUser(here, "ada", ["admin"]);
  await makeUser(here, "eve", ["editor"]);
  ada = await signIn(here, "ada");
  await here.makeSchema(article);
  await here.makeCollection({ id: "news", schema: "article", name: "News" });
  await here.request("POST", "/api/collections/news", { body: { id: "first", title: "First" } });
});
after(async () => {
  await pair.stop();
  rmSync(folder, { recursive: true });
});

async function describeThere(description: string): Promise<void> {
  const { status, text } = await there.request("PUT", "/api/schemas/article", { body: { ...article, description } });
  assert.equal(status, 200, text);
}

const post = (path: string, body: object = {}) => ada.request("POST", path, { body });

test("ADM-880 the remote is looked at, and its key is in no answer", async () => {
  const { body, text } = await ada.request("GET", "/api/sync/remote");
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"));
  assert.deepEqual(body.data, { configured: true, url: `${there.url}/api`, reachable: true, version });
  const { sync } = JSON.parse(readFileSync(join(here.dataDir, ".system", "settings.json"), "utf8"));
  assert.ok(!text.includes(sync.key));
  assert.deepEqual((await there.request("GET", "/api/sync/remote")).body.data, {
    ...{ configured: false, url: "", reachable: false, version: "" },
  });
});

test("ADM-881 a comparison takes what the flags take, and changes nothing", async () => {
  const before = await exported(there);
  const { status, body } = await post("/api/sync/compare", { direction: "push" });
  assert.equal(status, 200);
  const { items, compared, sent, remote } = body.data;
  assert.deepEqual([compared, sent, remote], [true, false, `${there.url}/api`]);
  const found = items.filter(({ status: how }: { status: string }) => how === "new");
  assert.deepEqual(names(found), ["collection news", "schema article"]);
  const seeds = await post("/api/sync/compare", { direction: "push", objects: ["news"] });
  assert.deepEqual(names(seeds.body.data.items), ["object news/first"]);
  const some = await post("/api/sync/compare", { direction: "push", selection: { schemas: ["article", "none"] } });
  assert.deepEqual(names(some.body.data.items), ["schema article"]);
  assert.deepEqual(some.body.data.missing, [{ kind: "schema", id: "none" }]);
  const times = ({ description: _, ...rest }: Record<string, unknown>) => rest;
  assert.deepEqual(times(await exported(there)), times(before));
});

test("ADM-882 ADM-883 a push is reported, and keeps the newer copy where that is asked for", async () => {
  const selection = { schemas: ["article"], collections: ["news"] };
  const { status, body, text } = await post("/api/sync/push", { selection });
  assert.equal(status, 200, text);
  assert.deepEqual(names(body.data.result.created), ["collection news", "schema article"]);
  assert.equal(body.data.sent, true);
  await describeThere("Changed there");
  const kept = await post("/api/sync/push", { selection, keepNewer: true });
  assert.deepEqual([kept.status, kept.body.error.details.selection], [412, ["schema article"]]);
  const schemaThere = async () => (await there.request("GET", "/api/schemas/article?raw=true")).body.description;
  assert.equal(await schemaThere(), "Changed there");
  const pulled = await post("/api/sync/pull", { selection, keepNewer: true });
  assert.deepEqual(names(pulled.body.data.result.updated), ["schema article"]);
  const log = readFileSync(join(here.dataDir, ".system", "logs", "access.log"), "utf8");
  assert.match(log, /"type":"sync.pushed".*"created":2,"updated":0/);
  assert.match(log, /"type":"sync.pulled".*"created":0,"updated":1/);
});

test("ADM-882 one push or pull runs at a time", async () => {
  const together = await Promise.all(Array.from({ length: 4 }, () => post("/api/sync/push", { objects: ["news"] })));
  const statuses = together.map(({ status }) => status);
  assert.ok(statuses.includes(200));
  for (const { status, body } of together)
    if (status !== 200) assert.match(`${status} ${body.error.message}`, /^400 A push or a pull is under way/);
});

test("ADM-884 both copies of an item are shown", async () => {
  await describeThere("Only there");
  const { body } = await post("/api/sync/difference", { kind: "schema", id: "article" });
  assert.deepEqual([body.data.local.description, body.data.remote.description], ["Changed there", "Only there"]);
  const home = { id: "home", title: "Home", template: "pages/home" };
  await here.request("PUT", "/api/templates/pages/home", { body: { template: "home" } });
  await here.request("POST", "/api/collections/builder-pages", { body: home });
  const page = await post("/api/sync/difference", { kind: "object", collection: "builder-pages", id: "home" });
  assert.deepEqual([page.body.data.local.title, page.body.data.remote], ["Home", null]);
  assert.equal((await post("/api/sync/difference", { kind: "schema", id: "none" })).status, 404);
  const seed = await post("/api/sync/difference", { kind: "object", collection: "news", id: "first" });
  assert.deepEqual([seed.status, Object.keys(seed.body.error.details)], [400, ["collection"]]);
});

test("ADM-885 bad orders are refused by name, and a remote that fails in plain words", async () => {
  for (const [path, body, property] of [
    ["compare", {}, "direction"],
    ["compare", { direction: "up" }, "direction"],
    ["push", { selection: {} }, "selection"],
    ["push", { selection: { schemas: [] } }, "selection"],
    ["push", { selection: { colours: true } }, "selection"],
    ["push", { objects: "news" }, "objects"],
    ["push", { objects: ["auth"] }, "objects"],
    ["pull", { objects: ["news"] }, "objects"],
    ["push", { overwrite: "yes" }, "overwrite"],
    ["difference", { kind: "moon", id: "x" }, "kind"],
  ] as const) {
    const answer = await post(`/api/sync/${path}`, body);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.details)], [400, [property]], JSON.stringify(body));
  }
  const unset = await there.request("POST", "/api/sync/push", { body: {} });
  assert.equal(unset.status, 400);
  assert.match(unset.body.error.message, /Sync is not configured/);
  await here.setSetting("sync.key", "cairn_wrong");
  try {
    const refused = await post("/api/sync/pull", { selection: { schemas: true } });
    assert.equal(refused.status, 422);
    assert.match(refused.body.error.message, /HTTP 401: the remote refuses the key/);
    const seen = await ada.request("GET", "/api/sync/remote");
    assert.equal(seen.body.data.reachable, false);
    assert.ok(!seen.text.includes("cairn_wrong") && !here.stderr.includes("cairn_wrong"));
  } finally {
    await here.setSetting("sync.key", null);
    const { sync } = JSON.parse(readFileSync(join(here.dataDir, ".system", "settings.json"), "utf8"));
    if (!sync?.key) await here.setSetting("sync.key", await makeKey(there, "/sync,/import/jumpstart"));
  }
});

test("ADM-885 a key to sync alone does not reach the remote", async () => {
  const key = await makeKey(here, "/sync");
  assert.equal((await here.request("GET", "/api/sync/export?schemas=-", { key })).status, 200);
  for (const [method, path] of [
    ["GET", "remote"],
    ["POST", "compare"],
    ["POST", "push"],
    ["POST", "pull"],
    ["POST", "difference"],
  ] as const) {
    const body = method === "POST" ? { body: { direction: "push", kind: "schema", id: "article" } } : {};
    assert.equal((await here.request(method, `/api/sync/${path}`, { key, ...body })).status, 401, path);
  }
});

test("ADM-886 a dry run of a jumpstart answers as the import, and stores nothing", async () => {
  const definition = {
    ...{ version: "1.0.0", name: "Trial", description: "", collections: { reserved: [], custom: [] }, factory: [] },
    schemas: [{ ...article, id: "leaf" }],
    templates: [{ id: "pages/leaf", template: "x" }],
    objects: [{ collection: "leaves", id: "one", data: { title: "One" } }],
  };
  definition.collections.custom.push({ id: "leaves", schema: "leaf" } as never);
  const tried = await post("/api/import/jumpstart?dryRun=true", definition);
  assert.equal(tried.status, 200, tried.text);
  assert.equal(tried.body.data.dryRun, true);
  assert.deepEqual(names(tried.body.data.created), [
    ...["collection leaves", "object leaves/one", "schema leaf", "template pages/leaf"],
  ]);
  for (const path of ["/api/schemas/leaf", "/api/collections/leaves/one", "/api/templates/pages/leaf"])
    assert.equal((await here.request("GET", path)).status, 404, path);
  const stored = await post("/api/import/jumpstart", definition);
  assert.deepEqual(names(stored.body.data.created), names(tried.body.data.created));
  const refused = { ...definition, objects: [{ collection: "none", id: "one", data: {} }] };
  const [trial, real] = [
    await post("/api/import/jumpstart?dryRun=true", refused),
    await post("/api/import/jumpstart", refused),
  ];
  assert.deepEqual([trial.status, trial.body.error.details], [real.status, real.body.error.details]);
});

test("ADM-892 snapshots are found by a part of their id or collection", async () => {
  const found = async (query: string) => names((await ada.request("GET", `/api/snapshots?${query}`)).body.data);
  assert.deepEqual(await found("search=RTIC"), ["schema article"]);
  assert.deepEqual(await found("search=zebra"), []);
});

const jobOf = async (id: string) => (await ada.request("GET", `/api/jobs/${id}`)).body.data;

async function ended(answer: Answer): Promise<void> {
  assert.equal(answer.status, 202, answer.text);
  const job = await until(async () => {
    const found = await jobOf(answer.body.data.job);
    return found.status === "succeeded" || found.status === "failed" ? found : undefined;
  });
  assert.equal(job.status, "succeeded", job.error);
}

test("ADM-887 ADM-888 backups take the password of the last ten minutes", async () => {
  ada = await signInAlone(here, "ada");
  const refused = await ada.request("GET", "/api/backups");
  assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [403, ["password"]]);
  for (const [method, path] of [
    ["POST", "/api/backups"],
    ["GET", "/api/backups/backup-20300101-000000.zip"],
    ["DELETE", "/api/backups/backup-20300101-000000.zip"],
  ] as const)
    assert.equal((await ada.request(method, path)).status, 403);
  assert.equal((await here.request("GET", "/api/backups")).status, 403);
  const wrong = await post("/api/auth/confirm", { password: "wrong" });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.error.details)], [403, ["password"]]);
  assert.deepEqual(Object.keys((await post("/api/auth/confirm", {})).body.error.details), ["password"]);
  const confirmed = await post("/api/auth/confirm", { password });
  const minutes = (Date.parse(confirmed.body.data.confirmedUntil) - Date.now()) / 60_000;
  assert.ok(minutes > 0 && minutes <= 10, String(minutes));
  assert.equal((await ada.request("GET", "/api/backups")).status, 200);
  // It is this session's alone, and no proof for what asks for the password itself.
  const other = await signInAlone(here, "ada");
  assert.equal((await other.request("GET", "/api/backups")).status, 403);
  assert.equal((await post("/api/passkeys/register/options")).status, 400);
  const eve = await signIn(here, "eve");
  assert.equal((await eve.request("POST", "/api/auth/confirm", { body: { password } })).status, 200);
  assert.equal((await eve.request("GET", "/api/backups")).status, 403);
});

test("ADM-889 ADM-891 a backup is made by a job, listed, downloaded, whole, and deleted", async () => {
  // That of so small a site may end before the second request arrives: then once more.
  await until(async () => {
    const both = await Promise.all([post("/api/backups"), post("/api/backups")]);
    for (const one of both) await ended(one);
    return new Set(both.map(({ body }) => body.data.job)).size === 1;
  });
  const made = (await ada.request("GET", "/api/backups")).body.data.length;
  const place = join(here.dataDir, ".system", "whole-backups");
  writeFileSync(join(place, "backup-20300101-000000.zip.1.part"), "half");
  await ended(await post("/api/backups"));
  const { body } = await ada.request("GET", "/api/backups");
  assert.equal(body.data.length, made + 1);
  assert.ok(body.meta.disk.free > 0 && body.meta.job === null);
  const [{ name, size }] = body.data;
  const path = `/api/backups/${name}`;
  const { cookie } = ada;
  const sent = await fetch(here.url + path, { headers: { cookie } });
  assert.equal(sent.headers.get("content-disposition"), `attachment; filename="${name}"`);
  assert.equal(sent.headers.get("cache-control"), "private, no-cache");
  const bytes = Buffer.from(await sent.arrayBuffer());
  assert.equal(bytes.length, size);
  const file = join(folder, "site.zip");
  writeFileSync(file, bytes);
  const verified = await here.cli(["backup:verify", file]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.ok(!bytes.includes("whole-backups"));
  const part = await fetch(here.url + path, { headers: { cookie, range: "bytes=2-5" } });
  assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(2, 6)]);
  assert.equal((await ada.request("DELETE", path)).status, 204);
  for (const gone of [path, "/api/backups/settings.json", "/api/backups/site.zip"])
    for (const method of ["GET", "DELETE"]) assert.equal((await ada.request(method, gone)).status, 404, gone);
  assert.equal(existsSync(join(place, name)), false);
  const log = readFileSync(join(here.dataDir, ".system", "logs", "access.log"), "utf8");
  for (const type of ["created", "downloaded", "deleted"]) assert.match(log, new RegExp(`backup.${type}.*${name}`));
  assert.deepEqual(
    readdirSync(place).filter((left) => left.endsWith(".part")),
    [],
  );
});
