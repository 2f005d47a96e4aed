import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { testStorage } from "#storage/storage.fixture.ts";
import { listSessions } from "#storage/tables/sessions.ts";
import { csrfTokenOf, endSession, findSession, hashOf, isCsrfTokenOf, startSession } from "./sessions.ts";

const database = testStorage();

const hour = 3_600_000;
const user = { id: "ada", rid: 1, passwordMark: "mark" };
const client = { address: "127.0.0.1", agent: "test" };

/** The same storage at a time of its own. */
function parts() {
  let time = Date.parse("2026-01-01T00:00:00.000Z");
  const clock = { now: () => time, iso: () => new Date(time).toISOString() };
  const pass = (ms: number) => {
    time += ms;
  };
  return { app: { storage: database.storage, clock, log: database.log }, pass };
}

test("AUTH-16 a session ends 12 hours after its last use", async () => {
  const { app, pass } = parts();
  const { value } = await startSession(app, user, { ...client, isRemembered: false });
  for (let day = 0; day < 3; day += 1) {
    pass(11 * hour);
    assert.equal((await findSession(app, value))?.userId, "ada");
  }
  pass(12 * hour);
  assert.equal(await findSession(app, value), undefined);
});

test("AUTH-16 a remembered session ends 30 days after its last use, also read afresh", async () => {
  const { app, pass } = parts();
  const { value } = await startSession(app, user, { ...client, isRemembered: true });
  pass(29 * 24 * hour);
  assert.ok(await findSession(app, value));
  // Ending any session makes every process read the others again; the use above has been written by then.
  await endSession(app, (await startSession(app, user, { ...client, isRemembered: false })).value);
  pass(29 * 24 * hour);
  assert.ok(await findSession(app, value));
  pass(30 * 24 * hour);
  assert.equal(await findSession(app, value), undefined);
});

test("AUTH-16 a session that is used through another process goes on in this one", async () => {
  const { app, pass } = parts();
  const { value } = await startSession(app, { ...user, id: "eve" }, { ...client, isRemembered: false });
  assert.ok(await findSession(app, value));
  pass(11 * hour);
  // The other process reads it for itself.
  const other = { ...app, storage: { ...app.storage } };
  assert.ok(await findSession(other, value));
  await until(async () => (await listSessions(database.storage, "eve"))[0]?.lastSeen === app.clock.iso());
  pass(2 * hour);
  assert.ok(await findSession(app, value));
  // Kept again, with its new end.
  assert.ok(!(findSession(app, value) instanceof Promise));
  pass(12 * hour);
  assert.equal(await findSession(app, value), undefined);
});

test("AUTH-16 ended sessions are removed when the next begins, and never come back", async () => {
  const { app, pass } = parts();
  const { value } = await startSession(app, { ...user, id: "old" }, { ...client, isRemembered: false });
  pass(13 * hour);
  await startSession(app, user, { ...client, isRemembered: false });
  assert.deepEqual(await listSessions(database.storage, "old"), []);
  assert.equal(await findSession(app, value), undefined);
});

test("AUTH-17 stored is the hash of the value; the CSRF token belongs to one session", async () => {
  const { app } = parts();
  const first = await startSession(app, { ...user, id: "sam" }, { ...client, isRemembered: false });
  const second = await startSession(app, { ...user, id: "sam" }, { ...client, isRemembered: false });
  const rows = JSON.stringify(await listSessions(database.storage, "sam"));
  assert.ok(rows.includes(hashOf(first.value)) && !rows.includes(first.value) && !rows.includes(first.csrfToken));
  assert.equal(first.csrfToken, csrfTokenOf(first.value));
  assert.equal(isCsrfTokenOf(first.value, first.csrfToken), true);
  for (const sent of [second.csrfToken, "", first.value, undefined, null, [first.csrfToken]]) {
    assert.equal(isCsrfTokenOf(first.value, sent), false);
  }
});
