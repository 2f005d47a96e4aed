// Runs: their history, running by hand, the guard against failures, and the record itself.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { auditLines } from "../support/audit-lines.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { automate, runsOf, settledRuns } from "./samples.ts";

let server: Server;
let mailbox: Mailbox;
before(async () => {
  mailbox = await openMailbox();
  const automations = { webhookLimit: 0, keepRuns: 6, timeLimit: 600 };
  server = await startServer({ settings: { automations, smtp: mailbox.smtp, api: { rateLimit: 0 } } });
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

const records = "/api/collections/automations";

async function failTimes(id: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await server.request("POST", `/automations/${id}`, { key: null });
}

async function record(id: string) {
  return (await server.request("GET", `${records}/${id}`)).body.data;
}

test("ATM-1 a record has its defaults, and the admin persona has it alone", async () => {
  await automate(server, "plain", { body: "return 1", name: "Plain" });
  const { enabled, category, triggers, autoDisabled } = await record("plain");
  assert.deepEqual(
    { enabled, category, triggers, autoDisabled },
    { enabled: true, category: "Automations", triggers: [], autoDisabled: false },
  );
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "ed", ["editor"]);
  const editor = await signIn(server, "ed");
  for (const path of [records, `${records}/plain`, "/api/automations/plain/runs", "/api/jobs"]) {
    assert.equal((await server.request("GET", path, { key: null })).status, 401, path);
    assert.equal((await editor.request("GET", path)).status, 403, path);
  }
  assert.equal((await editor.request("POST", "/api/automations/plain/run")).status, 403);
});

test("ATM-2 ATM-3 invalid automations are refused when they are saved, by every kind of write", async () => {
  const bad = "export default async (ctx) => {";
  const made = await server.request("POST", records, { body: { id: "bad", handler: bad } });
  assert.equal(made.status, 400);
  assert.match(made.body.error.details.handler[0], /^SyntaxError/);
  const writes: [string, string, unknown][] = [
    ["PATCH", `${records}/plain`, { handler: bad }],
    ["PUT", `${records}/plain`, { handler: "const a = 1" }],
    ["PUT", `${records}/plain/handler`, bad],
  ];
  for (const [method, path, body] of writes) {
    const answer = await server.request(method, path, { body });
    assert.equal(answer.status, 400, `${method} ${path}`);
    assert.ok(answer.body.error.details.handler, `${method} ${path}`);
  }
  const triggers = [
    { id: "a", type: "schedule", cron: "61 * * * *" },
    { id: "b", type: "event", event: "object.vanished" },
    { id: "c", type: "schedule", cron: "@daily" },
  ];
  const answer = await server.request("PATCH", `${records}/plain`, { body: { triggers } });
  assert.deepEqual(Object.keys(answer.body.error.details).toSorted(), ["triggers.a.cron", "triggers.b.event"]);
  assert.match((await record("plain")).handler, /return 1/);
});

test("ATM-4 ATM-37 saving code and changes of users by code are in the audit log", async () => {
  await automate(server, "watched", { body: "return 1" });
  await server.request("PATCH", `${records}/watched`, { body: { handler: "export default () => 2" } });
  await server.request("DELETE", `${records}/watched`);
  const user = { id: "made", email: "made@example.org", password: "correct-horse-1", groups: ["viewer"] };
  const body = `return (await ctx.objects.create("auth", ${JSON.stringify(user)})).id`;
  await automate(server, "maker", { body });
  const { result: id, error } = (await server.request("POST", "/api/automations/maker/run")).body.data;
  assert.equal(error, null);
  const events = auditLines(server);
  const about = events.filter(({ object }) => object === "watched").map(({ type, changed }) => [type, changed]);
  assert.deepEqual(about, [
    ["automation.created", undefined],
    ["automation.changed", ["handler"]],
    ["automation.deleted", undefined],
  ]);
  const made = events.find(({ type, user: about }) => type === "user.created" && about === id);
  assert.deepEqual([made?.actor, made?.automation], ["system", "maker"]);
});

test("ATM-20 an automation can be run by hand, also while it is disabled", async () => {
  await automate(server, "by-hand", { body: "ctx.log('here'); return ctx.args", enabled: false });
  const { status, body } = await server.request("POST", "/api/automations/by-hand/run", { body: { a: 1 } });
  assert.equal(status, 200);
  assert.equal(body.data.status, "succeeded");
  assert.equal(body.data.trigger, "manual");
  assert.deepEqual(body.data.result, { a: 1 });
  assert.match(body.data.log[0], /info here$/);
  assert.equal((await server.request("POST", "/api/automations/none/run")).status, 404);
  assert.equal((await server.request("POST", "/api/automations/by-hand/run", { body: [1] })).status, 400);
  await automate(server, "by-hand-bad", { body: "throw new Error('no')" });
  const failed = await server.request("POST", "/api/automations/by-hand-bad/run");
  assert.deepEqual([failed.status, failed.body.data.status], [200, "failed"]);
  assert.match(failed.body.data.error, /^Error: no/);
});

test("ATM-19 ATM-21 the history has the shape that is promised, pages, and an end", async () => {
  await automate(server, "history", { body: "return ctx.args.at", triggers: [{ type: "webhook", sync: true }] });
  for (let at = 0; at < 9; at += 1) await server.request("POST", `/automations/history?at=${at}`, { key: null });
  const results = async () => (await runsOf(server, "history")).map(({ result }) => result);
  await becomes(results, ["8", "7", "6", "5", "4", "3"]);
  const runs = await runsOf(server, "history");
  const [run] = runs;
  const keys = "runId status trigger queuedAt startedAt finishedAt durationMs attempts result error log";
  assert.deepEqual(Object.keys(run ?? {}), keys.split(" "));
  assert.ok((run?.durationMs ?? -1) >= 0 && (run?.finishedAt ?? "") >= (run?.startedAt ?? "~"));
  const page = await server.request("GET", "/api/automations/history/runs?limit=2&offset=1");
  assert.deepEqual(
    page.body.data.map(({ result }: { result: string }) => result),
    ["7", "6"],
  );
  assert.equal(page.headers.get("x-total-count"), "6");
  assert.deepEqual((await server.request("GET", "/api/automations/history/runs?status=failed")).body.data, []);
  assert.equal((await server.request("GET", "/api/automations/history/runs?status=odd")).status, 400);
  assert.equal((await server.request("GET", "/api/automations/none/runs")).status, 404);
  await server.request("DELETE", `${records}/history`);
  await automate(server, "history", { body: "" });
  assert.deepEqual(await runsOf(server, "history"), []);
});

test("OBJ-21 OBJ-25 service properties are not taken from any caller", async () => {
  const time = "2001-02-03T04:05:06.000Z";
  const [user, view] = ["/api/collections/auth", "/api/collections/dataviews"];
  const person = { id: "noted", email: "noted@example.org", password: "correct-horse-1", active: true };
  const forged: [path: string, made: object, notes: Record<string, unknown>][] = [
    [records, { id: "noted", handler: "export default () => 1" }, { consecutiveFailures: 4, autoDisabled: true }],
    [view, { id: "noted", name: "N", definition: "export default () => []" }, { lastBuilt: time, lastError: "no" }],
    [user, person, { loginCount: 9, lastlogin: time, passkeys: ["x"] }],
  ];
  for (const [path, made, notes] of forged) {
    const stored = async (id: string) => {
      const data = (await server.request("GET", `${path}/${id}`)).body.data;
      assert.ok(![data.created, data.modified, data.updated].includes(time), `${path}/${id}`);
      return Object.fromEntries(Object.keys(notes).map((name) => [name, data[name]]));
    };
    const sent = { ...notes, created: time, modified: time, updated: time };
    const answer = await server.request("POST", path, { body: { ...made, ...sent } });
    assert.equal(answer.status, 201, answer.text);
    const clean = await stored("noted");
    for (const [name, value] of Object.entries(notes)) assert.notDeepEqual(clean[name], value, `${path} ${name}`);
    const one = `${path}/noted`;
    const [[name, value]] = Object.entries(notes) as [[string, unknown]];
    for (const [method, address, body] of [
      ["PATCH", one, sent],
      ["PUT", one, { ...made, ...sent }],
      ["PUT", `${one}/${name}`, { [name]: value }],
      ["POST", `${one}/${name}/increment`, undefined],
    ] as const) {
      await server.request(method, address, { body });
      assert.deepEqual(await stored("noted"), clean, `${method} ${address}`);
    }
    const row = { ...made, id: "imported", email: "imported@example.org", ...notes };
    const imported = await server.request("POST", `${path.replace("/api/", "/api/import/")}/json`, { body: [row] });
    assert.equal(imported.body.created, 1, imported.text);
    // An import keeps the counters of users, as it keeps times, but no results of work done elsewhere.
    const kept = await stored("imported");
    if (path === user) assert.deepEqual([kept.loginCount, kept.lastlogin], [9, time]);
    else assert.deepEqual(kept, clean);
  }
  const [automation] = forged as [[string, object, Record<string, unknown>]];
  const objects = [{ collection: "automations", id: "synced", data: { ...automation[1], ...automation[2] } }];
  assert.equal((await server.request("POST", "/api/sync/import", { body: { objects } })).status, 200);
  assert.equal((await record("synced")).autoDisabled, false);
  // Nor does an automation forge it.
  const body = `await ctx.objects.patch("automations", "noted", { autoDisabled: true, consecutiveFailures: 3 })`;
  await automate(server, "forger", { body });
  assert.equal((await server.request("POST", "/api/automations/forger/run")).body.data.status, "succeeded");
  assert.deepEqual([(await record("noted")).autoDisabled, (await record("noted")).consecutiveFailures], [false, 0]);
});

test("OBJ-21 counters and times of settings, schemas, keys and webhooks are set by the service as well", async () => {
  const time = "2001-02-03T04:05:06.000Z";
  const numbers = { count: 999, totalObjects: 999, lastUpdated: time, updated: time, created: time, lastUsed: time };
  const more = { ...numbers, failingSince: time, disabledReason: "no", prefix: "cairn_x", index: { state: "no" } };
  await server.makeCollection({ id: "counted", schema: "text", ...more });
  const settings = "/api/collections/counted/settings";
  const schema = { id: "counted", properties: { id: { type: "string" } }, required: ["id"] };
  await server.makeSchema({ ...schema, ...numbers, index: ["id"] });
  const key = { name: "k", methods: ["GET"], endpoints: ["*"] };
  const writes: [string, string, object][] = [
    ["PATCH", settings, more],
    ["PUT", settings, { schema: "text", ...more }],
    ["PUT", "/api/schemas/counted", { ...schema, ...numbers, index: ["id"] }],
    ["POST", "/api/apikeys", { ...key, ...more }],
    ["POST", "/api/webhooks", { url: "https://example.test/", ...more }],
  ];
  for (const [method, path, body] of writes) await server.request(method, path, { body });
  const shown = async (path: string) => (await server.request("GET", path)).body;
  const { count, totalObjects, lastUpdated, updated, index } = (await shown(settings)).data;
  assert.deepEqual([count, totalObjects, index.state], [0, 0, "ready"]);
  const { updated: saved } = await shown("/api/schemas/counted");
  const own = (await shown("/api/apikeys")).data.find(({ name }: { name: string }) => name === "k");
  const [hook] = (await shown("/api/webhooks")).data;
  assert.deepEqual([own.lastUsed, hook.failingSince, hook.disabledReason], [null, null, null]);
  for (const moment of [lastUpdated, updated, saved, own.created, hook.created]) assert.ok(moment > "2026", moment);
  assert.notEqual(own.prefix, "cairn_x");
});

test("ATM-23 ATM-30 OBJ-25 five failures in a row switch an automation off", async () => {
  const body = "if (ctx.args.ok) return 1; throw new Error('no')";
  await automate(server, "failing", { body, triggers: [{ type: "webhook" }] });
  await failTimes("failing", 3);
  await settledRuns(server, "failing", 3);
  await server.request("POST", "/automations/failing?ok=1", { key: null });
  await settledRuns(server, "failing", 4);
  await failTimes("failing", 4);
  assert.ok((await settledRuns(server, "failing", 6)).every(({ attempts }) => attempts === 1));
  assert.equal((await record("failing")).enabled, true);
  await failTimes("failing", 1);
  await settledRuns(server, "failing", 6);
  const { enabled, autoDisabled, consecutiveFailures } = await until(
    () => record("failing"),
    (found) => !found.enabled,
  );
  assert.deepEqual(
    { enabled, autoDisabled, consecutiveFailures },
    { enabled: false, autoDisabled: true, consecutiveFailures: 5 },
  );
  assert.equal((await server.request("POST", "/automations/failing", { key: null })).status, 404);

  const copy = (await server.request("POST", `${records}/failing/clone`, { body: { id: "copy" } })).body;
  assert.deepEqual([copy.autoDisabled, copy.consecutiveFailures], [false, 0]);
  await server.request("PATCH", `${records}/failing`, { body: { enabled: true } });
  const again = await record("failing");
  assert.deepEqual([again.enabled, again.autoDisabled, again.consecutiveFailures], [true, false, 0]);
  await failTimes("failing", 2);
  await settledRuns(server, "failing", 6);
  assert.equal((await record("failing")).enabled, true);
});

test("ATM-30 in development an automation may fail as often as it likes", async () => {
  await server.setSetting("environment", "development");
  await automate(server, "clumsy", { body: "throw new Error('no')", triggers: [{ type: "webhook", sync: true }] });
  await failTimes("clumsy", 6);
  assert.equal((await record("clumsy")).enabled, true);
  await server.setSetting("environment", "production");
});

test("ATM-31 the first failure and the switching off are mailed", async () => {
  const mail = { id: "alarm", name: "Alarm", to: "ops@example.org" };
  const subject = "{{ data.automation.id }} {{ data.failures }} {{ data.disabled }}";
  const made = await server.request("POST", "/api/collections/mailer", {
    body: { ...mail, subject, bodyText: "{{ data.run.error }}" },
  });
  assert.equal(made.status, 201, made.text);
  const body = "throw new Error('the reason')";
  await automate(server, "alarming", {
    body,
    errorMailerId: made.body.data.id,
    triggers: [{ type: "webhook", sync: true }],
  });
  await failTimes("alarming", 5);
  await mailbox.next("ops@example.org");
  await mailbox.next("ops@example.org");
  const mails = await mailbox.settled("ops@example.org");
  assert.deepEqual(mails.map(({ parsed }) => parsed.subject).toSorted(), ["alarming 1 false", "alarming 5 true"]);
  assert.match(mails[0]?.parsed.text ?? "", /the reason/);
});

test("ADM-566 GET /api/automations lists automations with their last runs, what waits, and the next time", async () => {
  await automate(server, "state", {
    body: "return ctx.args.fail ? nothing.at.all : 1",
    triggers: [{ type: "schedule", cron: "0 0 1 1 *" }],
  });
  const run = async (args: object) =>
    (await server.request("POST", "/api/automations/state/run", { body: args })).body.data.runId as string;
  for (let n = 0; n < 3; n += 1) await run({});
  const last = await run({ fail: true });
  const state = async () => {
    const { body } = await server.request("GET", "/api/automations");
    return body.data.find(({ id }: { id: string }) => id === "state");
  };
  const { lastRuns, next, ...rest } = await state();
  assert.deepEqual(rest, {
    ...{ id: "state", name: "state", category: "Automations", enabled: true, autoDisabled: false },
    ...{ triggers: ["schedule"], open: false, queued: 0, running: 0 },
  });
  assert.equal(lastRuns.length, 4);
  const [failed, ...others] = lastRuns as { runId: string; status: string; error: string | null; durationMs: number }[];
  assert.deepEqual([failed?.runId, failed?.status], [last, "failed"]);
  assert.match(failed?.error ?? "", /nothing/);
  assert.ok((failed?.durationMs ?? -1) >= 0);
  assert.ok(others.every(({ status, error }) => status === "succeeded" && error === null));
  assert.ok(Date.parse(next) > Date.now());
  await server.request("PATCH", `${records}/state`, { body: { enabled: false } });
  assert.deepEqual([(await state()).next, (await state()).autoDisabled], [null, false]);

  const details = (await server.request("GET", `/api/automations/state/runs/${last}`)).body.data;
  assert.deepEqual([details.runId, details.args, details.event, details.request], [last, { fail: true }, null, null]);
  for (const path of ["state/runs/none", `other/runs/${last}`])
    assert.equal((await server.request("GET", `/api/automations/${path}`)).status, 404);
});

test("JOB-19 JOB-20 a running automation is cancelled, and that is no failure of it", async () => {
  await automate(server, "slow", {
    body: "ctx.log('begun'); for (;;) await ctx.sleep(60_000)",
    triggers: [{ type: "webhook" }],
  });
  await server.request("POST", "/automations/slow", { key: null });
  const [running] = await until(
    () => runsOf(server, "slow"),
    ([run]) => run?.status === "running",
  );
  const id = running?.runId ?? "";
  // The log is there while it runs.
  await until(
    () => runsOf(server, "slow"),
    ([run]) => run?.log.length === 1,
  );
  const { body } = await server.request("POST", `/api/jobs/${id}/cancel`);
  assert.ok(body.data.cancelledAt);
  const [ended] = await settledRuns(server, "slow", 1);
  assert.deepEqual([ended?.status, ended?.error], ["failed", "Cancelled while it ran."]);
  assert.equal((await record("slow")).enabled, true);
});

test("JOB-19 a running bulk change stops between two objects, and tells how far it came", async () => {
  const count = 300;
  const objects = Array.from({ length: count }, (_, at) => ({ id: `o${at}`, text: "before" }));
  await server.makeCollection({ id: "bulky", schema: "text" });
  await server.request("POST", "/api/import/collections/bulky/json", { body: objects });
  // Until one was cancelled in time.
  for (let round = 1; ; round += 1) {
    const change = { operation: "patch", select: {}, expect: count, body: { text: `round${round}` } };
    const { job } = (await server.request("POST", "/api/bulk/bulky", { body: change })).body.data;
    const look = async () => (await server.request("GET", `/api/jobs/${job}`)).body.data;
    await until(look, ({ status }) => status !== "queued");
    await server.request("POST", `/api/jobs/${job}/cancel`);
    const { status, error, progress } = await until(look, ({ finishedAt }) => finishedAt !== null);
    if (status === "succeeded") continue;
    assert.equal(error, `Cancelled after ${progress.done} of ${count}.`);
    assert.ok(progress.done < count);
    const done = async () => {
      const { headers } = await server.request("GET", `/api/collections/bulky?limit=1&filter[text]=round${round}`);
      return Number(headers.get("x-total-count"));
    };
    assert.equal(await done(), progress.done);
    await server.request("POST", `/api/jobs/${job}/retry`);
    let ended = await look();
    // As long as it gets on: a busy machine may take its time.
    for (let at = ended; ended.finishedAt === null; at = ended)
      ended = await until(look, (now) => now.finishedAt !== null || now.progress.done > at.progress.done);
    assert.deepEqual([ended.status, ended.result, await done()], ["succeeded", { done: count, failed: [] }, count]);
    return;
  }
});
