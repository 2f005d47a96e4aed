// Locks of names: one transaction at a time has a name, in any process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "./contract-samples.ts";
import { deleteUnusedNames, lockName } from "./name-locks.ts";
import type { Storage } from "./port.ts";

const rounds = 12;

export function nameLockContract(storage: () => Storage, database: () => TestDatabase): void {
  test("STO-125 of transactions that lock one name, in several processes, one runs at a time", async () => {
    const db = storage();
    const other = await database().open();
    let holders = 0;
    let most = 0;
    const hold = (own: Storage) =>
      own.write(async (tx) => {
        await lockName(tx, "sto125");
        holders += 1;
        most = Math.max(most, holders);
        await sleep(5);
        holders -= 1;
      });
    // One process at a time writes to an embedded database.
    await Promise.all(Array.from({ length: rounds }, (_, n) => hold(db.isShared && n % 2 === 1 ? other : db)));
    await other.close();
    assert.equal(most, 1);
  });

  test("STO-125 a failed transaction leaves its name free, and another name never waits where several write at once", async () => {
    const db = storage();
    const failed = db.write(async (tx) => {
      await lockName(tx, "sto125-failed");
      throw new Error("on purpose");
    });
    await assert.rejects(failed, /on purpose/);
    await db.write((tx) => lockName(tx, "sto125-failed"));
    if (!db.isShared) return;
    await db.write(async (tx) => {
      await lockName(tx, "sto125-one");
      await db.write((second) => lockName(second, "sto125-two"));
    });
  });

  test("STO-125 names that were not used for an hour leave no rows, except those that somebody has", async () => {
    const db = storage();
    if (!db.isShared) return assert.equal(await db.write(deleteUnusedNames), 0);
    for (const name of ["old", "held", "new"]) await db.write((tx) => lockName(tx, `sto125-${name}`));
    await db.write((tx) =>
      tx.run("UPDATE name_locks SET used = now() - interval '2 hours' WHERE name IN ('sto125-old', 'sto125-held')"),
    );
    await db.write(async (tx) => {
      await lockName(tx, "sto125-held");
      assert.equal(await db.write(deleteUnusedNames), 1);
    });
    const left = await db.all<{ name: string }>("SELECT name FROM name_locks ORDER BY name");
    const names = left.map(({ name }) => name);
    assert.ok(names.includes("sto125-held") && names.includes("sto125-new") && !names.includes("sto125-old"));
  });
}
