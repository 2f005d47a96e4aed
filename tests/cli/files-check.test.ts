// files:check beside a running server.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeCollection({ id: "news", schema: "blog" });
});
after(() => server.stop());

test("FILE-35 files:check reports as text or JSON that there is no problem, and ends with 0", async () => {
  const words = await server.cli(["files:check"]);
  assert.deepEqual([words.code, words.stderr], [0, ""]);
  assert.match(words.stdout, /^Every file belongs/);
  const json = await server.cli(["files:check", "--json"]);
  assert.deepEqual([json.code, JSON.parse(json.stdout)], [0, []]);
});

test("FILE-35 files:check --fix keeps new files, and files outside of collections", async () => {
  for (const folder of ["news/one/image", "strangers/one/image"]) {
    mkdirSync(join(server.dataDir, folder), { recursive: true });
    writeFileSync(join(server.dataDir, folder, "a.jpg"), "bytes");
  }
  const { code, stdout } = await server.cli(["files:check", "--fix", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout)], [0, []]);
  assert.ok(existsSync(join(server.dataDir, "news/one/image/a.jpg")));
  assert.ok(existsSync(join(server.dataDir, "strangers/one/image/a.jpg")));
});
