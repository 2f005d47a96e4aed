// Erasure at once: the contents and notes of one object, and a pseudonym for a user. The seals hold.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getCollection } from "#content/collections/collection-cache.ts";
import { createCollection } from "#content/collections/collections.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { createObject, deleteObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import { readBytes } from "#storage/tables/history/contents.ts";
import { forgetObject, forgetUser } from "./forget.ts";
import { listHistory } from "./history.ts";
import { scrubPasswords } from "./scrub.ts";
import { sealChanges, verifyHistory } from "./seal.ts";
import { writerOf } from "./writer.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
  const text = { type: "string", field: "text" };
  await createSchema(ctx, { id: "note", properties: { title: text, pin: text }, required: ["id"], index: ["id"] });
  await createCollection(ctx, { id: "notes", schema: "note", history: "full" });
});
after(() => close());

const findings = async () => (await verifyHistory(ctx)).findings;
const noted = (note: string): Context => ({ ...ctx, trail: { note } });
const everything = async () => {
  const rows = await ctx.storage.all("SELECT * FROM changes ORDER BY seq");
  return JSON.stringify([rows, await ctx.storage.all("SELECT * FROM writers ORDER BY id")]);
};

test("RET-10 history:forget takes contents and notes of all changes of an object, sealed or not, and of those deleted under its id", async () => {
  await createObject(ctx, "notes", { id: "a", title: "first-life" });
  await patchObject(noted("a-private-reason"), "notes", "a", { body: { title: "changed-once" } });
  await deleteObject(ctx, "notes", "a");
  await createObject(ctx, "notes", { id: "a", title: "second-life" });
  await createObject(ctx, "notes", { id: "b", title: "of-another" });
  await patchObject(ctx, "notes", "b", { body: { title: "kept" } });
  await sealChanges(ctx, 0);
  await patchObject(noted("not-sealed-yet"), "notes", "a", { body: { title: "third" } });
  assert.deepEqual(await forgetObject(ctx, "notes", "a"), { changes: 3, notes: 2 });
  const left = await everything();
  for (const word of ["first-life", "changed-once", "second-life", "a-private-reason", "not-sealed-yet"])
    assert.equal(left.includes(word), false, word);
  assert.equal(left.includes("of-another"), true);
  assert.deepEqual(await findings(), []);
  await sealChanges(ctx, 0);
  assert.deepEqual(await findings(), []);
  const row = await ctx.storage.one<{ n: number }>(
    "SELECT COALESCE(SUM(OCTET_LENGTH(content)), 0) + COALESCE(SUM(OCTET_LENGTH(secrets)), 0) AS n FROM changes",
  );
  assert.equal(await readBytes(ctx.storage), row?.n);
  const { data } = await listHistory(ctx, "notes", "a", {});
  assert.deepEqual(
    data.map(({ kind, hasContent, note }) => [kind, hasContent, note]),
    [
      ["update", false, undefined],
      ["create", false, undefined],
    ],
  );
  await assert.rejects(forgetObject(ctx, "notes", "nobody"), /knows no object/);
});

test("RET-11 history:forget --user puts one pseudonym in the place of a user, and an altered pseudonym is found", async () => {
  const eve = { kind: "user" as const, id: "eve-lovelace", rid: 7, permissions: [], isAdmin: true } as unknown;
  const own = { ...ctx, actor: eve as Context["actor"] };
  const number = await writerOf(own);
  await ctx.storage.write((tx) =>
    tx.run(
      `INSERT INTO writers (mark, actor, user_id, impersonator, door, first)
       VALUES ('for', 'user:bob', 'bob', 'eve-lovelace', 'session', 1)`,
    ),
  );
  await ctx.storage.write((tx) =>
    tx.run(`UPDATE changes SET writer = ${number} WHERE seq = (SELECT MAX(seq) FROM changes)`),
  );
  await ctx.storage.write((tx) => tx.run("DELETE FROM seals"));
  await sealChanges(ctx, 0);
  // From now on the writer is kept in memory.
  assert.equal((await listHistory(ctx, "notes", "a", {})).data[0]?.by?.user, "eve-lovelace");
  const { pseudonym, writers } = await forgetUser(ctx, "eve-lovelace");
  assert.match(pseudonym, /^erased-[0-9a-f]{12}$/);
  assert.equal(writers, 2);
  assert.equal((await everything()).includes("eve-lovelace"), false);
  assert.deepEqual(await findings(), []);
  const { data } = await listHistory(ctx, "notes", "a", {});
  assert.deepEqual([data[0]?.by?.user, data[0]?.by?.actor], [pseudonym, `user:${pseudonym}`]);
  // The user writes on under its own name, by a writer of its own.
  assert.notEqual(await writerOf(own), number);
  await assert.rejects(forgetUser(ctx, "nobody"), /knows no user/);
  await ctx.storage.write((tx) => tx.run(`UPDATE writers SET user_id = 'mallory' WHERE id = ${number}`));
  assert.equal((await findings()).length, 1);
  await ctx.storage.write((tx) => tx.run(`UPDATE writers SET user_id = '${pseudonym}' WHERE id = ${number}`));
});

test("RET-12 values that are passwords now are taken out of the log once, and the seals hold", async () => {
  await createObject(ctx, "notes", { id: "s", title: "t", pin: "pin-of-before" });
  await patchObject(ctx, "notes", "s", { body: { title: "u", pin: "pin-of-then" } });
  await deleteObject(ctx, "notes", "s");
  await sealChanges(ctx, 0);
  const collection = await getCollection(ctx, "notes");
  const properties = new Map(collection.schema.properties);
  const pin = properties.get("pin");
  if (pin) properties.set("pin", { ...pin, isPassword: true });
  const changed = { ...collection, schema: { ...collection.schema, properties } };
  assert.equal(await scrubPasswords(ctx, changed), 2);
  const left = await everything();
  assert.equal(left.includes("pin-of"), false);
  assert.equal(left.includes('\\"title\\":\\"u\\"'), true);
  assert.deepEqual(await findings(), []);
  assert.equal(await scrubPasswords(ctx, changed), 0);
  // Text for a while, and a password again.
  await createObject(ctx, "notes", { id: "again", title: "t", pin: "pin-of-between" });
  await patchObject(ctx, "notes", "again", { body: { pin: "pin-of-now" } });
  assert.equal((await everything()).includes("pin-of-between"), true);
  assert.equal(await scrubPasswords(ctx, changed), 1);
  assert.equal((await everything()).includes("pin-of"), false);
});
