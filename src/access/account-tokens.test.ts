// Tokens against a real database, with a clock that can be moved.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Clock } from "#base/clock.ts";
import { createLog } from "#base/log.ts";
import { openStorage } from "#storage/open.ts";
import { hasToken } from "#storage/tables/account-tokens.ts";
import { deleteObject, insertObject } from "#storage/tables/object-writes.ts";
import { findToken, issueToken, type TokenParts, takeToken } from "./account-tokens.ts";

const dataDir = mkdtempSync(join(tmpdir(), "cairn-tokens-"));
const minute = 60_000;
const user = { id: "ada", rid: 7 };
let time = Date.parse("2026-01-01T00:00:00.000Z");
const clock: Clock = { now: () => time, iso: () => new Date(time).toISOString() };
let app: TokenParts;

before(async () => {
  const storage = await openStorage({ dataDir, databaseUrl: "", role: "command", log: createLog("silent") });
  app = { storage, clock };
});
after(async () => {
  await app.storage.close();
  rmSync(dataDir, { recursive: true });
});

const take = (token: string, purpose: "reset" | "verify") =>
  app.storage.write((tx) => takeToken(tx, token, { purpose, clock }));

test("MAIL-8 PKEY-3 a token works until its time is over", async () => {
  const token = await issueToken(app, { purpose: "reset", user }, 30 * minute);
  time += 30 * minute - 1;
  assert.equal((await findToken(app, token, "reset"))?.userRid, user.rid);
  time += 1;
  assert.equal(await findToken(app, token, "reset"), undefined);
  assert.equal(await take(token, "reset"), undefined);
});

test("MAIL-6 a token works once, and only for its purpose", async () => {
  const token = await issueToken(app, { purpose: "reset", user }, minute);
  assert.equal(await findToken(app, token, "verify"), undefined);
  assert.equal((await take(token, "reset"))?.userId, user.id);
  assert.equal(await take(token, "reset"), undefined);
});

test("REG-9 an expired verification stays known as long as its user exists, and no longer", async () => {
  const row = { collection: "auth", id: "eve", created: clock.iso(), modified: clock.iso(), schemaRev: "1", doc: "{}" };
  const entry = { idx: "{}", fold: "{}", title: "", body: "" };
  const { rid } = await app.storage.write((tx) => insertObject(tx, { ...row, secrets: {}, entry, record: undefined }));
  await issueToken(app, { purpose: "verify", user: { id: "eve", rid } }, minute);
  const isKnown = async () => {
    time += 2 * minute;
    // Whoever comes next sweeps what has expired.
    await issueToken(app, { purpose: "reset", user }, minute);
    return hasToken(app.storage, { purpose: "verify", userId: "eve", userRid: rid });
  };
  assert.equal(await isKnown(), true);
  await app.storage.write((tx) => deleteObject(tx, { rid, collection: "auth" }, undefined));
  assert.equal(await isKnown(), false);
});
