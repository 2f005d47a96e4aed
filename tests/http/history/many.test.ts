// The log at the size that it is made for: an undo of many changes with conflicts, and a stream with many clients. A normal run
// takes a tenth of it; `npm run test:soak` all.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { repeats, type Server, startServer } from "../../harness.ts";
import { type OpenStream, openStream } from "../../support/change-stream.ts";

type Doc = Record<string, unknown>;
let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({ id: "row", properties: { a: { type: "string" }, b: { type: "string" } }, index: ["id"] });
  for (const id of ["rows", "followed"]) await server.makeCollection({ id, schema: "row", history: "full" });
});
after(() => server.stop());

/** Some at a time. */
async function inParallel<T>(all: readonly T[], width: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

test("UND-10 an undo of many changes with conflicts does what its preview says", async () => {
  const count = repeats(1_000, 10_000);
  const { id, key } = await server.makeKey();
  const rows = numbers(0, count).map((n) => ({ id: `r${n}`, a: "a", b: "b" }));
  const imported = await server.request("POST", "/api/import/collections/rows/json", { body: rows as never });
  assert.ok(imported.status < 300, imported.text);
  const write = (method: string, n: number, body?: Doc, by = key) =>
    server.request(method, `/api/collections/rows/r${n}`, { key: by, ...(body && { body }) });
  const [changed, deleted] = [Math.floor(count * 0.8), Math.floor(count * 0.9)];
  await inParallel(numbers(0, changed), 16, async (n) => void (await write("PATCH", n, { a: "bad", b: "bad" })));
  await inParallel(numbers(changed, deleted), 16, async (n) => void (await write("DELETE", n)));
  await inParallel(numbers(count, count + count / 10), 16, async (n) => {
    await server.request("POST", "/api/collections/rows", { key, body: { id: `r${n}`, a: "made" } });
  });
  // Others change one property of some, edit some that were made, and take the ids of some that were deleted.
  const share = Math.floor(count / 20);
  const superseded = numbers(0, share);
  const edited = numbers(count, count + Math.floor(share / 2));
  const taken = numbers(changed, changed + Math.floor(share / 2));
  await inParallel(
    [...superseded, ...edited],
    16,
    async (n) => void (await write("PATCH", n, { a: "mine" }, server.key)),
  );
  await inParallel(taken, 16, async (n) => {
    await server.request("POST", "/api/collections/rows", { body: { id: `r${n}`, a: "new" } });
  });
  const ask = (more: Doc) => server.request("POST", "/api/undo", { body: { by: { key: id }, ...more } });
  const items: Doc[] = [];
  let plan = "";
  let summary: Doc = {};
  for (let offset = 0; ; offset += 100) {
    const { status, body, text } = await ask({ limit: 100, offset });
    assert.equal(status, 200, text);
    ({ plan, summary } = body.data);
    items.push(...body.data.items);
    if (body.data.items.length < 100) break;
  }
  assert.equal(items.length, summary.objects);
  assert.equal(summary.conflicts, edited.length + taken.length);
  const started = await ask({ apply: plan });
  assert.equal(started.status, 202, started.text);
  const { body } = await until(
    () => server.request("GET", `/api/jobs/${started.body.data.job}`),
    ({ body: job }) => job.data.status === "succeeded",
  );
  const { reverted, deleted: removed, restored, failed } = body.data.result;
  assert.deepEqual([reverted, removed, restored, failed], [summary.reverted, summary.deleted, summary.restored, []]);
  const now = new Map<string, Doc>();
  for (let page: Doc[] | undefined; page?.length !== 0; ) {
    const path = `/api/collections/rows?limit=100&offset=${now.size}&sort=id`;
    page = (await server.request("GET", path)).body.data as Doc[];
    for (const row of page) now.set(row.id as string, row);
  }
  for (const { id: row, action, properties } of items as { id: string; action: string; properties: Doc[] }[]) {
    const found = now.get(row);
    assert.equal(found === undefined, action === "delete", `${row} ${action}`);
    for (const { name, to, status } of properties)
      if (action === "revert" && status === "clean") assert.equal(found?.[name as string], to, row);
  }
  const kinds = [0, share, changed + share, count, count + share].map((n) => {
    const row = now.get(`r${n}`);
    return row && [row.a, row.b];
  });
  const was = ["a", "b"];
  assert.deepEqual(kinds.slice(0, 3), [["mine", "b"], was, was]);
  assert.equal(kinds[3]?.[0], "mine");
  assert.equal(kinds[4], undefined);
});

test("FEED-10 many clients get each change once, in one order, over cuts and restarts", async () => {
  const count = repeats(100, 1_000);
  const seen = numbers(0, count).map((): string[] => []);
  const cursors = numbers(0, count).map(() => "");
  let streams: OpenStream[] = [];
  const follow = async () => {
    streams = [];
    await inParallel(numbers(0, count), 20, async (n) => {
      const lastId = cursors[n];
      streams[n] = await openStream(server, "collections=followed", lastId ? { lastId } : {});
    });
  };
  /** What came goes to the seen; the next stream begins after it. */
  const cut = () => {
    for (const [n, stream] of streams.entries()) {
      stream.close();
      // Of some the last events are lost on the way, and come again.
      const events = stream.events.slice(0, n % 3 === 0 ? Math.floor(stream.events.length / 2) : undefined);
      seen[n]?.push(...events.map(({ data }) => data.change));
      cursors[n] = events.at(-1)?.id ?? (cursors[n] as string);
    }
  };
  let written = 0;
  const write = async (amount: number) => {
    await inParallel(numbers(written, written + amount), 8, async (n) => {
      const { status, text } = await server.request("POST", "/api/collections/followed", {
        body: { id: `f${n}`, a: "x" },
      });
      assert.equal(status, 201, text);
    });
    written += amount;
  };
  await follow();
  await write(20);
  await until(() => streams.every(({ events }) => events.length > 0));
  cut();
  await write(10);
  await follow();
  await write(10);
  await server.kill();
  await until(() => streams.every(({ isEnded }) => isEnded));
  cut();
  await server.restart();
  await follow();
  await write(10);
  await until(() => streams.every(({ events }, n) => (seen[n]?.length ?? 0) + events.length >= written));
  for (const [n, stream] of streams.entries()) seen[n]?.push(...stream.events.map(({ data }) => data.change));
  for (const stream of streams) stream.close();
  const { data } = (await server.request("GET", "/api/changes?collection=followed&limit=100")).body;
  const log = data.map(({ change }: { change: string }) => change);
  assert.equal(log.length, written);
  for (const changes of seen) assert.deepEqual(changes, log);
});
