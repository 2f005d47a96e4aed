// Sudden death in the middle of a sync import, again and again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { engine, repeats, type Server, startServer } from "../harness.ts";

const cycles = engine === "sqlite" ? repeats(2, 8) : repeats(2, 6);
const pages = 400;
const others = 50;
let server: Server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

/** 500 items, each of which says which version it is of. */
function payload(version: string) {
  const updated = "2024-01-01T00:00:00.000Z";
  const many = <T>(count: number, make: (id: string) => T): T[] =>
    Array.from({ length: count }, (_, n) => make(`item-${n}`));
  const properties = { title: { type: "string", label: version } };
  return {
    schemas: many(others, (id) => ({ id, description: version, properties, required: [], index: ["title"], updated })),
    collections: { custom: many(others, (id) => ({ id, schema: id, name: `Name ${version}`, updated })) },
    objects: many(pages, (id) => ({
      collection: "builder-pages",
      id,
      data: { title: `Title ${version}`, template: "x", description: version.repeat(200), modified: updated },
    })),
  };
}

/** The version of every item, as the server shows it. */
async function versionsThere(): Promise<Map<string, number>> {
  // What the import has left to do comes first, and long reads are refused for that moment.
  const answer = await until(
    () => server.request("GET", "/api/sync/export"),
    ({ status }) => status !== 503,
  );
  assert.equal(answer.status, 200, answer.text);
  const { schemas, collections, objects } = answer.body.data;
  const versions = [
    ...schemas.map(({ description }: { description: string }) => description),
    ...collections.custom.map(({ name }: { name: string }) => name.slice("Name ".length)),
    ...objects.map(({ data }: { data: { title: string } }) => data.title.slice("Title ".length)),
  ];
  const counts = new Map<string, number>();
  for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 1);
  return counts;
}

/** Returns when objects of the new version are seen: schemas and snapshots are on their way to disk then. */
async function committed(version: string): Promise<void> {
  for (;;) {
    const { body } = await server.request("GET", "/api/collections/builder-pages/item-1");
    if (body.data.title.endsWith(version)) return;
    await sleep(2);
  }
}

function contentHash(envelope: { schemas: object[]; collections: object; objects: object[] }): string {
  const { schemas, collections, objects } = envelope;
  const text = JSON.stringify([schemas, collections, objects], (key, value) =>
    /^(updated|created|modified)$/.test(key) ? undefined : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

function snapshotFolders(kind: string): string[] {
  const folder = join(server.dataDir, ".system", "backups", kind);
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}

test(`SYNC-70 ${cycles} kills during an import leave all of the old or all of the new, and a second import converges (F8)`, async () => {
  const total = pages + 2 * others;
  assert.equal((await server.request("POST", "/api/sync/import", { body: payload("v0") })).status, 200);
  let before = "v0";
  let died = 0;
  for (let cycle = 1; cycle <= cycles || died === 0; cycle += 1) {
    const next = `v${cycle}`;
    const sent = server.request("POST", "/api/sync/import", { body: payload(next) }).then(
      ({ status }) => status,
      () => 0,
    );
    await (cycle % 2 === 0 ? committed(next) : sleep(20 + 600 * Math.random()));
    await server.kill();
    const status = await sent;
    await server.restart();
    const versions = await versionsThere();
    assert.equal(versions.size, 1, `after kill ${cycle}: ${JSON.stringify([...versions])}`);
    const [[version, count]] = [...versions] as [[string, number]];
    assert.equal(count, total);
    assert.ok(
      version === next || (version === before && status !== 200),
      `${version} after kill ${cycle}, answered ${status}`,
    );
    if (status !== 200) died += 1;
    if (version === next) {
      assert.equal(snapshotFolders("objects/builder-pages").length, pages, `snapshots after kill ${cycle}`);
      assert.equal(snapshotFolders("schemas").length, others);
      assert.equal(snapshotFolders("collections").length, others);
    }
    before = version;
  }

  assert.equal((await server.request("POST", "/api/sync/import", { body: payload("end") })).status, 200);
  const once = contentHash((await server.request("GET", "/api/sync/export")).body.data);
  const again = await server.request("POST", "/api/sync/import", { body: payload("end") });
  assert.equal(again.body.data.unchanged.length, total);
  assert.equal(contentHash((await server.request("GET", "/api/sync/export")).body.data), once);
  const settings = await server.request("GET", "/api/collections/builder-pages/settings");
  assert.equal(settings.body.data.totalObjects, pages);
  const found = await server.request("GET", "/api/collections/item-7/settings");
  assert.equal(found.body.data.index.state, "ready");
});
