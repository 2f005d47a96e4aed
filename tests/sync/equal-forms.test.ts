// Dry runs of two installations that say the same in different forms: what an import would leave as it is, is identical.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { article, create, type Pair, startPair } from "./pair.ts";

let pair: Pair;

before(async () => {
  pair = await startPair();
  for (const server of [pair.here, pair.there]) await server.makeSchema(article);
});
after(() => pair.stop());

interface Item {
  kind: string;
  id: string;
  status?: string;
  warning?: string;
}

async function run(...args: string[]) {
  const { code, stdout, stderr } = await pair.here.cli([...args, "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}
const dryRun = async (...args: string[]) =>
  ((await run(...args, "--dry-run")).items as Item[]).map(({ kind, id, status, warning }) =>
    [kind, id, status, warning].filter((part) => part !== undefined).join(" "),
  );
const settingsOf = async (server: Pair["here"], id: string) =>
  (await server.request("GET", `/api/collections/${id}/settings`)).body.data;

test("SYNC-56 HIS-26 settings without a history are compared without it, in both directions", async () => {
  const make = (server: Pair["here"], id: string, history: string | null) =>
    server.makeCollection({ id, schema: "article", history });
  await make(pair.here, "one", null);
  await make(pair.there, "one", "full");
  assert.deepEqual(await dryRun("push", "--collections=one"), ["collection one identical"]);
  const pushed = await run("push", "--collections=one");
  assert.deepEqual([pushed.result.updated, pushed.result.unchanged.length], [[], 1]);
  assert.equal((await settingsOf(pair.there, "one")).history, "full");

  await make(pair.here, "two", "full");
  await make(pair.there, "two", null);
  assert.deepEqual(await dryRun("pull", "--collections=two"), ["collection two identical"]);
  assert.deepEqual((await run("pull", "--collections=two")).result.updated, []);
  assert.equal((await settingsOf(pair.here, "two")).history, "full");

  // Who names one sends it.
  const [named] = await dryRun("push", "--collections=two");
  assert.match(String(named), /^collection two differs/);
  await run("push", "--collections=two", "--yes");
  assert.equal((await settingsOf(pair.there, "two")).history, "full");
  assert.deepEqual(await dryRun("push", "--collections=two"), ["collection two identical"]);
});

test("SYNC-56 a reserved collection that its first object made is like one that was made with a history", async () => {
  await create(pair.here, "automations", { id: "n", name: "N", handler: "export default async () => 1" });
  const body = { id: "automations", schema: "automations" };
  assert.equal((await pair.there.request("POST", "/api/collections", { body })).status, 201);
  assert.deepEqual(await dryRun("push", "--collections=automations"), ["collection automations identical"]);
});

test("SYNC-53 a schema file that was written by hand is identical to what the receiver has made of it", async () => {
  const byHand = (server: Pair["here"], id: string) =>
    writeFileSync(
      join(server.dataDir, ".schemas", `${id}.json`),
      JSON.stringify({
        id,
        title: "By hand",
        type: "object",
        properties: { name: { field: "text" } },
        required: ["name"],
      }),
    );
  byHand(pair.here, "hand");
  await becomes(async () => (await pair.here.request("GET", "/api/schemas/hand")).status, 200);
  assert.deepEqual(await dryRun("push", "--schemas=hand"), ["schema hand new"]);
  assert.equal((await run("push", "--schemas=hand")).result.created.length, 1);
  assert.deepEqual(await dryRun("push", "--schemas=hand"), ["schema hand identical"]);
  assert.deepEqual(await dryRun("pull", "--schemas=hand"), ["schema hand identical"]);
  const pulled = await run("pull", "--schemas=hand");
  assert.deepEqual([pulled.result.updated, pulled.result.unchanged.length], [[], 1]);
  const other = { id: "hand", title: "Other", properties: { name: { field: "text" } }, required: ["name"] };
  assert.equal((await pair.there.request("PUT", "/api/schemas/hand", { body: other })).status, 200);
  assert.match(String(await dryRun("push", "--schemas=hand")), /^schema hand differs/);
});

test("SYNC-57 a push gives objects that it leaves alone the status of the dry run", async () => {
  for (const server of [pair.here, pair.there]) {
    await server.makeCollection({ id: "news", schema: "article", history: null });
    await create(server, "news", { id: "same", title: "Same" });
    await create(server, "news", { id: "other", title: server === pair.here ? "Mine" : "Theirs" });
  }
  await create(pair.here, "news", { id: "fresh", title: "Fresh" });
  const statuses = (items: Item[]) => Object.fromEntries(items.map(({ id, status }) => [id, status]));
  const planned = statuses((await run("push", "--objects=news", "--dry-run")).items);
  assert.deepEqual(planned, { same: "identical", other: "differs", fresh: "new" });
  const { items, result } = await run("push", "--objects=news");
  assert.equal(result.skipped.length, 2);
  assert.deepEqual(statuses(items), planned);
});
