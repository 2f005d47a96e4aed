import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageRecord } from "#site/template/recorder.ts";
import { tagsOf } from "./cache-tags.ts";
import { createPageStore } from "./page-store.ts";
import { createRenderLimit } from "./render-limit.ts";

const record: PageRecord = {
  ...{ scopes: [], versions: [], whole: new Set(), collections: new Map(), facts: [], parameters: [] },
  ...{
    templates: new Set(),
    isPrivate: false,
    isNever: false,
    why: "",
    seconds: Number.POSITIVE_INFINITY,
    isTimed: false,
  },
};

function made(bytes: number, status = 200) {
  const page = { status, headers: {}, octets: "x".repeat(bytes), etag: '"x"', encoded: new Map() };
  return { page, record, until: Number.POSITIVE_INFINITY, validAt: 0 };
}

const none = () => undefined;

test("CACHE-8 pages take at most their room, the least recently used go first, and large ones are not kept", () => {
  const store = createPageStore(() => 100_000);
  for (const key of ["a", "b", "c"]) assert.ok(store.put(key, made(20_000)));
  assert.ok(store.find("a", none));
  for (const key of ["d", "e"]) store.put(key, made(20_000));
  assert.deepEqual(
    ["a", "b", "c", "d", "e"].filter((key) => store.find(key, none)),
    ["a", "c", "d", "e"],
  );
  store.grow(store.find("a", none) as never, 30_000);
  assert.ok(store.bytes <= 100_000 && store.count < 4);
  const wide = createPageStore(() => 100_000_000);
  assert.equal(wide.put("large", made(1024 * 1024)), undefined);
  assert.equal(wide.clear(), 0);
});

test("CACHE-9 at most 1,000 answers of status 404 are kept", () => {
  const store = createPageStore(() => 100_000_000);
  store.put("page", made(10));
  for (let n = 0; n < 1_100; n += 1) store.put(`missing ${n}`, made(10, 404));
  assert.equal(store.count, 1_001);
  assert.ok(store.find("page", none) && store.find("missing 1099", none) && !store.find("missing 0", none));
});

test("CACHE-10 CACHE-61 some renderings run at once, some wait, and callers take turns", async () => {
  const limit = createRenderLimit(2, 3);
  const open: (() => void)[] = [];
  const order: number[] = [];
  const run = (n: number, name = "ip:one", hasCredential = false) =>
    limit.run({ name, hasCredential }, async () => {
      order.push(n);
      await new Promise<void>((done) => open.push(done));
    });
  const running = [1, 2, 3, 4, 5].map((n) => run(n));
  await assert.rejects(run(6), { word: "busy", status: 503, retryAfter: 1 });
  assert.deepEqual(order, [1, 2]);
  // CACHE-61: those that wait for nothing yet get their turn.
  running.push(run(7, "ip:two"), run(8, "user:three", true));
  await assert.rejects(run(9, "ip:two"), { word: "busy" });
  while (order.length < 7 || open.length > 0) {
    open.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(running);
  assert.deepEqual(order, [1, 2, 8, 3, 7, 4, 5]);
});

test("CACHE-13 the tags of a page name what it read, and above 8 kB collections stand for their objects", () => {
  const object = (id: string) => ({ id, rev: "1-1", names: [], hash: "" });
  const reads = (objects: string[], lists: string[][] = []) => ({
    objects: objects.map(object),
    absences: ["none"],
    queries: lists.map((ids) => ({
      objects: ids.map(object),
      total: undefined,
      decidedBy: undefined,
      ask: async () => ({ rows: [] }),
    })),
  });
  const collections = new Map([
    ["blog", reads(["x"])],
    ["tags", reads([], [["a", "b"]])],
    ["builder-pages", reads(["home"])],
  ]);
  const small = { ...record, collections, templates: new Set(["pages/blog", "partials/a b,c"]) };
  assert.deepEqual(tagsOf(small).split(",").sort(), [
    ...["c:tags", "o:blog/none", "o:blog/x", "o:tags/a", "o:tags/b", "o:tags/none"],
    ...["p:home", "p:none", "site", "t:pages/blog", "t:partials/a-b-c"],
  ]);
  const many = Array.from({ length: 1_000 }, (_, n) => `object-${n}`);
  const large = { ...record, collections: new Map([["blog", reads(many)]]), templates: new Set(["pages/blog"]) };
  assert.equal(tagsOf(large), "site,c:blog,t:pages/blog");
});
