// Crashes and faults between the row and the move of a file into the attic: the write stands, and no version loses its file.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { repeats } from "../harness.ts";
import { type AtticSite, startAtticSite } from "../support/attic-site.ts";

let site: AtticSite;
before(async () => {
  site = await startAtticSite("disk");
});
after(() => site.stop());

const restore = (id: string, change: string) => site.call("POST", `/history/full/${id}/${change}/restore`);
const download = (path: string) => site.fetched(`/download/full/${path}`);

/** A file where the folder should be: nothing can be moved there. */
const block = () => {
  rmSync(site.folderOf(".attic"), { recursive: true, force: true });
  writeFileSync(site.folderOf(".attic"), "in the way");
};
const unblock = () => rmSync(site.folderOf(".attic"));

test("ATT-10 with an attic that cannot be written the write stands; the old version finds its file, and the sweep moves it after a kill", async () => {
  await site.call("POST", "/collections/full", { id: "one" });
  await site.upload("collections/full/one/doc", "a.txt", "first");
  const old = await site.lastChange("full", "one");
  block();
  await site.upload("collections/full/one/doc", "a.txt", "second");
  const newer = await site.lastChange("full", "one");
  assert.equal(String(await download("one/doc")), "second");
  assert.equal(site.stored("full/one/doc").length, 2);
  // Where it was left it is found, by its bytes.
  assert.equal((await restore("one", old)).headers.get("x-cairn-lost"), null);
  assert.equal(String(await download("one/doc")), "first");
  await restore("one", newer);
  assert.equal(String(await download("one/doc")), "second");
  await site.server.kill();
  unblock();
  await site.server.restart();
  const fresh = JSON.parse((await site.server.cli(["files:check", "--fix", "--json"])).stdout);
  assert.deepEqual(fresh, []);
  const swept = JSON.parse((await site.later(["files:check", "--fix", "--json"])).stdout);
  assert.deepEqual(
    swept.map(({ kind, isKept }: Record<string, unknown>) => [kind, isKept]),
    [["orphan", true]],
  );
  assert.equal(site.stored("full/one/doc").length, 1);
  assert.equal((await restore("one", old)).headers.get("x-cairn-lost"), null);
  assert.equal(String(await download("one/doc")), "first");
});

test("ATT-10 files of a deleted object that could not be moved come back from where they were, or by the sweep", async () => {
  const make = async (id: string) => {
    await site.call("POST", "/collections/full", { id });
    await site.upload(`collections/full/${id}/box/sub`, "b.txt", `box ${id}`);
    await site.upload(`upload/full/${id}/body`, "in.txt", `text ${id}`);
  };
  for (const id of ["near", "far"]) await make(id);
  block();
  for (const id of ["near", "far"]) assert.equal((await site.call("DELETE", `/collections/full/${id}`)).status, 204);
  const entries = await site.trashOf("full");
  const back = (id: string) => site.call("POST", `/trash/${entries.find((entry) => entry.id === id)?.change}/restore`);
  assert.equal((await back("near")).headers.get("x-cairn-lost"), null);
  unblock();
  const { stdout } = await site.later(["files:check", "--fix", "--json"]);
  assert.deepEqual(
    JSON.parse(stdout).map(({ key, isKept }: Record<string, unknown>) => [key, isKept]),
    [
      ["full/far/body/in.txt", true],
      ["full/far/box/sub/b.txt", true],
    ],
  );
  assert.equal((await back("far")).headers.get("x-cairn-lost"), null);
  for (const id of ["near", "far"]) {
    assert.equal(String(await download(`${id}/box/b.txt?path=sub`)), `box ${id}`);
    assert.equal(String(await site.fetched(`/download/upload/full/${id}/body/in.txt`)), `text ${id}`);
  }
  assert.deepEqual(JSON.parse((await site.server.cli(["files:check", "--json"])).stdout), []);
});

test("ATT-10 whenever a server is killed while files are replaced, every version has its file", async () => {
  await site.call("POST", "/collections/full", { id: "kill" });
  const hashes = new Set<string>();
  let stored = 0;
  for (let cycle = 0; cycle < repeats(2, 20); cycle += 1) {
    const writing = (async () => {
      for (;;) {
        const bytes = randomBytes(200_000);
        hashes.add(createHash("sha256").update(bytes).digest("hex").slice(0, 8));
        try {
          await site.upload("collections/full/kill/doc", "k.bin", bytes);
          stored += 1;
        } catch {
          return;
        }
      }
    })();
    await until(() => stored >= 3 * (cycle + 1));
    await sleep(Math.random() * 30);
    await site.server.kill();
    await writing;
    await site.server.restart();
  }
  const checkAll = async () => {
    const { data } = (await site.call("GET", "/history/full/kill?limit=100")).body;
    const uploads = data.filter(({ kind }: { kind: string }) => kind === "update").slice(0, 30);
    assert.ok(uploads.length > 1);
    for (const { change } of uploads) {
      const { body, headers, text } = await restore("kill", change);
      assert.equal(headers.get("x-cairn-lost"), null, text);
      const bytes = await download("kill/doc");
      assert.equal(
        createHash("sha256")
          .update(bytes as Buffer)
          .digest("hex")
          .slice(0, 8),
        body.data.doc.hash,
      );
      assert.ok(hashes.has(body.data.doc.hash));
    }
  };
  await checkAll();
  await site.later(["files:check", "--fix", "--json"]);
  await checkAll();
});
