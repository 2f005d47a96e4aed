// A data directory on a small file system of its own, filled to the brim, then closed to writing. Needs root, to mount it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runCairn, type Server, startServer } from "../harness.ts";
import { readAll, schema, versionOf } from "./writers.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-full-"));
const filler = join(folder, "filler");
let server: Server;

before(async () => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder]);
  server = await startServer({ dataDir: folder });
  await server.makeSchema(schema);
  await server.makeCollection({ id: "north", schema: schema.id });
});
after(async () => {
  await server?.stop();
  execFileSync("umount", [folder]);
  rmdirSync(folder);
});

/** Leaves `left` bytes. */
function fillDisk(left: number): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize - left));
  } catch (error) {
    // The server has written something meanwhile: then the disk is as full as can be.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

test("DUR-14 a full disk refuses writes with 507, serves reads, and recovers without a restart (F11)", async () => {
  const acked: string[] = [];
  const create = async (n: number) => {
    const answer = await server.request("POST", "/api/collections/north", {
      body: { id: `n-${n}`, ...versionOf(n), filler: "y".repeat(20_000) },
    });
    if (answer.status === 201) acked.push(`n-${n}`);
    return answer;
  };
  for (let n = 0; n < 20; n += 1) assert.equal((await create(n)).status, 201);
  fillDisk(200_000);
  const refused = [];
  for (let n = 20; n < 220; n += 1) {
    const answer = await create(n);
    if (answer.status !== 201) refused.push(answer);
  }
  assert.ok(refused.length > 0, "the disk was never full");
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [507]);
  assert.deepEqual(Object.keys(refused[0]?.body), ["error"]);
  assert.equal(refused[0]?.body.error.code, 507);
  assert.equal((await server.request("GET", "/api/collections/north/n-0")).status, 200);
  assert.deepEqual((await readAll(server, "north")).map(({ id }) => id).sort(), acked.sort());

  rmSync(filler);
  assert.equal((await create(1_000)).status, 201);
  assert.deepEqual((await readAll(server, "north")).map(({ id }) => id).sort(), acked.sort());
});

test("DUR-14 a schema that finds no room is refused, and the old one stays (F11)", async () => {
  fillDisk(0);
  const body = { ...schema, description: "z".repeat(100_000) };
  const answer = await server.request("PUT", `/api/schemas/${schema.id}`, { body });
  rmSync(filler);
  assert.equal(answer.status, 507, answer.text);
  const stored = await server.request("GET", `/api/schemas/${schema.id}`);
  assert.ok(stored.body.description === undefined || stored.body.description === "");
  assert.equal((await server.request("PUT", `/api/schemas/${schema.id}`, { body })).status, 200);
});

/** Mounts it anew between two runs of the server. */
function remount(mode: "ro" | "rw"): void {
  execFileSync("mount", ["-o", `remount,${mode}`, folder]);
}

for (const [how, stop] of [
  ["in order", () => server.terminate()],
  ["by a kill", () => server.kill()],
] as const) {
  test(`DUR-26 after a stop ${how}, a start where nothing can be written serves reads (F13)`, async () => {
    const path = "/api/collections/north/kept";
    const title = `before ${how}`;
    await server.request("POST", "/api/collections/north", { body: { id: "kept", title: "new" } });
    assert.equal((await server.request("PATCH", path, { body: { title } })).status, 200);
    await stop();
    remount("ro");
    try {
      await server.restart();
      assert.equal((await server.request("GET", path)).body.data.title, title);
      assert.equal((await server.request("GET", "/api/collections/north?search=before")).body.data.length, 1);
      assert.equal((await server.request("GET", "/readyz", { key: null })).status, 503);
      const writes: [string, string, unknown?][] = [
        ["PATCH", path, { title: "after" }],
        ["DELETE", path],
        ["PUT", "/api/collections/north/index"],
        ["PUT", `/api/schemas/${schema.id}`, schema],
        ["POST", "/api/apikeys", { name: "k", methods: ["GET"], endpoints: ["*"] }],
      ];
      for (const [method, address, body] of writes) {
        const refused = await server.request(method, address, { body });
        assert.ok(refused.status >= 500, `${method} ${address}: ${refused.text}`);
        assert.equal(refused.body.error.code, refused.status);
      }
      const listed = await server.cli(["collection:list", "--json"]);
      assert.equal(JSON.parse(listed.stdout)[0].name, "north", listed.stderr);
      assert.equal(await server.terminate(), 0);
    } finally {
      remount("rw");
      await server.restart();
    }
    assert.equal((await server.request("PATCH", path, { body: { title: "again" } })).status, 200);
    await server.request("DELETE", path);
  });
}

test("DUR-27 where there is no data either, the start ends with code 1 and one sentence", async () => {
  mkdirSync(join(folder, "bare", ".system"), { recursive: true });
  await server.terminate();
  remount("ro");
  try {
    for (const place of ["new", "bare"]) {
      const started = await runCairn(["serve", "--port", "0"], {
        env: { ...server.env, CAIRN_DATA: join(folder, place) },
      });
      assert.equal(started.code, 1);
      assert.match(started.stderr, /^cairn: [^\n]*othing can be written[^\n]*\.\n$/);
    }
    const made = await server.cli(["key:create", "--name", "k", "--json"]);
    assert.deepEqual([made.code, made.stderr], [1, "cairn: Nothing can be written to the data directory.\n"]);
  } finally {
    remount("rw");
    await server.restart();
  }
});
