import assert from "node:assert/strict";
import { test } from "node:test";
import { findOldRuns } from "./check-engines.ts";

const page = `| Engine | Date | Storage contract | HTTP part |
|---|---|---|---|
| PostgreSQL 15.18 (Debian) | 2026-11-18 | 353 passed, 0 failed | 517 passed, 0 failed |
| PostgreSQL 17.2 | 2026-12-10 | 353 passed, 0 failed | 517 passed, 0 failed |

| Engine | Word | Why |
|---|---|---|
| Aurora | expected | its readers share the storage |
`;

test("runs on an engine are old after 30 days", () => {
  assert.deepEqual(findOldRuns(page, new Date("2026-12-18T23:00:00Z")), []);
  assert.deepEqual(findOldRuns(page, new Date("2026-12-19T01:00:00Z")), [
    "PostgreSQL 15.18 (Debian): the tests ran 31 days ago. Run npm run test:engine again.",
  ]);
});
