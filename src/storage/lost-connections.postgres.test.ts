// Connections to a database server that stand still or are lost: what waits for them ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { patience } from "#base/patience.fixture.ts";
import { log, prepare } from "./engines/fixtures/postgres.fixture.ts";
import { openGate } from "./engines/fixtures/postgres-gate.fixture.ts";
import { openStorage } from "./open.ts";

/** Fails when the work has not ended within `patience`. */
function ends<T>(work: Promise<T>): Promise<T> {
  const late = sleep(patience, undefined, { ref: false }).then(() => assert.fail("it never ended"));
  return Promise.race([work, late]);
}

test("STO-131 a connection that asks for changes and stands still is given up without a time limit of statements", async () => {
  const database = await prepare();
  const gate = await openGate((bytes) => bytes.includes("cairn_ask"));
  const through = Object.assign(new URL(database.options.databaseUrl), { port: gate.port }).href;
  const db = await openStorage({ ...database.options, databaseUrl: through, timeoutMs: 0, log });
  try {
    await db.catchUp();
    gate.shut();
    await ends(db.catchUp());
    const isMoving = new Set([db.version("keys"), db.version("keys")]).size > 1;
    assert.equal(isMoving, true, "nothing is cached");
    gate.open();
  } finally {
    gate.close();
    await db.close();
    await database.remove();
  }
});

test("DUR-53 a long read whose connection is lost fails", async () => {
  const database = await prepare();
  const db = await openStorage({ ...database.options, log });
  const other = new Client({ connectionString: database.options.databaseUrl });
  await other.connect();
  const cutOff = () =>
    other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  try {
    const numbers = "SELECT n FROM generate_series(1, 1000) AS n";
    const reading = db.view(async (view) => {
      for await (const _ of view.iterate(numbers, [], 10)) await cutOff();
    });
    await assert.rejects(ends(reading), { word: "unavailable" });
    // Its place is free again.
    for (let turn = 0; turn < 8; turn += 1)
      assert.equal((await ends(db.view((view) => view.all("SELECT 1")))).length, 1);
  } finally {
    await other.end();
    await db.close();
    await database.remove();
  }
});
