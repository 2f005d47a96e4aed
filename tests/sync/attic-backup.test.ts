// Dropped files in whole backups: they come back with the site, on disk and in a bucket.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startAtticSite } from "../support/attic-site.ts";

for (const kind of ["disk", "bucket"] as const) {
  test(`ATT-12 a backup has the attic on ${kind}: after a restore old versions and the trash have their files; an export has none`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-attic-"));
    const site = await startAtticSite(kind);
    try {
      for (const id of ["one", "two"]) {
        await site.call("POST", "/collections/full", { id });
        await site.upload(`collections/full/${id}/doc`, "a.txt", `first ${id}`);
      }
      const old = await site.lastChange("full", "one");
      await site.upload("collections/full/one/doc", "a.txt", "second");
      await site.call("DELETE", "/collections/full/two");
      const before = site.stored(".attic");
      assert.equal(before.length, 2);
      const file = join(folder, "site.zip");
      const made = await site.server.cli(["backup:create", file]);
      assert.equal(made.code, 0, made.stderr);
      const verified = await site.server.cli(["backup:verify", file]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const exported = (await site.server.request("GET", "/api/export/collections/full/json")).text;
      assert.doesNotMatch(exported, /first two/);
      await site.call("DELETE", "/trash?collection=full&confirm=full");
      await site.call("DELETE", "/collections/full/one?purge=true");
      assert.deepEqual(site.stored(".attic"), []);
      await site.server.terminate();
      const restored = await site.server.cli(["backup:restore-all", file, "--force"]);
      assert.equal(restored.code, 0, restored.stdout + restored.stderr);
      await site.server.restart();
      assert.deepEqual(site.stored(".attic"), before);
      const { data } = (await site.call("GET", "/history/full/one")).body;
      assert.ok(data.length >= 3 && old !== "");
      const back = await site.call("POST", `/history/full/one/${data[1].change}/restore`);
      assert.equal(back.headers.get("x-cairn-lost"), null, back.text);
      assert.equal(String(await site.fetched("/download/full/one/doc")), "first one");
      const [entry] = await site.trashOf("full");
      await site.call("POST", `/trash/${entry?.change}/restore`);
      assert.equal(String(await site.fetched("/download/full/two/doc")), "first two");
    } finally {
      await site.stop();
      rmSync(folder, { recursive: true });
    }
  });
}
