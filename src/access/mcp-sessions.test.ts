import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { testStorage } from "#storage/storage.fixture.ts";
import { countOpenMcpSessions, endMcpSession, findMcpSession, followResource, openMcpSession } from "./mcp-sessions.ts";

const database = testStorage();
const hour = 3_600_000;
const opening = { protocolVersion: "2025-11-25" };

/** The same storage at a time of its own. */
function parts() {
  let time = Date.parse("2026-01-01T00:00:00.000Z");
  const clock = { now: () => time, iso: () => new Date(time).toISOString() };
  const pass = (ms: number) => {
    time += ms;
  };
  return { app: { storage: database.storage, clock, log: database.log }, pass };
}

test("MCP-24 a session ends a day after its last use", async () => {
  const { app, pass } = parts();
  await openMcpSession(app, "one", { principal: "key:a", opening });
  for (let day = 0; day < 3; day += 1) {
    pass(23 * hour);
    assert.deepEqual((await findMcpSession(app, "one"))?.opening, opening);
  }
  pass(25 * hour);
  assert.equal(await findMcpSession(app, "one"), undefined);
  assert.equal(await countOpenMcpSessions(app), 0);
  await openMcpSession(app, "two", { principal: "key:a", opening });
  await endMcpSession(app, "two");
  assert.equal(await findMcpSession(app, "two"), undefined);
});

test("MCP-24 the sessions of a principal are bounded, and so are their subscriptions", async () => {
  const { app, pass } = parts();
  pass(1_000 * hour);
  await openMcpSession(app, "of another", { principal: "key:c", opening });
  for (let at = 0; at < 2_050; at += 1) {
    pass(1);
    await openMcpSession(app, `many-${at}`, { principal: "key:b", opening });
  }
  assert.equal(await countOpenMcpSessions(app), 2_001);
  assert.equal(await findMcpSession(app, "many-0"), undefined);
  assert.ok(await findMcpSession(app, "many-2049"));
  assert.ok(await findMcpSession(app, "of another"));

  for (let at = 0; at < 200; at += 1) await followResource(app, "of another", `cairn://c-${at}/`, true);
  await assert.rejects(followResource(app, "of another", "cairn://more/", true), CairnError);
  await followResource(app, "of another", "cairn://c-0/", false);
  assert.equal((await findMcpSession(app, "of another"))?.subscriptions.size, 199);
});
