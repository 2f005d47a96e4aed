// What the planner of a database server knows of a new collection (decision 055).

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { operand, seed, selectionOf, where } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import { insertCollection } from "#storage/tables/collections.ts";
import { selectedSql } from "./select.ts";
import * as statistics from "./statistics.ts";

const objects = 700;

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Plan[];
}

/** How many rows were touched, in all steps. */
function workOf({ Plans = [], ...plan }: Plan): number {
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Join Filter": joined = 0 } = plan;
  const own = (plan["Actual Rows"] + filtered + joined) * plan["Actual Loops"];
  return Plans.reduce((sum, part) => sum + workOf(part), own);
}

export function statisticsContract(database: () => Storage): void {
  test("STO-132 statistics that were taken again know a collection that is new, and its rows are found one by one", async () => {
    const db = database();
    const row = { id: "sto132", settings: "{}", lastUpdated: "", updated: "", indexedRev: "rev1" };
    await db.write((tx) => insertCollection(tx, row));
    assert.equal((await statistics.listStoredTotals(db)).get("sto132"), 0);
    // The server would take them by itself, sooner or later.
    const setAutovacuum = (to: string) => db.dialect.statistics && db.maintain(`ALTER TABLE objects ${to}`);
    await setAutovacuum("SET (autovacuum_enabled = off)");
    await statistics.refreshStatistics(db);
    await seed(
      db,
      "sto132",
      Array.from({ length: objects }, (_, n) => ({ id: `o${n}`, more: { pieces: n } })),
    );
    if (!db.dialect.statistics) return assert.equal(await statistics.countUnanalyzed(db), 0);
    // The server counts a moment later.
    await until(async () => (await statistics.countUnanalyzed(db)) >= objects);
    await statistics.refreshStatistics(db);
    assert.ok((await statistics.countUnanalyzed(db)) < objects);
    await setAutovacuum("RESET (autovacuum_enabled)");
    const selection = selectionOf("sto132", { include: [where(operand("pieces", "number", "document"), "gte", 0)] });
    const { sql, params } = selectedSql(db, selection);
    const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT count(*) ${sql}`;
    const [explained] = await db.all<{ "QUERY PLAN": string }>(explain, params);
    const [{ Plan: plan } = { Plan: undefined }] = JSON.parse(explained?.["QUERY PLAN"] ?? "[]") as { Plan: Plan }[];
    assert.ok(plan);
    // Without them each object is looked for among all.
    assert.ok(workOf(plan) < (objects * objects) / 4, JSON.stringify(plan));
  });
}
