import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { pendingMigrations } from "#storage/migrate.ts";
import { findLongPlan } from "./sqlite-plan-gate.ts";

test("STO-70 statements that look through a table that grows, or sort, are reported; others pass", () => {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of pendingMigrations("sqlite", new Set())) database.exec(sql);
  const check = (sql: string) => findLongPlan(database, sql);
  for (const sql of [
    "SELECT doc FROM objects WHERE collection = ? AND id = ?",
    "SELECT id FROM collections ORDER BY id",
    "SELECT seq FROM jobs WHERE kind = ? ORDER BY seq DESC LIMIT ? OFFSET ?",
    "SELECT id FROM mails WHERE mailer = ? ORDER BY created DESC, id LIMIT 1",
    "SELECT hash FROM sessions WHERE user_id = ? ORDER BY last_seen DESC LIMIT ?",
    "UPDATE jobs SET lease_until = ? WHERE owner = ? AND status = 'running'",
    "SELECT kind, COUNT(*) AS running FROM jobs WHERE status = 'running' GROUP BY kind",
    "INSERT INTO pending_files (kind, place, content) VALUES (?, ?, ?), (?, ?, ?)",
    `SELECT seq FROM jobs WHERE kind = ? AND subject = ? AND finished IS NOT NULL
     ORDER BY finished DESC, seq DESC LIMIT ?`,
    "PRAGMA page_count",
  ])
    assert.equal(check(sql), undefined, sql);
  for (const sql of [
    "SELECT count(*) FROM objects",
    "SELECT doc FROM objects WHERE schema_rev = ?",
    "SELECT id FROM object_index WHERE collection = ? ORDER BY modified",
    "DELETE FROM jobs WHERE subject = ?",
    "SELECT COUNT(*) AS total FROM jobs",
    "SELECT seq FROM jobs ORDER BY seq DESC LIMIT ? OFFSET ?",
    "UPDATE mails SET status = ? WHERE sent_to = ?",
  ])
    assert.match(check(sql) ?? "", /SCAN|TEMP B-TREE/, sql);
  database.close();
});
