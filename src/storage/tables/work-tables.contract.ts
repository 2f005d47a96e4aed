// The tables about content and deferred work on every engine: each function once, so that most tests need one engine only
// (scripts/check-contracts.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { service } from "#lanes/caller.ts";
import { objectWrite, seed } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import * as collections from "./collections.ts";
import * as extensionEvents from "./extensions/extension-events.ts";
import * as extensionLog from "./extensions/extension-log.ts";
import * as extensionStore from "./extensions/extension-store.ts";
import * as extensions from "./extensions/extensions.ts";
import * as batches from "./object-batches.ts";
import { rewriteObject } from "./object-writes.ts";
import * as objects from "./objects.ts";
import * as pending from "./pending-files.ts";
import * as presence from "./presence.ts";
import * as references from "./relations/object-references.ts";
import * as digests from "./schema-digests.ts";
import * as previews from "./site/previews.ts";
import * as redirects from "./site/redirects.ts";
import * as errors from "./site/site-errors.ts";
import * as purges from "./site/site-purges.ts";
import * as uploads from "./uploads.ts";
import * as views from "./view-results.ts";
import * as webhooks from "./webhooks.ts";

/** Times in their order. */
const [early, now, late] = [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [string, string, string];

export function workTablesContract(database: () => Storage): void {
  test("STO-101 collections and their counters", async () => {
    const db = database();
    const row = { id: "tc", settings: "{}", lastUpdated: early, updated: early, indexedRev: "r1" };
    await db.write((tx) => collections.insertCollection(tx, row));
    await db.write(async (tx) => {
      assert.equal((await collections.lockCollectionRow(tx, "tc"))?.indexedRev, "r1");
      await collections.updateCollectionSettings(tx, "tc", '{"a":1}', now);
      await collections.beginIndexing(tx, "tc", "r2");
      await collections.followIndexing(tx, "tc", "r2");
      await collections.endIndexing(tx, "tc", "r2");
      assert.equal(await collections.beginIndexingUnlessDone(tx, "tc", "r2"), false);
      await collections.noteWords(tx, "tc");
      assert.equal((await collections.lockCounters(tx, "tc")).count, 0);
    });
    const found = await collections.findCollectionRow(db, "tc");
    assert.deepEqual([found?.settings, found?.indexedRev, found?.words], ['{"a":1}', "r2", collections.wordsLayout]);
    await db.write((tx) => collections.followIndexing(tx, "tc", "r1"));
    assert.equal((await collections.findCollectionRow(db, "tc"))?.indexedRev, "");
    await seed(db, "tc", [{ id: "a" }, { id: "b" }]);
    assert.equal(await collections.findMiscount(db, "tc"), 2);
    await db.write((tx) => collections.mendCounters(tx, "tc", 2));
    assert.equal(await collections.findMiscount(db, "tc"), 0);
    const change = await collections.readLastChange(db, "tc");
    assert.deepEqual({ ...change }, { count: 2, totalObjects: 2, lastUpdated: early, writes: 0, imported: null });
    await db.write((tx) => collections.markDeleting(tx, "tc"));
    assert.equal((await collections.listCollectionRows(db)).find(({ id }) => id === "tc")?.isDeleting, 1);
    await db.write((tx) => collections.deleteCollectionRow(tx, "tc"));
    assert.equal(await collections.findCollectionRow(db, "tc"), undefined);
  });

  test("STO-101 EXT-17 extensions, what they keep and what they log", async () => {
    const db = database();
    const row = { id: "acme/a", enabled: 1, switchedOff: "[]", approved: null, settings: "{}", error: null };
    const rest = { quarantined: 0, kinds: "{}", schemas: "{}", updated: now };
    await db.write((tx) => extensions.putExtension(tx, { ...row, ...rest }));
    await db.write((tx) => extensions.putExtension(tx, { ...row, ...rest, error: "x" }));
    await db.write(async (tx) => assert.equal((await extensions.lockExtension(tx, "acme/a"))?.error, "x"));
    assert.deepEqual((await extensions.listExtensionRows(db)).at(-1), { ...row, ...rest, error: "x" });
    const kinds = JSON.stringify({ place: { type: "json" } });
    await db.write((tx) => extensions.putExtension(tx, { ...row, ...rest, kinds }));
    assert.deepEqual(await extensions.listBrought(db), [{ id: "acme/a", kinds, schemas: "{}" }]);
    await db.write((tx) => extensions.deleteExtension(tx, "acme/a"));
    assert.deepEqual(await extensions.listExtensionRows(db), []);

    const one = { key: "a/1", value: "12", rev: 1, expires: null };
    const two = { key: "a/2", value: '"x"', rev: 1, expires: early };
    assert.equal(await db.write((tx) => extensionStore.putStored(tx, "acme/a", one)), 5);
    assert.equal(await db.write((tx) => extensionStore.putStored(tx, "acme/a", two)), 11);
    const longer = { ...one, value: "1234", rev: 2 };
    assert.equal(await db.write((tx) => extensionStore.putStored(tx, "acme/a", longer, one)), 13);
    assert.deepEqual(await extensionStore.findStored(db, "acme/a", "a/1"), longer);
    await db.write(async (tx) => assert.equal((await extensionStore.lockStored(tx, "acme/a", "a/1"))?.rev, 2));
    const range = { from: "a/", below: "a0", now, limit: 10 };
    assert.deepEqual(await extensionStore.listStoredKeys(db, "acme/a", range), [{ key: "a/1" }]);
    assert.equal(await db.write((tx) => extensionStore.deleteExpiredStored(tx, now, 10)), 1);
    assert.equal(await db.write((tx) => extensionStore.putStored(tx, "acme/a", two)), 13);
    await db.write((tx) => extensionStore.deleteStored(tx, "acme/a", "a/2"));
    await db.write((tx) => extensionStore.deleteAllStored(tx, "acme/a"));
    assert.equal(await extensionStore.findStored(db, "acme/a", "a/1"), undefined);

    const line = (text: string) => ({ at: now, level: "info", text, data: "null", crash: /^!/.test(text) ? 1 : 0 });
    const written = ["!0", "!1", "1", "2", "3"].map(line);
    await db.write((tx) => extensionLog.insertLogLines(tx, "acme/a", written, { lines: 2, crashes: 1 }));
    const lines = await extensionLog.listLogLines(db, "acme/a", 0);
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["!1", "2", "3"],
    );
    assert.equal((await extensionLog.listLogLines(db, "acme/a", lines[0]?.id ?? 0)).length, 2);
    await db.write((tx) => extensionLog.deleteLogLines(tx, "acme/a"));
    assert.deepEqual(await extensionLog.listLogLines(db, "acme/a", 0), []);

    const event = (subject: string) => ({ reaction: "r", subject, event: "{}", depth: 0 });
    const due = async () => (await extensionEvents.listDueEvents(db, "acme/a", now, 10)).map((one) => one.subject);
    for (const subject of ["x", "y", "x"])
      await db.write((tx) => extensionEvents.insertEvent(tx, "acme/a", event(subject), early));
    assert.deepEqual(await due(), ["x", "y", "x"]);
    const [first] = await extensionEvents.listDueEvents(db, "acme/a", now, 1);
    await db.write((tx) => extensionEvents.postponeEvent(tx, first?.seq ?? 0, late));
    assert.deepEqual(await due(), ["y"]);
    assert.equal(await extensionEvents.nextEventAt(db, "acme/a"), early);
    await db.write((tx) => extensionEvents.deleteEvents(tx, [first?.seq ?? 0]));
    assert.deepEqual(await due(), ["y", "x"]);
    await db.write((tx) => extensionEvents.deleteEventsOf(tx, "acme/a"));
    assert.equal(await extensionEvents.nextEventAt(db, "acme/a"), undefined);
  });

  test("STO-101 objects in batches, documents and secrets", async () => {
    const db = database();
    await seed(db, "tb", [{ id: "a" }, { id: "b", more: { n: 1 } }, { id: "c" }]);
    const page = { collection: "tb", after: "a", limit: 5 };
    assert.deepEqual(
      (await batches.askIds(db, page)).map(({ id }) => id),
      ["b", "c"],
    );
    assert.deepEqual(
      (await batches.askSlice(db, page, service)).map(({ id, secrets }) => [id, secrets]),
      [
        ["b", "{}"],
        ["c", "{}"],
      ],
    );
    assert.deepEqual(
      (await batches.readSlice(db, page)).map(({ id }) => id),
      ["b", "c"],
    );
    await db.write(async (tx) => {
      const [locked] = await batches.lockStored(tx, "tb", ["b", "x"]);
      assert.equal(locked?.secrets, "{}");
      assert.deepEqual([...(await batches.lockIds(tx, "tb", ["c", "x", "a"]))].sort(), ["a", "c"]);
      const write = { ...objectWrite("tb", { id: "b" }), schemaRev: "rev2", secrets: { password: "hash" } };
      if (locked) await rewriteObject(tx, locked, { ...write, attic: '{"n":1}' });
    });
    assert.equal((await batches.findStored(db, "tb", "b"))?.attic, '{"n":1}');
    const document = await objects.findDocument(db, "tb", "b");
    assert.deepEqual([document?.rev, document?.schemaRev, document?.doc], [1, "rev2", '{"id":"b"}']);
    assert.deepEqual(await objects.findSecrets(db, "tb", "b"), { password: "hash" });
    assert.deepEqual(
      (await objects.listDocuments(db, "tb")).map(({ id }) => id),
      ["a", "b", "c"],
    );
    assert.equal(await batches.countObjects(db, "tb"), 3);
    assert.equal(await batches.countObjects(db, "tb", "rev1"), 1);
    assert.deepEqual([await batches.hasObjects(db, "tb"), await batches.hasObjects(db, "none")], [true, false]);
  });

  test("STO-101 references between objects", async () => {
    const db = database();
    await seed(db, "tr", [{ id: "a" }, { id: "b", more: { draft: true } }]);
    const row = (id: string, property: string, targetId: string) => ({
      ...{ collection: "tr", id, property, targetCollection: "tr", targetId },
    });
    const rows = [row("a", "one", "a"), row("a", "one", "b"), row("b", "one", "a"), row("b", "two", "a")];
    await db.write((tx) => references.insertReferences(tx, [...rows, row("b", "two", "a")]));
    const target = { collection: "tr", id: "a" };
    const from = { collection: "tr", properties: ["one", "two"], hideDrafts: false };
    const ask = async (more: object = {}, page: object = {}) => {
      const asked = { from: [{ ...from, ...more }], limit: 10, caller: service, ...page };
      return (await references.askPointing(db, target, asked)).map(({ id, property }) => `${id} ${property}`);
    };
    assert.deepEqual(await ask(), ["a one", "b one", "b two"]);
    assert.deepEqual(await ask({ hideDrafts: true }), ["a one"]);
    assert.deepEqual(await ask({ onlyId: "b", properties: ["one"] }), ["b one"]);
    const after = { collection: "tr", id: "b", property: "one" };
    assert.deepEqual(await ask({}, { after }), ["b two"]);
    const pairs = [{ collection: "tr", property: "one" }];
    assert.equal(await references.isPointedTo(db, "tr", pairs, service), true);
    assert.equal(await references.isPointedTo(db, "tr", [{ collection: "tr", property: "no" }], service), false);
    await db.write(async (tx) => {
      const { rid = 0 } = (await objects.findObject(db, "tr", "a")) ?? {};
      await references.lockForDeletion(tx, { rid, collection: "tr" });
      assert.deepEqual([...(await references.lockReferenced(tx, "tr", ["x", "a"]))], ["a"]);
      const pointing = await references.findPointing(tx, target, pairs, 5);
      assert.deepEqual(
        pointing.map(({ id, property }) => [id, property]),
        [["b", "one"]],
      );
      assert.deepEqual([...(await references.lockReferenced(tx, "tr", ["a", "b"], { hideDrafts: true }))], ["a"]);
      const [first, ...others] = await references.listPointingInto(tx, "tr", undefined, 2);
      assert.deepEqual([first?.id, first?.targetId, others.length], ["a", "a", 1]);
      const rest = await references.listPointingInto(tx, "tr", others[0], 5);
      assert.deepEqual(
        rest.map(({ id, property, targetId }) => [id, property, targetId]),
        [
          ["b", "two", "a"],
          ["a", "one", "b"],
        ],
      );
      await references.deleteReferences(tx, "tr", ["b", "none"]);
    });
    assert.deepEqual(await ask(), ["a one"]);
    assert.equal(await db.write((tx) => references.deleteSomeReferences(tx, "tr")), true);
    assert.equal(await db.write((tx) => references.deleteSomeReferences(tx, "tr")), false);
  });

  test("STO-101 files that wait to be written, and digests of schemas", async () => {
    const db = database();
    const file = { kind: "schema" as const, place: "a", content: "{}", stamped: now };
    await db.write((tx) => pending.insertPendingFiles(tx, [file, { ...file, place: "b" }]));
    const [first, second] = await pending.listPendingFiles(db, 5);
    assert.deepEqual([first?.place, second?.place], ["a", "b"]);
    await db.write((tx) => pending.deletePendingFiles(tx, [first?.seq ?? 0]));
    assert.deepEqual(
      (await pending.listPendingFiles(db, 5)).map(({ place }) => place),
      ["b"],
    );
    await db.write((tx) => pending.deletePendingFiles(tx, [second?.seq ?? 0]));

    await db.write((tx) => digests.putSchemaDigests(tx, new Map([["a", "1"]])));
    assert.equal(await digests.findSchemaDigests(db), undefined);
    await db.write((tx) =>
      digests.noteSchemaFolder(
        tx,
        new Map([
          ["a", "2"],
          ["b", "3"],
        ]),
      ),
    );
    await db.write((tx) => digests.deleteSchemaDigests(tx, ["b"]));
    assert.deepEqual([...((await digests.findSchemaDigests(db)) ?? [])], [["a", "2"]]);
    await db.write((tx) => digests.deleteSchemaDigests(tx, ["a", ""]));
  });

  test("STO-101 uploads in parts", async () => {
    const db = database();
    const part = { number: 1, name: "one", size: 5_000_000_000 };
    await db.write(async (tx) => {
      assert.equal((await uploads.touchUpload(tx, { id: "u", total: 2, touched: now })).total, 2);
      assert.equal((await uploads.touchUpload(tx, { id: "u", total: 9, touched: now })).total, 2);
      assert.equal((await uploads.lockUpload(tx, "u"))?.total, 2);
      assert.equal(await uploads.putPart(tx, "u", { number: 2, name: "two", size: 3 }), undefined);
      await uploads.putPart(tx, "u", { ...part, name: "before" });
      assert.equal((await uploads.putPart(tx, "u", part))?.name, "before");
    });
    assert.deepEqual({ ...(await uploads.listParts(db, "u"))[0] }, part);
    assert.deepEqual({ ...(await uploads.measureParts(db, "u", 2)) }, { count: 1, size: 5_000_000_000 });
    await db.write((tx) => uploads.deletePart(tx, "u", part));
    assert.equal((await uploads.listParts(db, "u")).length, 1);
    await db.write((tx) => uploads.deleteUploadsBefore(tx, early));
    assert.equal((await uploads.findUpload(db, "u"))?.total, 2);
    await db.write((tx) => uploads.deleteUpload(tx, "u"));
    assert.deepEqual(await uploads.listParts(db, "u"), []);
  });

  test("STO-101 results of data views", async () => {
    const db = database();
    await seed(db, "dataviews", [{ id: "v1" }]);
    assert.deepEqual(
      (await views.listViewDocuments(db)).map((each) => ({ ...each })),
      [{ id: "v1", doc: '{"id":"v1"}' }],
    );
    await db.write(async (tx) => {
      await views.putViewError(tx, "v2", { error: "no", tried: early });
      await views.putViewResult(tx, { id: "v1", data: "[1]", hash: "h", built: now, durationMs: 5 });
      await views.putViewError(tx, "v1", { error: "later", tried: late });
      assert.equal((await views.lockViewState(tx, "v1"))?.error, "later");
    });
    assert.equal(await views.findViewData(db, "v2"), undefined);
    assert.deepEqual({ ...(await views.findViewData(db, "v1")) }, { hash: "h", data: "[1]" });
    assert.equal((await views.listViewStates(db)).length, 2);
    const state = { id: "v1", hash: "h", built: now, durationMs: 5, error: "later", tried: late };
    assert.deepEqual({ ...(await views.findViewState(db, "v1")) }, state);
    await db.write((tx) => views.deleteViewResult(tx, "v1"));
    await db.write((tx) => views.deleteAllViewResults(tx));
    assert.deepEqual(await views.listViewStates(db), []);
  });

  test("STO-101 webhooks and their deliveries", async () => {
    const db = database();
    const row: webhooks.WebhookRow = {
      ...{
        id: "w",
        name: "Hook",
        url: "https://a",
        events: "[]",
        collections: "[]",
        headers: "[]",
        isActive: 1,
        secret: "s",
      },
      ...{ previousSecret: null, previousUntil: null, failingSince: null, disabledReason: null },
      ...{ created: early, updated: early },
    };
    const delivery = { id: "d1", webhook: "w", event: "object.created", body: "{}", created: early };
    await db.write(async (tx) => {
      await webhooks.putWebhook(tx, { ...row, name: "Before" });
      await webhooks.putWebhook(tx, row);
      assert.equal(await webhooks.insertDelivery(tx, delivery), true);
      assert.equal(await webhooks.insertDelivery(tx, { ...delivery, id: "d2", created: now }), true);
      assert.equal(await webhooks.insertDelivery(tx, { ...delivery, id: "d3", webhook: "gone" }), false);
      assert.equal((await webhooks.lockWebhookRow(tx, "w"))?.name, "Hook");
    });
    assert.deepEqual({ ...(await webhooks.findWebhookRow(db, "w")) }, row);
    assert.deepEqual(
      (await webhooks.listWebhookRows(db)).map(({ id }) => id),
      ["w"],
    );
    const rows = await webhooks.listDeliveryRows(db, "w", { limit: 5, offset: 0 });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["d2", "d1"],
    );
    assert.equal(await webhooks.countDeliveries(db, "w"), 2);
    const attempt: webhooks.Attempt = {
      ...{ status: "queued", nextAttempt: late, finished: null, responseStatus: 500, response: "no" },
      ...{ durationMs: 3, error: "failed" },
    };
    await db.write((tx) => webhooks.noteDelivery(tx, "d1", attempt));
    assert.equal((await webhooks.findDelivery(db, "d1"))?.attempts, 1);
    await db.write((tx) => webhooks.requeueDelivery(tx, "d1", now));
    assert.equal((await webhooks.findDelivery(db, "d1"))?.attempts, 0);
    await db.write((tx) => webhooks.abandonDelivery(tx, "d1", { error: "gone", finished: now }));
    assert.equal((await webhooks.findDelivery(db, "d1"))?.status, "failed");
    assert.deepEqual(
      [await webhooks.countFailedDeliveries(db, 5), await webhooks.countFailedDeliveries(db, 0)],
      [1, 0],
    );
    assert.equal(await db.write((tx) => webhooks.deleteOldDeliveries(tx, "w", late)), 1);
    assert.equal(await db.write((tx) => webhooks.deleteWebhookRow(tx, "w")), true);
    assert.equal(await webhooks.countDeliveries(db, "w"), 0);
  });

  test("STO-101 presence", async () => {
    const db = database();
    const place = { collection: "tp", object: "a" };
    const put = (userId: string, seen: string, lapsed = early) =>
      db.write((tx) =>
        presence.putPresence(tx, place, { userId, name: userId.toUpperCase(), editing: 1, seen, lapsed }),
      );
    const list = async (after: string) =>
      (await presence.listPresence(db, place, { after, limit: 5 })).map(({ userId, since }) => [userId, since]);
    await put("u1", early);
    await put("u2", now);
    await put("u1", now);
    assert.deepEqual(await list(early), [
      ["u1", early],
      ["u2", now],
    ]);
    await put("u2", late, late);
    assert.deepEqual(await list(now), [["u2", late]]);
    await db.write((tx) => presence.deleteOldPresence(tx, late));
    assert.deepEqual(await list(""), [["u2", late]]);
    await db.write((tx) => presence.deletePresence(tx, place, "u2"));
    assert.deepEqual(await list(""), []);
  });

  test("STO-101 redirects", async () => {
    const db = database();
    const row = (source: string, target: string, origin = "manual") => ({
      ...{ id: `r${source}`, source, target, targetPath: target, status: 301, origin, created: early, updated: early },
    });
    const all = async () => {
      const found: [string, string][] = [];
      for await (const page of redirects.pageRedirects(db))
        found.push(...page.map(({ source, target }) => [source, target] as [string, string]));
      return found;
    };
    await db.write((tx) => redirects.putRedirects(tx, [row("/b", "/c"), row("/a", "/b"), row("/m", "/n", "moved")]));
    const before = db.version("redirects");
    await db.write((tx) => redirects.addRedirectHits(tx, [{ id: "r/a", count: 3, last: late }]));
    assert.equal(db.version("redirects"), before);
    await db.write((tx) => redirects.putRedirects(tx, [{ ...row("/a", "/d"), id: "other", updated: now }]));
    const [found] = await redirects.findRedirectRows(db, ["/a", "/z"]);
    assert.deepEqual({ ...found }, { ...row("/a", "/d"), updated: now, hits: 3, last: late });
    assert.deepEqual(await redirects.findRedirectRow(db, "other"), undefined);
    await db.write((tx) => redirects.moveRedirects(tx, row("/c", "/e", "moved")));
    await db.write((tx) => redirects.moveRedirects(tx, row("/b", "/x", "moved")));
    assert.deepEqual(await all(), [
      ["/a", "/d"],
      ["/b", "/e"],
      ["/c", "/e"],
      ["/m", "/n"],
    ]);
    await db.write((tx) => redirects.deleteRedirectFrom(tx, "/a", "moved"));
    await db.write((tx) => redirects.deleteRedirectFrom(tx, "/m", "moved"));
    await db.write((tx) => redirects.deleteRedirectFrom(tx, "/c"));
    assert.equal(await db.write((tx) => redirects.deleteRedirectRow(tx, "r/b")), true);
    assert.equal(await db.write((tx) => redirects.deleteRedirectRow(tx, "r/b")), false);
    assert.ok(db.version("redirects") !== before);
    assert.deepEqual(await all(), [["/a", "/d"]]);
  });

  test("STO-101 previews", async () => {
    const db = database();
    const row = { author: "{}", maker: "user:a", path: "/x", collection: "", object: "", shared: 0 };
    const put = (id: string, created: string, expires: string) =>
      db.write((tx) => previews.insertPreview(tx, { ...row, id, hash: `h-${id}`, created, expires }));
    const list = async (maker: string | undefined, at: string) =>
      (await previews.listPreviews(db, { maker, since: "", now: at, limit: 5 })).map(({ id }) => id);
    await put("p1", early, late);
    await put("p2", now, late);
    await put("p3", now, now);
    assert.deepEqual(await list("user:a", now), ["p2", "p1"]);
    assert.deepEqual(await list("user:b", now), []);
    assert.deepEqual(await list(undefined, early), ["p3", "p2", "p1"]);
    assert.equal(await previews.countPreviews(db, "user:a", now), 2);
    assert.equal(await db.write((tx) => previews.putUnsaved(tx, "p1", '{"a":1}', now)), true);
    assert.equal(await db.write((tx) => previews.putUnsaved(tx, "none", "{}", now)), false);
    const found = await previews.findPreviewByToken(db, "h-p1");
    assert.deepEqual([found?.id, found?.unsaved, found?.unsavedAt], ["p1", '{"a":1}', now]);
    await db.write((tx) => previews.deleteExpiredPreviews(tx, now));
    await db.write((tx) => previews.deletePreview(tx, "p2"));
    assert.deepEqual(await list(undefined, ""), ["p1"]);
    assert.equal((await previews.findPreview(db, "p1"))?.path, "/x");
    await db.write((tx) => previews.deletePreview(tx, "p1"));
  });

  test("STO-101 errors of the site", async () => {
    const db = database();
    const row = (id: string, last: string) => ({
      ...{ id, kind: "page", template: "pages/a", line: 1, column: 2, message: "m", path: `/${id}`, collection: "" },
      ...{ request: "r", count: 2, first: last, last },
    });
    const list = async (since: string) => (await errors.listSiteErrors(db, since)).map(({ id, count }) => [id, count]);
    await db.write((tx) => errors.addSiteErrors(tx, [row("a", early), row("b", now)]));
    await db.write((tx) => errors.addSiteErrors(tx, [row("a", late)]));
    assert.deepEqual(await list(""), [
      ["a", 4],
      ["b", 2],
    ]);
    assert.deepEqual([await errors.countSiteErrors(db, late), await errors.countSiteErrors(db, "9")], [1, 0]);
    const [found] = await errors.listSiteErrors(db, late);
    assert.deepEqual({ ...found }, { ...row("a", late), count: 4, first: early });
    await db.write((tx) => errors.deleteOldSiteErrors(tx, early, 1));
    assert.deepEqual(await list(""), [["a", 4]]);
    await db.write((tx) => errors.deleteOldSiteErrors(tx, "9", 1));
    assert.deepEqual(await list(""), []);
  });

  test("STO-101 tags of pages that a CDN must drop", async () => {
    const db = database();
    for (const tags of [["c:a", "o:a/1"], ["c:a", "o:a/2"], ["site"]])
      await db.write((tx) => purges.insertPurge(tx, tags));
    const take = (most: number) => db.write((tx) => purges.takePurges(tx, most));
    assert.deepEqual(await take(2), { count: 2, tags: new Set(["c:a", "o:a/1", "o:a/2"]) });
    assert.deepEqual(await take(2), { count: 1, tags: new Set(["site"]) });
    assert.deepEqual(await take(2), { count: 0, tags: new Set() });
  });
}
