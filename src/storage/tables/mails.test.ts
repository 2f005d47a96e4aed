import assert from "node:assert/strict";
import { test } from "node:test";
import { testStorage } from "#storage/storage.fixture.ts";
import { deleteOldMails, findBatch, finishMail, insertBatch, insertMail, isToldAlready, listMails } from "./mails.ts";

const db = testStorage();
const about = { mailer: "news", collection: "members", objectId: "ada" };
const day = (number: number) => `2030-01-${String(number).padStart(2, "0")}T00:00:00.000Z`;

test("MLR-20 a mail counts from when it was sent, by a batch or alone; a trial and a mail left out do not", async () => {
  const add = (id: string, more: object = {}) =>
    db.storage.write((tx) => insertMail(tx, { ...about, id, sentTo: "", created: day(1), ...more }));
  const isSubscribed = (since: string) => isToldAlready(db.storage, about, since);
  await add("trial", { overrideTo: "me@example.test" });
  await add("left-out", { batch: "b0", status: "skipped", error: "left out", finished: day(1) });
  assert.equal(await isSubscribed(day(1)), false);
  await add("waiting");
  assert.equal(await isSubscribed(day(9)), true);
  const sent = { status: "sent", sentTo: "ada@example.test", error: null, finished: day(5) } as const;
  await db.storage.write((tx) => finishMail(tx, "waiting", sent));
  assert.deepEqual([await isSubscribed(day(5)), await isSubscribed(day(6))], [true, false]);
});

test("MLR-20 the log drops mails that ended before a time, and batches with their last mail", async () => {
  const batch = { mailer: "news", collection: "members", total: 1, author: null, sealed: null };
  await db.storage.write(async (tx) => {
    await insertBatch(tx, { ...batch, id: "b0", created: day(1) });
    await insertBatch(tx, { ...batch, id: "b1", created: day(1) });
    await insertMail(tx, { ...about, id: "late", batch: "b1", sentTo: "", created: day(1) });
    await deleteOldMails(tx, day(6));
  });
  const ids = (await listMails(db.storage, {}, { limit: 10, offset: 0 })).map(({ id }) => id).sort();
  assert.deepEqual(ids, ["late", "trial"]);
  assert.deepEqual([await findBatch(db.storage, "b0"), (await findBatch(db.storage, "b1"))?.id], [undefined, "b1"]);
});
