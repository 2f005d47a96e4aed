// The system calls behind an acknowledged write, watched and disturbed by strace: nothing is answered before it is on disk,
// and a disk that fails is never taken for one that did not.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { ensureCommand } from "../../scripts/debian.ts";
import { type Server, startServer } from "../harness.ts";

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "cairn-strace-"));

before(async () => {
  ensureCommand("strace");
  server = await startServer();
  await server.makeSchema({ id: "stone", properties: { id: { type: "slug" }, title: { type: "string" } } });
  await server.makeCollection({ id: "stones", schema: "stone" });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Follows the server with strace while the work runs; resolves to the calls it saw, one a line. */
async function traced(options: string[], work: () => Promise<void>): Promise<string[]> {
  const file = join(folder, "calls");
  const tracer = spawn("strace", ["-f", "-y", "-o", file, ...options, "-p", String(server.pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((done) => tracer.once("exit", done));
  try {
    await until(() => isAttached(tracer));
    await work();
  } finally {
    tracer.kill("SIGINT");
    await ended;
  }
  return withWholeCalls(readFileSync(file, "utf8").split("\n"));
}

/** To every thread that there is; new ones are followed from their first call on. */
function isAttached(tracer: ChildProcess): boolean {
  if (tracer.exitCode !== null) throw new Error(`strace ended with code ${tracer.exitCode}`);
  const tasks = `/proc/${server.pid}/task`;
  return readdirSync(tasks).every((id) => {
    try {
      return !/^TracerPid:\s+0$/m.test(readFileSync(`${tasks}/${id}/status`, "utf8"));
    } catch {
      // The thread has ended.
      return true;
    }
  });
}

/** A call during which other threads made calls stands on two lines; where it ends, it is told whole once more. */
function withWholeCalls(lines: string[]): string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, thread = "", beginning] = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line) ?? [];
    if (beginning !== undefined) begun.set(thread, beginning);
    const [, again = "", end] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    return end === undefined ? [line] : [line, `${again} ended: ${begun.get(again)}${end}`];
  });
}

/** When it has ended. */
const isSync = (call: string) => /\bf(data)?sync\(/.test(call) && !call.includes("unfinished");
/** When it begins. */
const isAnswer = (call: string, status: number) => call.includes(`"HTTP/1.1 ${status}`) && !call.includes(" ended: ");

test("DUR-17 an answer leaves after the log of the write is on disk (F2)", async () => {
  const count = 50;
  const calls = await traced(["-e", "trace=fsync,fdatasync,write,writev,sendto,sendmsg"], async () => {
    for (let n = 0; n < count; n += 1) {
      const answer = await server.request("POST", "/api/collections/stones", { body: { id: `s-${n}`, title: "x" } });
      assert.equal(answer.status, 201);
    }
  });
  let isOnDisk = false;
  let answers = 0;
  for (const call of calls) {
    if (isSync(call) && call.includes(".db-wal")) isOnDisk = true;
    if (!isAnswer(call, 201)) continue;
    answers += 1;
    assert.ok(isOnDisk, `answer ${answers} left before its write was synced`);
    isOnDisk = false;
  }
  assert.equal(answers, count);
});

test("DUR-17 a schema is synced, renamed and its folder synced before the answer leaves (F2)", async () => {
  const body = { id: "pebble", properties: { id: { type: "slug" } } };
  await server.makeSchema(body);
  const calls = await traced(
    ["-e", "trace=fsync,fdatasync,rename,renameat,renameat2,write,writev,sendto,sendmsg"],
    async () => {
      const changed = { ...body, description: "A small stone" };
      assert.equal((await server.request("PUT", "/api/schemas/pebble", { body: changed })).status, 200);
    },
  );
  const synced = calls.findIndex((call) => isSync(call) && /\.schemas\/[^>]*pebble/.test(call));
  const renamed = calls.findIndex((call) => /\brename/.test(call) && call.includes("pebble.json"));
  const folderSynced = calls.findIndex((call, at) => at > renamed && isSync(call) && call.includes(".schemas>"));
  const answered = calls.findIndex((call) => isAnswer(call, 200));
  const order = [synced, renamed, folderSynced, answered];
  assert.ok(synced >= 0, "the file was never synced");
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
});

test("DUR-18 a disk that fails to sync refuses the write, keeps the object, and is not trusted later (F3)", async () => {
  const path = "/api/collections/stones/s-0";
  const before = (await server.request("GET", path)).body.data;
  await traced(["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"], async () => {
    for (let n = 0; n < 30; n += 1) {
      const patch = await server.request("PATCH", path, { body: { title: `failed ${n}` } });
      assert.ok(patch.status >= 500, `a write whose sync failed was answered ${patch.status}`);
      assert.deepEqual(Object.keys(patch.body), ["error"]);
    }
    assert.equal((await server.request("GET", path)).status, 200);
  });
  assert.equal((await server.request("GET", path)).body.data.title, before.title);
  const patched = await server.request("PATCH", path, { body: { title: "after" } });
  assert.equal(patched.status, 200, patched.text);
  await server.kill();
  await server.restart();
  assert.equal((await server.request("GET", path)).body.data.title, "after");
});

test("DUR-19 where nothing can be written reads go on, writes are refused, and health says so (F13)", async () => {
  const path = "/api/collections/stones/s-1";
  // It looks once a second at most.
  const untilReady = (status: number) =>
    until(
      () => server.request("GET", "/readyz", { key: null }),
      (answer) => answer.status === status,
    );
  await traced(["-e", "trace=pwrite64,pwritev", "-e", "inject=pwrite64,pwritev:error=EROFS"], async () => {
    const refused = await server.request("PATCH", path, { body: { title: "no" } });
    assert.ok(refused.status >= 500, refused.text);
    assert.deepEqual(Object.keys(refused.body), ["error"]);
    assert.equal((await server.request("GET", path)).body.data.title, "x");
    await untilReady(503);
  });
  assert.equal((await server.request("PATCH", path, { body: { title: "yes" } })).status, 200);
  await untilReady(200);
});
