// Listeners that catch up at the same time share what is read, and none misses what comes later.

import assert from "node:assert/strict";
import { test } from "node:test";
import { testStorage } from "#storage/storage.fixture.ts";
import { recordChange } from "#storage/tables/history/changes.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import { createPages } from "./pages.ts";
import { type Followed, placeOf } from "./tail.ts";

const database = testStorage();
const record = { at: 1, kind: "create", flags: 0, writer: 1, note: null, props: null, content: null } as const;
const write = (id: string) =>
  database.storage.write((tx) => recordChange(tx, record, { rid: 1, rev: 1, collection: "news", id }));
const idsOf = (page: readonly Followed[]) => page.map(({ row }) => row.id);

test("FEED-19 a page is read once for all who catch up from the same place", async () => {
  await write("a");
  await write("b");
  const pages = createPages(database);
  const read = await Promise.all(Array.from({ length: 50 }, () => pages.read(firstPlace)));
  const [first] = read as [Followed[], ...Followed[][]];
  assert.deepEqual(idsOf(first), ["a", "b"]);
  assert.ok(read.every((page) => page === first));
  const last = placeOf(first.at(-1) as Followed);
  assert.deepEqual(await pages.read(last), []);
  await write("c");
  assert.deepEqual(idsOf(await pages.read(last)), ["c"]);
});
