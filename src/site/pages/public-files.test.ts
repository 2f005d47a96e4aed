import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadSettings } from "#config/config.ts";
import { findAsset, isHash } from "./public-files.ts";

test("FRONT-12 asset_url finds files of public/ and what Vite built, with their hashes", async () => {
  const projectDir = mkdtempSync(join(tmpdir(), "cairn-assets-"));
  const settings = loadSettings({ projectDir, env: { CAIRN_DATA: "public/inside" }, flags: {}, rules: {} });
  const write = (name: string, text: string) => writeFileSync(join(projectDir, "public", name), text);
  assert.equal(await findAsset(settings, "/a.css"), undefined);
  for (const folder of ["assets", "inside", ".vite"])
    mkdirSync(join(projectDir, "public", folder), { recursive: true });
  write("a.css", "one");
  const first = await findAsset(settings, "/a.css");
  assert.ok(isHash(first?.hash));
  write("a.css", "second");
  const second = await findAsset(settings, "/a.css");
  assert.equal(second?.path, "/a.css");
  assert.notEqual(second?.hash, first?.hash);

  write("assets/main-1a2b.js", "built");
  write("inside/marker.txt", "secret");
  write(".env", "secret");
  writeFileSync(join(projectDir, "outside.txt"), "x");
  symlinkSync(join(projectDir, "outside.txt"), join(projectDir, "public", "link.txt"));
  write(
    ".vite/manifest.json",
    JSON.stringify({ "src/main.ts": { file: "assets/main-1a2b.js" }, "src/gone.ts": { file: "gone.js" } }),
  );
  assert.equal((await findAsset(settings, "/src/main.ts"))?.path, "/assets/main-1a2b.js");
  const closed = ["/../outside.txt", "/link.txt", "/inside/marker.txt", "/.env", "/assets/../.env"];
  for (const path of ["/src/gone.ts", "/src/none.ts", "/toString", "/assets", ...closed])
    assert.equal(await findAsset(settings, path), undefined, path);
  rmSync(projectDir, { recursive: true });
});
