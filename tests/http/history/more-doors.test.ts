// The doors that few callers use: forms of the website, definitions from elsewhere, and extensions. Each change has an author.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { enableExtension, writeExtension } from "../../support/extensions.ts";

let server: Server;
const text = { type: "string", field: "text" };

before(async () => {
  server = await startServer({
    settings: { api: { rateLimit: 0 }, forms: { rateLimit: 0 }, history: { default: "full" } },
  });
  await server.makeSchema({ id: "note", properties: { title: text }, index: ["title"] });
  await server.makeCollection({
    ...{ id: "notes", schema: "note" },
    forms: { contact: { fields: ["title"] } },
  });
  const code = `export function register(cairn) {
    cairn.route("own", async ({ body }) => ({ body: await cairn.own.objects.create("notes", body) }));
    cairn.route("as", async (call) => ({ body: await call.as.objects.create("notes", call.body) }));
  }`;
  const routes = ["own", "as"].map((name) => ({ name, method: "POST", path: `/${name}`, access: "key" }));
  const collections = { notes: ["create", "read"] };
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/writer",
    manifest: { contributes: { routes }, permissions: { collections } },
    files: { "index.ts": code },
  });
  await enableExtension(server, "acme/writer");
});
after(() => server.stop());

interface Said {
  kind: string;
  id: string;
  by: { actor: string; door: string; run?: string };
}
const said = async (title: string, collection = "notes"): Promise<string[]> => {
  const [object] = (await server.request("GET", `/api/collections/${collection}?filter[title]=${title}`)).body.data;
  const [change] = (await server.request("GET", `/api/history/${collection}/${object?.id}`)).body.data as Said[];
  return change ? [change.kind, change.by.actor.split(":")[0] ?? "", change.by.door] : [];
};

test("WRI-2 each way of writing names its caller and its door: forms, syncs, jumpstarts and extensions", async () => {
  const sent = await server.request("POST", "/forms/notes/contact", {
    key: null,
    raw: "title=form",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  });
  assert.ok(sent.status < 300, sent.text);
  assert.deepEqual(await said("form"), ["create", "form", "api"]);

  for (const [path, collection, door] of [
    ["/api/sync/import", "builder-pages", "sync"],
    ["/api/import/jumpstart", "notes", "import"],
  ] as const) {
    const data = { title: door, ...(door === "sync" && { template: "x" }) };
    const body = { version: "1.0.0", name: "x", objects: [{ collection, id: door, data }] };
    const answer = await server.request("POST", path, { body });
    assert.ok(answer.status < 300, answer.text);
    assert.deepEqual(await said(door, collection), ["create", "key", door], path);
  }

  for (const [path, actor] of [
    ["own", "extension"],
    ["as", "key"],
  ] as const) {
    const answer = await server.request("POST", `/api/ext/acme/writer/${path}`, { body: { title: path } });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await said(path), ["create", actor, "extension"], path);
  }
});

test("WRI-2 each way of writing names its caller and its door: no change is without an author", async () => {
  const read = async () => (await server.request("GET", "/api/changes?limit=100")).body.data as Said[];
  // A change is listed once no transaction is open that may commit before it.
  const data = await until(read, (found) => found.length >= 5);
  const nameless = data.filter(({ by }) => !by?.actor || !by.door);
  assert.deepEqual(nameless, []);
});

test("UND-17 UND-1 what an extension wrote is undone, by itself and for its callers, and nothing else of theirs", async () => {
  const written = ["undo-own", "undo-as", "undo-key"];
  for (const [at, path] of ["ext/acme/writer/own", "ext/acme/writer/as", "collections/notes"].entries()) {
    const answer = await server.request("POST", `/api/${path}`, { body: { id: written[at], title: written[at] } });
    assert.ok(answer.status < 300, answer.text);
  }
  const by = { extension: "acme/writer" };
  const preview = await server.request("POST", "/api/undo", { body: { by } });
  const named = preview.body.data.items.map(({ id }: { id: string }) => id);
  assert.ok(named.includes("undo-own") && named.includes("undo-as") && !named.includes("undo-key"), String(named));
  const applied = await server.request("POST", "/api/undo", { body: { by, apply: preview.body.data.plan } });
  assert.equal(applied.status, 202, applied.text);
  const statuses = () =>
    Promise.all(written.map(async (id) => (await server.request("GET", `/api/collections/notes/${id}`)).status));
  await becomes(statuses, [404, 404, 200]);
  const other = await server.request("POST", "/api/undo", { body: { by: { extension: "acme/other" } } });
  assert.deepEqual(other.body.data.items, []);
});
