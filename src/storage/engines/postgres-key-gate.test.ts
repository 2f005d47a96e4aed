import assert from "node:assert/strict";
import { test } from "node:test";
import { findPartialKey } from "./postgres-key-gate.ts";

test("STO-126 a statement that finds objects by their number alone is named", () => {
  const partial = [
    "UPDATE objects SET doc = ? WHERE rid = ?",
    "DELETE FROM object_index WHERE rid IN (SELECT rid FROM gone)",
    "SELECT doc FROM (SELECT rid FROM object_index WHERE collection = 'a') AS page\n JOIN objects ON objects.rid = page.rid ORDER BY k0",
  ];
  for (const sql of partial) assert.ok(findPartialKey(sql), sql);
});

test("STO-126 statements that name the collection, or other tables, are not", () => {
  const whole = [
    "UPDATE objects SET doc = ? WHERE rid = ? AND collection = ?",
    "SELECT doc FROM page JOIN objects ON objects.rid = page.rid AND objects.collection = 'a'",
    "SELECT 1 FROM object_fts JOIN object_index ON object_index.rid = object_fts.rid WHERE object_index.collection = 'a'",
    "SELECT doc FROM objects WHERE collection = ? AND id = ?",
    "SELECT seq FROM changes WHERE rid = ?",
  ];
  for (const sql of whole) assert.equal(findPartialKey(sql), undefined, sql);
});
