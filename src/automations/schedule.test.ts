import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { askJobs } from "#storage/tables/jobs.ts";
import { runKind } from "./runs.ts";
import { cronProblem, fireSchedules } from "./schedule.ts";

const minute = 60_000;
const hour = 60 * minute;
let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
});
after(() => close());

/** The same installation at another time. */
function at(time: number, settings: JsonObject = {}): Context {
  const known = ctx.settings;
  const get = ((key: string) => settings[key] ?? known.get(key as "edition")) as typeof known.get;
  return { ...ctx, settings: { ...known, get }, clock: { now: () => time, iso: () => new Date(time).toISOString() } };
}

async function automate(id: string, cron: string): Promise<void> {
  const triggers = [{ id: "s", type: "schedule", cron }];
  await createObject(ctx, "automations", { id, triggers, handler: "export default () => 1" });
}

async function slots(id: string): Promise<string[]> {
  const page = { limit: 100, offset: 0, caller: ctx.caller };
  const { rows } = await askJobs(ctx.storage, { kind: runKind, subject: id }, page);
  return rows.map((row) => (JSON.parse(row.payload) as { args: { scheduledAt: string } }).args.scheduledAt).reverse();
}

test("ATM-24 five fields and macros are read, all else is refused", () => {
  for (const text of ["* * * * *", "*/5 8-18 * * MON-FRI", "@hourly", "@daily", " @Weekly ", "@monthly", "@yearly"])
    assert.equal(cronProblem(text), undefined, text);
  for (const text of ["", "* * * *", "* * * * * *", "60 * * * *", "@never", "tomorrow", "2030-01-01T00:00:00"])
    assert.match(cronProblem(text) ?? "", /five cron fields/, text);
});

test("ATM-25 ATM-26 each moment fires once over all processes, and a late check makes up for one", async () => {
  await automate("quarter", "*/15 * * * *");
  const start = Math.ceil((Date.now() + 1) / hour) * hour + 24 * hour;
  const looks = [0, 0, 30_000, 15 * minute - 1, 15 * minute, 15 * minute + 500, 50 * minute];
  for (const late of looks) await Promise.all([fireSchedules(at(start + late)), fireSchedules(at(start + late))]);
  const iso = (ms: number) => new Date(start + ms).toISOString();
  assert.deepEqual(await slots("quarter"), [iso(0), iso(15 * minute), iso(45 * minute)]);
});

test("ATM-26 moments missed more than an hour ago are dropped, and nothing counts before the save", async () => {
  await automate("daily", "0 3 * * *");
  const day = Math.ceil(Date.now() / (24 * hour)) * 24 * hour + 24 * hour;
  await fireSchedules(at(day + 5 * hour));
  assert.deepEqual(await slots("daily"), []);
  await fireSchedules(at(day + 27 * hour + 59 * minute));
  assert.deepEqual(await slots("daily"), [new Date(day + 27 * hour).toISOString()]);
  await automate("minutely", "* * * * *");
  await fireSchedules(at(Date.now()));
  assert.deepEqual(await slots("minutely"), []);
});

test("ATM-26 a save loses no moment of a schedule that stays as it is, and a changed one counts from then on", async () => {
  const start = Math.ceil((Date.now() + 1) / hour) * hour + 24 * hour;
  const save = (id: string, late: number, body: JsonObject) =>
    patchObject(at(start + late), "automations", id, { body });
  const iso = (ms: number) => new Date(start + ms).toISOString();
  for (const id of ["renamed", "changed"]) await automate(id, "*/15 * * * *");
  await fireSchedules(at(start));
  await save("renamed", 15 * minute + 400, { name: "Renamed" });
  await save("changed", 15 * minute + 400, { triggers: [{ id: "s", type: "schedule", cron: "10 * * * *" }] });
  await fireSchedules(at(start + 15 * minute + 900));
  assert.deepEqual(await slots("renamed"), [iso(0), iso(15 * minute)]);
  assert.deepEqual(await slots("changed"), [iso(0)]);
  // What was due while it was off is not made up for.
  await save("renamed", 20 * minute, { enabled: false });
  await save("renamed", 40 * minute, { enabled: true });
  await fireSchedules(at(start + 40 * minute));
  assert.deepEqual(await slots("renamed"), [iso(0), iso(15 * minute)]);
});

test("ATM-24 a schedule is read in the site's time zone", async () => {
  await automate("noon", "0 12 15 1 *");
  const noon = Date.parse("2031-01-15T12:00:00Z");
  await fireSchedules(at(noon, { timezone: "America/New_York" }));
  assert.deepEqual(await slots("noon"), []);
  await fireSchedules(at(noon + 5 * hour, { timezone: "America/New_York" }));
  assert.deepEqual(await slots("noon"), ["2031-01-15T17:00:00.000Z"]);
});

test("ATM-26 the time of the next look is that of the next moment", async () => {
  const time = Date.parse("2032-06-01T10:07:30Z");
  assert.equal((await fireSchedules(at(time))).next, Date.parse("2032-06-01T10:08:00Z"));
});

test("ATM-24 a disabled automation has no moments", async () => {
  await automate("off", "* * * * *");
  await patchObject(ctx, "automations", "off", { body: { enabled: false } });
  await fireSchedules(at(Date.now() + 2 * hour));
  assert.deepEqual(await slots("off"), []);
});
