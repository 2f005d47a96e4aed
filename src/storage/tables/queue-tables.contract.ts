// Jobs, mails, rejected sendings, counts of downloads and numbers of caches on every engine: each function once, so that most tests need one engine only
// (scripts/check-contracts.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { service } from "#lanes/caller.ts";
import { seed } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import * as bulk from "./bulk-targets.ts";
import * as clearings from "./caches/clearings.ts";
import * as processes from "./caches/processes.ts";
import * as downloads from "./download-counts.ts";
import * as jobs from "./jobs.ts";
import * as mails from "./mails.ts";
import * as objects from "./objects.ts";
import * as rejects from "./site/form-rejects.ts";

/** Times in their order. */
const [early, now, late] = [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [string, string, string];

export function queueTablesContract(database: () => Storage): void {
  test("STO-101 numbers of caches, and their clearings", async () => {
    const db = database();
    const row = (id: string, seen: string) => ({ id, started: early, seen, figures: "{}" });
    for (const [id, seen] of [
      ["p1", early],
      ["p2", now],
      ["p1", late],
    ] as const)
      await db.write((tx) => processes.putCacheProcess(tx, row(id, seen), early));
    const list = async () => (await processes.listCacheProcesses(db, early)).map(({ id, seen }) => [id, seen]);
    assert.deepEqual(await list(), [
      ["p2", now],
      ["p1", late],
    ]);
    await db.write((tx) => processes.putCacheProcess(tx, row("p3", late), late));
    await db.write((tx) => processes.deleteCacheProcess(tx, "p1"));
    assert.deepEqual(await list(), [["p3", late]]);
    const before = db.version("cache:tried");
    assert.deepEqual(await clearings.findClearing(db, "cache:tried"), { number: 0 });
    await db.write((tx) => clearings.putClearing(tx, "cache:tried"));
    await db.write((tx) => clearings.putClearing(tx, "cache:tried", { path: "/a" }));
    assert.deepEqual(await clearings.findClearing(db, "cache:tried"), { number: 2, path: "/a" });
    assert.notEqual(db.version("cache:tried"), before);
  });

  test("STO-101 jobs that wait and run", async () => {
    const db = database();
    const kind = "tj";
    const job = (id: string, key: string | null = null): jobs.NewJob => ({
      ...{ id, kind, key, subject: "s", payload: "{}", maxAttempts: 3, runAt: early, created: early },
    });
    const mine = { owner: "me", now, leaseUntil: now };
    const insert = (each: jobs.NewJob) => db.write((tx) => jobs.insertJob(tx, each));
    assert.deepEqual([await insert(job("j1", "k")), await insert(job("j2", "k"))], ["j1", "j1"]);
    assert.equal(await insert(job("j3")), "j3");
    assert.equal(await jobs.countWaiting(db, kind, "s"), 2);
    assert.deepEqual({ ...(await jobs.listNextDue(db, [kind]))[0] }, { kind, runAt: early, lease: null });
    const claimed = await db.write((tx) => jobs.claimDue(tx, kind, mine));
    assert.deepEqual([claimed?.id, claimed?.status, claimed?.attempts, claimed?.owner], ["j1", "running", 1, "me"]);
    assert.equal(await jobs.findOpenJob(db, kind), "j1");
    const queue = (await jobs.countQueueRows(db)).find((row) => row.kind === kind);
    assert.deepEqual({ ...queue }, { kind, waiting: 1, running: 1, due: early });
    assert.deepEqual(
      (await jobs.listLeases(db, "you")).map(({ id }) => id),
      ["j1"],
    );
    const renewal = { owner: "me", leaseUntil: late, done: 1, total: 2 };
    assert.equal(await db.write((tx) => jobs.renewLease(tx, "j1", renewal)), true);
    assert.equal(await db.write((tx) => jobs.renewLease(tx, "j1", { ...renewal, owner: "you" })), false);
    await db.write(async (tx) => {
      assert.equal(await jobs.lockAbandoned(tx, kind, [now, now]), undefined);
      await jobs.endLeases(tx, "me", now);
      const abandoned = await jobs.lockAbandoned(tx, kind, [now, now]);
      assert.equal(abandoned?.id, "j1");
      const taken = await jobs.takeOver(tx, abandoned?.seq ?? 0, { ...mine, owner: "you" });
      assert.equal(taken?.attempts, 2);
      assert.equal((await jobs.lockJobRow(tx, "j1"))?.owner, "you");
    });
    assert.equal(await db.write((tx) => jobs.requeueJob(tx, "j1", { runAt: now, error: "again", attempts: 0 })), true);
    assert.equal((await jobs.findJobRow(db, "j1"))?.attempts, 0);
    await db.write((tx) => jobs.hastenJob(tx, "j1", late));
    assert.equal((await jobs.findJobRow(db, "j1"))?.runAt, now);
    await db.write((tx) => jobs.hastenJob(tx, "j1", early));
    assert.equal((await jobs.findJobRow(db, "j1"))?.runAt, early);
    await db.write((tx) => jobs.insertRunningJob(tx, job("j4"), mine));
    const end: jobs.JobEnd = {
      ...{ status: "succeeded", finished: now, result: "{}", error: null, log: "", done: 2, total: 2 },
    };
    assert.equal(await db.write((tx) => jobs.finishJob(tx, "j4", "you", end)), false);
    assert.equal(await db.write((tx) => jobs.finishJob(tx, "j4", "me", end)), true);
    const before = await jobs.countFailedJobs(db, 10);
    await db.write((tx) => jobs.insertRunningJob(tx, job("j5"), mine));
    await db.write((tx) => jobs.finishJob(tx, "j5", "me", { ...end, status: "failed", finished: early }));
    assert.deepEqual([await jobs.countFailedJobs(db, 10), await jobs.countFailedJobs(db, 1)], [before + 1, 1]);
    assert.equal(await jobs.deleteFinished(db, { kind, status: "failed" }), 1);
    const state = await jobs.askKindState(db, kind, { each: 1, caller: service });
    assert.deepEqual(
      state.ended.map(({ id, subject, status }) => [id, subject, status]),
      [["j4", "s", "succeeded"]],
    );
    assert.deepEqual(
      state.open.map((row) => ({ ...row })),
      [{ subject: "s", status: "queued", n: 2 }],
    );
    const page = await jobs.askJobs(db, { kind, status: "queued" }, { limit: 1, offset: 0, caller: service });
    assert.deepEqual([page.total, page.rows.length], [2, 1]);
    assert.deepEqual(
      (await jobs.listEndedRows(db, kind, "s", 5)).map(({ id }) => id),
      ["j4"],
    );
    assert.equal(await db.write((tx) => jobs.deleteAllButNewest(tx, kind, "s", 1)), 0);
    assert.equal(await jobs.deleteFinished(db, { kind, before: now }), 0);
    assert.equal(await jobs.deleteFinished(db, { kind }), 1);
    await db.write(async (tx) => {
      await jobs.insertRunningJob(tx, job("j6"), mine);
      assert.deepEqual(await jobs.listCancelled(tx, "me"), []);
      await jobs.cancelRunningJob(tx, "j6", now);
      assert.deepEqual([await jobs.listCancelled(tx, "me"), await jobs.listCancelled(tx, "you")], [["j6"], []]);
      await jobs.cancelQueuedJob(tx, "j3", { at: now, error: "no" });
      const cancelled = await jobs.lockJobRow(tx, "j3");
      assert.deepEqual([cancelled?.status, cancelled?.cancelled, cancelled?.error], ["failed", now, "no"]);
      assert.equal(await jobs.finishJob(tx, "j6", "me", end), true);
    });
    assert.equal(await jobs.countFailedJobs(db, 10), before);
    await db.write((tx) => jobs.deleteJobsOf(tx, kind, "s"));
    assert.equal(await jobs.countWaiting(db, kind, "s"), 0);
    assert.equal(await jobs.findOpenJob(db, kind), undefined);
  });

  test("STO-101 moments of a schedule", async () => {
    const db = database();
    const take = (slot: string) => db.write((tx) => jobs.takeSlot(tx, "a", "t", slot));
    assert.deepEqual(
      [await take(now), await take(now), await take(early), await take(late)],
      [true, false, false, true],
    );
    assert.deepEqual([await jobs.findSlot(db, "a", "t"), await jobs.findSlot(db, "a", "u")], [late, undefined]);
  });

  test("STO-101 mails and batches of them", async () => {
    const db = database();
    const batch = { id: "b", mailer: "m", collection: "c", total: 2, created: early, author: null, sealed: "x" };
    const mail = { id: "m1", mailer: "m", sentTo: "a@example.org", created: early, batch: "b", collection: "c" };
    await db.write(async (tx) => {
      await mails.insertBatch(tx, batch);
      assert.equal(await mails.insertMail(tx, { ...mail, objectId: "o1", message: "sealed" }), true);
      assert.equal(await mails.insertMail(tx, { ...mail, id: "m2", objectId: "o1" }), false);
      assert.equal(await mails.insertMail(tx, { ...mail, id: "m3", objectId: "o2" }), true);
      assert.equal((await mails.lockBatch(tx, "b", "m"))?.total, 2);
      await mails.noteAttempt(tx, "m1", "busy");
    });
    assert.deepEqual({ ...(await mails.findBatch(db, "b")) }, { ...batch, isCancelled: 0 });
    const about = { mailer: "m", collection: "c", objectId: "o1" };
    assert.equal(await mails.isToldAlready(db, about, late), true);
    const told = await mails.listTold(db, { mailer: "m", collection: "c", since: late }, ["o1", "o2", "o3"]);
    assert.deepEqual([...told].sort(), ["o1", "o2"]);
    const page = { limit: 5, offset: 0 };
    assert.deepEqual(
      (await mails.listBatchRows(db, { mailer: "m", ...page })).map(({ id }) => id),
      ["b"],
    );
    assert.deepEqual((await mails.listBatchRows(db, page)).length, await mails.countBatches(db));
    assert.deepEqual([await mails.countBatches(db, "m"), await mails.countBatches(db, "other")], [1, 0]);
    const end = { status: "sent" as const, sentTo: "b@example.org", error: null, finished: now };
    await db.write((tx) => mails.finishMail(tx, "m1", end));
    const sent = await mails.findMail(db, "m1");
    assert.deepEqual([sent?.status, sent?.attempts, sent?.message], ["sent", 2, null]);
    assert.equal(await mails.isToldAlready(db, about, late), false);
    assert.equal(await db.write((tx) => mails.cancelBatch(tx, "b", now)), 1);
    assert.deepEqual(await mails.countBatch(db, "b"), { queued: 0, sent: 1, failed: 0, skipped: 1 });
    assert.equal(await mails.findBatchTime(db, "none"), null);
    const listed = await mails.listMails(db, { batch: "b" }, { limit: 5, offset: 0 });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ["m1", "m3"],
    );
    assert.equal(await mails.countMails(db, { mailer: "m", status: "sent" }), 1);
    const again = { author: "{}", message: null };
    assert.equal(await db.write((tx) => mails.requeueMailRow(tx, "m3", again)), true);
    assert.equal(await db.write((tx) => mails.requeueMailRow(tx, "m3", again)), false);
    assert.deepEqual(
      [(await mails.findMail(db, "m3"))?.status, (await mails.findMail(db, "m3"))?.error],
      ["queued", null],
    );
    await db.write((tx) => mails.deleteMail(tx, "m3"));
    await db.write((tx) => mails.deleteOldMails(tx, late));
    assert.equal(await mails.findBatch(db, "b"), undefined);
  });

  test("STO-101 targets of bulk changes", async () => {
    const db = database();
    const waiting = { kind: "tb", key: null, subject: "s", payload: "{}", maxAttempts: 3, runAt: late, created: early };
    for (const id of ["b1", "b2"]) await db.write((tx) => jobs.insertJob(tx, { ...waiting, id }));
    const ids = Array.from({ length: 1_001 }, (_, at) => `t${String(at).padStart(4, "0")}`);
    await db.write((tx) => bulk.insertTargets(tx, "b1", ids));
    await db.write((tx) => bulk.insertTargets(tx, "b2", ["t0000", "other"]));
    const target = (id: string) => ({ job: "b1", id });
    assert.equal(await bulk.hasTarget(db, target("t0001")), true);
    assert.deepEqual(await bulk.listTargets(db, "b1", { after: "t0001", limit: 2 }), ["t0002", "t0003"]);
    const take = (id: string) => db.write((tx) => bulk.takeTarget(tx, target(id)));
    assert.deepEqual([await take("t0002"), await take("t0002")], [true, false]);
    await db.write((tx) => bulk.noteTargetFailure(tx, target("t0003"), "{}"));
    assert.equal(await take("t0003"), false);
    assert.deepEqual(await bulk.listTargets(db, "b1", { after: "t0001", limit: 1 }), ["t0004"]);
    const some = ["t0002", "t0003", "t0990", "t0991"];
    assert.equal(await db.write((tx) => bulk.takeTargets(tx, "b1", some)), 2);
    assert.deepEqual(await bulk.listTargetFailures(db, "b1", 5), ["{}"]);
    assert.deepEqual([await bulk.countTargets(db, "b1"), await bulk.countTargets(db, "b1", true)], [998, 1]);
    const remove = () => db.write((tx) => bulk.deleteSomeTargets(tx, "b1"));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    await db.write((tx) => jobs.deleteQueuedJob(tx, "b2"));
    assert.equal(await bulk.countTargets(db, "b2"), 0);
  });

  test("STO-101 counts of downloads", async () => {
    const db = database();
    await seed(db, "td", [{ id: "a" }]);
    const rid = (await objects.findObject(db, "td", "a"))?.rid ?? 0;
    const count = (place: string, of = rid) => ({ rid: of, collection: "td", place, count: 2 });
    const counts = [
      count("file"),
      count("depot/b"),
      count("depot/a"),
      count("depot/a"),
      count("depots"),
      count("file", -1),
    ];
    await db.write((tx) => downloads.addDownloads(tx, counts));
    const listed = async (property: string) =>
      (await downloads.listDownloads(db, rid, property)).map((each) => `${each.place} ${each.count}`);
    assert.deepEqual(await listed("depot"), ["depot/a 4", "depot/b 2"]);
    assert.deepEqual(await listed("file"), ["file 2"]);
    const all = async () => (await downloads.listDownloadsOf(db, [rid, -1])).map(({ place }) => place);
    assert.deepEqual(await all(), ["depot/a", "depot/b", "depots", "file"]);
    assert.deepEqual(await downloads.listDownloadsOf(db, []), []);
    const taken = await db.write(async (tx) => [
      await downloads.takeDownloads(tx, rid, "depot/a"),
      await downloads.takeDownloads(tx, rid, "depot/a"),
    ]);
    assert.deepEqual(taken, [4, 0]);
    assert.deepEqual(await all(), ["depot/b", "depots", "file"]);
  });

  test("STO-101 rejected sendings of forms", async () => {
    const db = database();
    const row = (id: string, created: string, content = "{}") => ({
      ...{ id, form: "c/f", reason: "links", content, created },
    });
    const add = (id: string, created: string, content?: string) =>
      db.write((tx) => rejects.insertReject(tx, row(id, created, content), 1_000));
    await add("a", early);
    for (const id of ["b", "c"]) await add(id, now);
    const ids = async (before?: { created: string; id: string }) =>
      (await rejects.listRejects(db, "c/f", { before, limit: 2 })).map(({ id }) => id);
    assert.deepEqual(await ids(), ["c", "b"]);
    assert.deepEqual(await ids({ created: now, id: "b" }), ["a"]);
    assert.equal(await rejects.countRejects(db, "c/f"), 3);
    assert.deepEqual({ ...(await rejects.findReject(db, "a")) }, row("a", early));
    assert.equal((await rejects.findReject(db, "b"))?.reason, "links");
    const b = { id: "b", form: "c/f" };
    assert.equal(await db.write((tx) => rejects.deleteReject(tx, { ...b, form: "c/g" })), false);
    assert.equal(await db.write((tx) => rejects.deleteReject(tx, b)), true);
    assert.equal(await db.write((tx) => rejects.deleteReject(tx, b)), false);
    assert.equal(await db.write((tx) => rejects.deleteOldRejects(tx, now, 10)), 1);
    assert.equal(await db.write((tx) => rejects.deleteOldRejects(tx, now, 10)), 0);
    assert.deepEqual(await ids(), ["c"]);
  });

  test("FORM-40 the oldest rejected sendings of a form go for a new one that is beyond its bytes", async () => {
    const db = database();
    const add = (id: string, length: number, form = "s/f") => {
      const row = { id: `s-${id}`, form, reason: "links", content: "é".repeat(length / 2), created: now };
      return db.write((tx) => rejects.insertReject(tx, row, 1_000));
    };
    const ids = async () => (await rejects.listRejects(db, "s/f", { limit: 10 })).map(({ id }) => id.slice(2)).join("");
    // Each row counts 200 bytes more.
    await add("a", 100);
    await add("b", 100);
    await add("x", 800, "s/g");
    await add("c", 200);
    assert.equal(await ids(), "cba");
    await add("d", 2);
    assert.equal(await ids(), "dcb");
    await db.write((tx) => rejects.deleteReject(tx, { id: "s-c", form: "s/f" }));
    await add("e", 200);
    assert.equal(await ids(), "edb");
    await add("f", 5_000);
    assert.equal(await ids(), "f");
    await add("g", 300);
    await add("h", 300);
    assert.equal(await ids(), "hg");
    assert.equal(await rejects.countRejects(db, "s/g"), 1);
  });
}
