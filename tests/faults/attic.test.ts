// Crashes and faults between the row and the move of a file into the attic: the write stands, and no version loses its file.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { repeats } from "../harness.ts";
import { type AtticSite, startAtticSite } from "../support/attic-site.ts";
import { type Gate, openGate } from "../support/gate.ts";

let site: AtticSite;
/** With its files in a bucket, behind a gate. */
let remote: AtticSite;
let gate: Gate;
before(async () => {
  site = await startAtticSite("disk");
  remote = await startAtticSite("bucket", async (url) => {
    const [, port = ""] = /127\.0\.0\.1:(\d+)/.exec(url) ?? [];
    gate = await openGate(Number(port));
    return url.replace(`:${port}`, `:${gate.port}`);
  });
});
after(async () => {
  gate?.open();
  await remote?.stop();
  gate?.close();
  await site?.stop();
});

const restore = (id: string, change: string, { call } = site) => call("POST", `/history/full/${id}/${change}/restore`);
const download = (path: string, { fetched } = site) => fetched(`/download/full/${path}`);

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

/** The sweep leaves alone what is younger than an hour. A bucket refuses requests of another hour, so its files are made older. */
async function sweepOld({ server, folderOf }: AtticSite, folder: string): Promise<void> {
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const entry of readdirSync(folderOf(folder), { recursive: true, withFileTypes: true }))
    utimesSync(join(entry.parentPath, entry.name), old, old);
  const { code, stderr } = await server.cli(["files:check", "--fix", "--json"]);
  assert.equal(code, 0, stderr);
}

/** Kills the server again and again while a file is replaced. */
async function killWhileReplaced(site: AtticSite): Promise<void> {
  await site.call("POST", "/collections/full", { id: "kill" });
  const hashes = new Set<string>();
  let stored = 0;
  for (let cycle = 0; cycle < repeats(2, 20); cycle += 1) {
    const writing = (async () => {
      for (;;) {
        const bytes = randomBytes(200_000);
        hashes.add(createHash("sha256").update(bytes).digest("hex").slice(0, 32));
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
      const { body, headers, text } = await restore("kill", change, site);
      assert.equal(headers.get("x-cairn-lost"), null, text);
      const bytes = await download("kill/doc", site);
      assert.equal(
        createHash("sha256")
          .update(bytes as Buffer)
          .digest("hex")
          .slice(0, 32),
        body.data.doc.hash,
      );
      assert.ok(hashes.has(body.data.doc.hash));
    }
  };
  await checkAll();
  await sweepOld(site, "full/kill/doc");
  await checkAll();
}

test("ATT-10 whenever a server is killed while files are replaced, every version has its file", () =>
  killWhileReplaced(site));

test("ATT-10 the same holds in a bucket", () => killWhileReplaced(remote));

for (const [moment, isMeant] of Object.entries({
  "before the copy": (piece: string) => piece.includes("x-amz-copy-source") && piece.includes(".attic/"),
  "between the copy and the removal": (piece: string) => /^POST \S*\?delete/.test(piece),
}))
  test(`ATT-10 a kill ${moment} of a file on its way to the attic of a bucket loses no version`, async () => {
    const id = moment.replaceAll(" ", "-");
    await remote.call("POST", "/collections/full", { id });
    await remote.upload(`collections/full/${id}/doc`, "a.txt", "first");
    const old = await remote.lastChange("full", id);
    gate.shutBefore(isMeant);
    const replaced = remote.upload(`collections/full/${id}/doc`, "a.txt", "second").catch(() => undefined);
    await until(() => gate.waiting.length > 0);
    await remote.server.kill();
    gate.drop();
    await replaced;
    await remote.server.restart();
    const newer = await remote.lastChange("full", id);
    assert.notEqual(newer, old);
    const check = async () => {
      for (const [change, text] of [
        [old, "first"],
        [newer, "second"],
      ] as const) {
        assert.equal((await restore(id, change, remote)).headers.get("x-cairn-lost"), null);
        assert.equal(String(await download(`${id}/doc`, remote)), text);
      }
    };
    assert.equal(String(await download(`${id}/doc`, remote)), "second");
    await check();
    await sweepOld(remote, `full/${id}/doc`);
    await check();
    assert.equal(remote.stored(`full/${id}/doc`).length, 1);
    assert.deepEqual(JSON.parse((await remote.server.cli(["files:check", "--json"])).stdout), []);
  });
