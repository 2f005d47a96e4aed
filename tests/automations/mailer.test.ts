// The mailer against a real mail server on this machine: composed, sent, scheduled, limited, in bulk.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";

let mailbox: Mailbox;
let server: Server;
let editor: Person;
let viewer: Person;

before(async () => {
  mailbox = await openMailbox();
  server = await startServer({ settings: { smtp: mailbox.smtp, api: { rateLimit: 0 } } });
  await server.makeSchema({
    id: "member",
    properties: {
      id: { type: "string" },
      email: { type: "string" },
      name: { type: "string" },
      paid: { type: "boolean" },
    },
    index: ["id", "paid"],
  });
  await server.makeCollection({ id: "members", schema: "member" });
  await makeUser(server, "ed", ["editor"], { name: "Edith" });
  await makeUser(server, "vi", ["viewer"]);
  editor = await signIn(server, "ed");
  viewer = await signIn(server, "vi");
  await mailer("hello", {
    ...{ to: "{{ data.email }}", toName: "{{ data.name }}", replyTo: "{{ user.email }}", fromName: "{{ user.name }}" },
    ...{ cc: "copy@example.test\n{{ data.cc }}", bcc: "hidden@example.test", subject: "Hello {{ data.name }}" },
    ...{ bodyHtml: "<p>Dear {{ data.name }}</p>", bodyText: "Dear {{ data.name }}" },
  });
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

const mailer = async (id: string, body: object) => {
  const { status, text } = await server.request("POST", "/api/collections/mailer", { body: { id, name: id, ...body } });
  if (status !== 201) throw new Error(text);
};
const plain = (id: string, more: object = {}) =>
  mailer(id, { to: "{{ data.email }}", subject: "S", bodyText: "Hi {{ data.id }}", ...more });
const send = (id: string, body: unknown) => server.request("POST", `/api/mailer/${id}/send`, { body });
const settings = (section: string, body: object) => server.request("PUT", `/api/settings/${section}`, { body });
const log = async (query: string) => (await server.request("GET", `/api/mailer/log?${query}`)).body.data;

const batch = async (id: string) => (await server.request("GET", `/api/mailer/batches/${id}`)).body.data;

test("MLR-1 MLR-6 a mail is composed from its templates and sent, to, cc and bcc", async () => {
  const data = { email: "zoe@example.test", name: "Zoë <b>" };
  const answer = await editor.request("POST", "/api/mailer/hello/send", { body: { data } });
  assert.equal(answer.status, 202, answer.text);
  const { id, status, to, subject } = answer.body.data;
  assert.deepEqual([status, to, subject], ["queued", ["zoe@example.test"], "Hello Zoë <b>"]);
  const { parsed, to: envelope, from } = await mailbox.next("zoe@example.test");
  assert.deepEqual(envelope.sort(), ["copy@example.test", "hidden@example.test", "zoe@example.test"]);
  assert.equal(from, "cms@example.test");
  assert.equal(parsed.subject, "Hello Zoë <b>");
  assert.equal(parsed.from?.value[0]?.name, "Edith");
  assert.equal(parsed.replyTo?.value[0]?.address, "ed@example.test");
  assert.equal(parsed.text?.trim(), "Dear Zoë <b>");
  assert.match(String(parsed.html), /<p>Dear Zoë &lt;b&gt;<\/p>/);
  assert.equal(parsed.headers.has("bcc"), false);
  assert.equal(parsed.messageId, `<${id}@example.test>`);
  const [entry] = await until(
    () => log("mailer=hello"),
    ([row]) => row?.status === "sent",
  );
  assert.deepEqual([entry.id, entry.attempts, entry.error], [id, 1, null]);
  assert.match(entry.to, /zoe@example\.test/);
});

test("MLR-1 an object gives its properties to the templates, and data overrides them", async () => {
  await server.request("POST", "/api/collections/members", {
    body: { id: "max", email: "max@example.test", name: "Max" },
  });
  const body = { collection: "members", object: "max", data: { name: "Maximilian" } };
  const answer = await server.request("POST", "/api/mailer/hello/preview", { body });
  assert.deepEqual([answer.body.data.to, answer.body.data.subject], [["max@example.test"], "Hello Maximilian"]);
  const missing = await server.request("POST", "/api/mailer/hello/preview", { body: { ...body, object: "nobody" } });
  assert.equal(missing.status, 404);
});

test("MLR-3 a mail that cannot be composed is refused with its property, and nothing is sent", async () => {
  const before = mailbox.mails.length;
  const bad = await send("hello", { data: { email: "no address", cc: "x" } });
  assert.equal(bad.status, 400);
  assert.deepEqual(Object.keys(bad.body.error.details), ["to", "cc"]);
  for (const body of [[], "x", { data: [] }, { scheduledAt: "tomorrow" }, { collection: "members" }, { object: 1 }])
    assert.equal((await send("hello", body)).status, 400, JSON.stringify(body));
  const saved = await server.request("POST", "/api/collections/mailer", {
    body: { name: "bad", to: "{{ x | nope }}", subject: "ok\n{% if %}" },
  });
  assert.equal(saved.status, 400);
  assert.match(saved.body.error.details.to[0], /Line 1: undefined filter: nope/);
  assert.equal((await send("none", {})).status, 404);
  await plain("off", { active: false });
  assert.equal((await send("off", { data: { email: "a@example.test" } })).status, 400);
  assert.equal(mailbox.mails.length, before);
});

test("MLR-4 data adds neither a recipient nor a header", async () => {
  for (const email of [
    "a@example.test\neve@evil.test",
    "a@example.test, eve@evil.test",
    "a@example.test\r\nBcc: eve@evil.test",
  ])
    assert.equal((await send("hello", { data: { email } })).status, 400, JSON.stringify(email));
  await send("hello", { data: { email: "inject@example.test", name: "x\r\nBcc: eve@evil.test\r\n\r\nBody" } });
  const { parsed, to } = await mailbox.next("inject@example.test");
  assert.equal(parsed.subject, "Hello x Bcc: eve@evil.test Body");
  assert.deepEqual(to.sort(), ["copy@example.test", "hidden@example.test", "inject@example.test"]);
  assert.deepEqual(await mailbox.settled("eve@evil.test"), []);
});

test("MLR-5 the settings limit recipients", async () => {
  await settings("mailer", { allowedRecipients: ["example.test"] });
  const answer = await send("hello", { data: { email: "a@elsewhere.test", cc: "b@elsewhere.test", name: "x" } });
  assert.equal(answer.status, 400);
  assert.deepEqual(Object.keys(answer.body.error.details), ["to", "cc"]);
  const tested = await server.request("POST", "/api/mailer/hello/test", { body: { to: "a@elsewhere.test" } });
  assert.equal(tested.status, 400);
  await settings("mailer", { allowedRecipients: null });
});

test("MLR-7 sending takes the switch and the right to change mails; anonymous callers cannot send", async () => {
  const body = { data: { email: "x@example.test", name: "x" } };
  await server.request("PATCH", "/api/collections/mailer/settings", {
    body: { publicOperations: ["read", "create", "update", "delete"] },
  });
  for (const path of ["hello/send", "hello/preview", "hello/bulk", "hello/test"]) {
    assert.equal((await server.request("POST", `/api/mailer/${path}`, { key: null, body })).status, 401, path);
    assert.equal((await viewer.request("POST", `/api/mailer/${path}`, { body })).status, 403, path);
  }
  await server.request("PATCH", "/api/collections/mailer/settings", { body: { publicOperations: [] } });
  const users = { collection: "auth", object: "vi" };
  assert.equal((await editor.request("POST", "/api/mailer/hello/preview", { body: users })).status, 403);
  assert.equal((await editor.request("POST", "/api/mailer/hello/bulk", { body: { collection: "auth" } })).status, 403);
});

test("MLR-8 a scheduled mail waits for its time, over a restart", async () => {
  // Until a restart was done before the time had come.
  for (let wait = 4_000, isSeen = false; !isSeen; wait *= 2) {
    const email = `later-${wait}@example.test`;
    const scheduledAt = new Date(Date.now() + wait).toISOString();
    const answer = await send("hello", { data: { email, name: "L" }, scheduledAt });
    assert.equal(answer.body.data.scheduledAt, scheduledAt);
    await server.kill();
    await server.restart();
    const [entry] = await log("status=queued");
    isSeen = Date.now() < Date.parse(scheduledAt);
    if (isSeen) assert.deepEqual([entry.id, entry.scheduledAt], [answer.body.data.id, scheduledAt]);
    await mailbox.next(email);
    assert.ok(Date.now() >= Date.parse(scheduledAt));
    assert.equal((await mailbox.settled(email)).length, 1);
  }
});

test("MLR-9 a mail server that is away is retried; a permanent refusal is logged", async (t) => {
  let refusals = 1;
  const moody = await openMailbox({
    onRcptTo({ address }, _session, done) {
      const isGone = address === "gone@example.test";
      const isRefused = isGone || (address === "moody@example.test" && refusals-- > 0);
      done(isRefused ? Object.assign(new Error("no"), { responseCode: isGone ? 550 : 451 }) : null);
    },
  });
  t.after(() => moody.close());
  await plain("single");
  await settings("smtp", moody.smtp);
  await send("single", { data: { email: "moody@example.test" } });
  await send("single", { data: { email: "gone@example.test" } });
  await moody.next("moody@example.test");
  const rows = await until(
    () => log("mailer=single"),
    (all) => all.every(({ status }: { status: string }) => status !== "queued"),
  );
  const byAddress = new Map(rows.map((row: { to: string }) => [row.to, row]));
  const [taken, lost] = ["moody@example.test", "gone@example.test"].map((to) => byAddress.get(to)) as [
    { attempts: number; status: string },
    { attempts: number; status: string; error: string },
  ];
  assert.deepEqual([taken.status, taken.attempts], ["sent", 2]);
  assert.deepEqual([lost.status, lost.attempts], ["failed", 1]);
  assert.match(lost.error, /did not accept the message/);
  await settings("smtp", { ...mailbox.smtp, host: "" });
  const unset = await send("single", { data: { email: "a@example.test" } });
  assert.equal(unset.status, 503);
  assert.match(unset.body.error.message, /smtp\.host is empty/);
  await settings("smtp", mailbox.smtp);
});

test("MLR-10 a test goes to one address, and the caller gets the mail server's answer", async () => {
  const ok = await server.request("POST", "/api/mailer/off/test", { body: { to: "me@example.test", data: { id: 7 } } });
  assert.equal(ok.status, 200, ok.text);
  const mail = await mailbox.next("me@example.test");
  assert.deepEqual(mail.to, ["me@example.test"]);
  assert.equal(mail.parsed.text?.trim(), "Hi 7");
  await server.request("POST", "/api/mailer/hello/test", { body: { to: "alone@example.test" } });
  assert.deepEqual((await mailbox.next("alone@example.test")).to, ["alone@example.test"]);
  await settings("smtp", { ...mailbox.smtp, port: 1 });
  const failed = await server.request("POST", "/api/mailer/hello/test", { body: { to: "me@example.test" } });
  assert.equal(failed.status, 503);
  assert.match(failed.body.error.message, /did not accept the message/);
  await settings("smtp", mailbox.smtp);
  assert.equal((await server.request("POST", "/api/mailer/hello/test", { body: { to: "x" } })).status, 400);
});

test("MLR-11 MLR-24 MLR-25 MLR-26 a batch sends one mail for each matching object, and never twice", async () => {
  const members = Array.from({ length: 12 }, (_, at) => ({
    id: `m${at}`,
    email: `m${at}@bulk.test`,
    paid: at % 2 === 0,
  }));
  await server.request("POST", "/api/import/collections/members/json", { body: members });
  await plain("news", { bulkCollection: "members", bulkInclude: "paid:true" });
  const preview = await server.request("POST", "/api/mailer/news/bulk/preview", { body: {} });
  assert.equal(preview.body.data.total, 6, preview.text);
  assert.deepEqual(preview.body.data.mails[0], { object: "m0", to: ["m0@bulk.test"], subject: "S" });
  const named = await server.request("POST", "/api/mailer/news/bulk/preview", { body: { ids: ["m3", "m3"] } });
  assert.deepEqual(named.body.data, { total: 1, mails: [{ object: "m3", to: ["m3@bulk.test"], subject: "S" }] });
  const trial = await server.request("POST", "/api/mailer/news/bulk", { body: { overrideTo: "trial@example.test" } });
  await until(
    () => batch(trial.body.data.batch),
    ({ sent: count }) => count === 6,
  );
  const sent = await editor.request("POST", "/api/mailer/news/bulk", { body: { exclude: "id:m0" } });
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.body.data.total, 5);
  const twin = await editor.request("POST", "/api/mailer/news/bulk", { body: { exclude: "id:m0" } });
  // Several nodes may begin with either of them.
  const [done, other] = await until(
    () => Promise.all([batch(sent.body.data.batch), batch(twin.body.data.batch)]),
    (both) => both.every(({ sent: count, skipped }) => count + skipped === 5),
  );
  assert.deepEqual([done.queued, done.failed, done.mailer, done.collection], [0, 0, "news", "members"]);
  assert.equal(done.sent + other.sent, 5);
  const got = mailbox.mails.flatMap(({ to }) => to).filter((to) => to.endsWith("@bulk.test"));
  assert.deepEqual(got.sort(), ["m10@bulk.test", "m2@bulk.test", "m4@bulk.test", "m6@bulk.test", "m8@bulk.test"]);
  const again = await server.request("POST", "/api/mailer/news/bulk", { body: {} });
  await until(
    () => batch(again.body.data.batch),
    ({ sent: count }) => count === 1,
  );
  assert.equal((await mailbox.settled("m2@bulk.test")).length, 1);
  assert.equal((await mailbox.settled("m0@bulk.test")).length, 1);
  const forced = { ids: ["m2", "nobody"], resend: true, overrideTo: "all@bulk.test" };
  const third = await server.request("POST", "/api/mailer/news/bulk", { body: forced });
  await until(
    () => batch(third.body.data.batch),
    (state) => state.sent === 1 && state.skipped === 1,
  );
  assert.equal((await mailbox.next("all@bulk.test")).parsed.text?.trim(), "Hi m2");
  for (const body of [{ collection: "none" }, { include: "nope:1" }, { ids: "x" }, { overrideTo: "x" }])
    assert.ok([400, 404].includes((await server.request("POST", "/api/mailer/news/bulk", { body })).status));
});

test("MLR-23 a batch to objects without an address is one warning, without a stack trace", async () => {
  await server.makeCollection({ id: "nowhere", schema: "member" });
  for (const id of ["a", "b", "c"]) await server.request("POST", "/api/collections/nowhere", { body: { id } });
  await plain("lost", { bulkCollection: "nowhere" });
  const { body } = await server.request("POST", "/api/mailer/lost/bulk", { body: {} });
  await until(
    () => batch(body.data.batch),
    ({ skipped }) => skipped === 3,
  );
  const told = () => server.stderr.split("\n").filter((line) => line.includes(body.data.batch));
  const warnings = await until(told, ({ length }) => length > 0);
  // Once in each process that has worked on it.
  assert.ok(warnings.length <= server.dataDirs.length, warnings.join("\n"));
  assert.doesNotMatch(warnings[0] as string, /"stack"|\.ts:\d/);
});

test("MLR-12 a batch can be stopped", async () => {
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const { data } = (await server.request("POST", "/api/mailer/news/bulk", { body: { resend: true, scheduledAt } }))
    .body;
  await until(
    () => batch(data.batch),
    ({ queued }) => queued === 6,
  );
  const stopped = await server.request("DELETE", `/api/mailer/batches/${data.batch}`);
  assert.deepEqual(
    [stopped.body.data.cancelled, stopped.body.data.queued, stopped.body.data.isCancelled],
    [6, 0, true],
  );
  assert.equal((await server.request("DELETE", "/api/mailer/batches/none")).status, 404);
});

test("MLR-13 MLR-14 mails over the limit of an hour or a day wait, and links to reset a password do not", async () => {
  await plain("capped");
  const needle = "needle-73915";
  await settings("smtp", { ...mailbox.smtp, maxPerHour: 2 });
  for (let at = 0; at < 4; at += 1) await send("capped", { data: { email: `cap${at}@example.test`, id: needle } });
  await until(
    () => log("mailer=capped&status=sent"),
    (rows) => rows.length === 2,
  );
  await sleep(500);
  assert.equal((await log("mailer=capped&status=sent")).length, 2);
  assert.equal((await log("mailer=capped&status=queued")).length, 2);
  for (const file of readdirSync(server.dataDir, { recursive: true, encoding: "utf8" })) {
    const path = join(server.dataDir, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile())
      assert.equal(readFileSync(path, "latin1").includes(needle), false, file);
  }
  const tested = await server.request("POST", "/api/mailer/capped/test", { body: { to: "me@example.test" } });
  assert.equal(tested.status, 429);
  await server.request("POST", "/api/auth/forgot-password", { key: null, body: { email: "ed@example.test" } });
  await mailbox.next("ed@example.test");
  await settings("smtp", { ...mailbox.smtp, maxPerHour: 0 });
});

test("MLR-14 the log shows no mail of the service, and no text of any", async () => {
  const rows = await log("limit=100");
  assert.ok(rows.length > 10);
  assert.equal(
    rows.some(({ mailer: id }: { mailer: string }) => id === ""),
    false,
  );
  assert.equal(
    rows.some((row: { message?: unknown }) => row.message !== undefined),
    false,
  );
  assert.equal((await server.request("GET", "/api/mailer/log?limit=0")).status, 400);
});

test("ADM-568 POST /api/mail-test sends a mail to one address, and reports what is wrong with the settings", async () => {
  const mailTest = (body: unknown) => server.request("POST", "/api/mail-test", { body });
  const sent = await mailTest({ to: "try@example.test" });
  assert.deepEqual([sent.status, sent.body.data.to], [200, "try@example.test"], sent.text);
  assert.match((await mailbox.next("try@example.test")).parsed.subject ?? "", /Test mail/);
  for (const body of [{}, { to: "nobody" }, []]) assert.equal((await mailTest(body)).status, 400);
  assert.equal((await editor.request("POST", "/api/mail-test", { body: { to: "a@example.test" } })).status, 403);
  await settings("smtp", { ...mailbox.smtp, port: 1 });
  assert.match((await mailTest({ to: "try@example.test" })).body.error.message, /check smtp\.host, smtp\.port/);
  const strict = await openMailbox({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error("No such person here"), { responseCode: 550 })),
  });
  await settings("smtp", strict.smtp);
  const refused = await mailTest({ to: "try@example.test" });
  assert.equal(refused.status, 503);
  assert.match(refused.body.error.message, /refused the sender or the recipient.*No such person here/);
  await strict.close();
  await settings("smtp", { ...mailbox.smtp, host: "" });
  assert.match((await mailTest({ to: "try@example.test" })).body.error.message, /smtp\.host is empty/);
  await settings("smtp", mailbox.smtp);
  const statuses: number[] = [];
  while (statuses.length < 31 && statuses.at(-1) !== 429)
    statuses.push((await mailTest({ to: "many@example.test" })).status);
  assert.equal(statuses.at(-1), 429);
  assert.ok(statuses.length > 20, `${statuses.length}`);
});

test("ADM-750 POST /api/mail-preview composes a mail that is not saved, and names what is wrong", async () => {
  const look = (body: unknown) => editor.request("POST", "/api/mail-preview", { body });
  const mail = { to: "{{ data.email }}", subject: "Dear {{ data.name }}", bodyHtml: "<b>{{ data.name }}</b>" };
  const shown = await look({ mail, collection: "members", object: "max" });
  const { to, subject, html, text, problems } = shown.body.data;
  assert.deepEqual(
    [to, subject, html, text, problems],
    [["max@example.test"], "Dear Max", "<b>Max</b>", "", {}],
    shown.text,
  );
  const partly = (await look({ mail: { ...mail, bodyText: "{{ x | nope }}" } })).body.data;
  assert.deepEqual([partly.subject, Object.keys(partly.problems).sort()], ["Dear", ["bodyText", "to"]]);
  assert.match(partly.problems.bodyText[0], /Line 1/);
  for (const body of [{}, [], { mail: 1 }, { mail, collection: "members" }])
    assert.equal((await look(body)).status, 400, JSON.stringify(body));
  assert.equal((await look({ mail, collection: "members", object: "none" })).status, 404);
  assert.equal((await viewer.request("POST", "/api/mail-preview", { body: { mail } })).status, 403);
});

test("ADM-751 ADM-752 ADM-753 who is left out is known before, and what failed is sent again", async () => {
  await server.makeCollection({ id: "guild", schema: "member" });
  const object = (id: string, email: string) =>
    server.request("POST", "/api/collections/guild", { body: { id, email } });
  for (const [id, email] of Object.entries({ g1: "g1@guild.test", g2: "g2@guild.test", g3: "nowhere" }))
    await object(id, email);
  await plain("summons", { bulkCollection: "guild" });
  const preview = () => server.request("POST", "/api/mailer/summons/bulk/preview", { body: { look: true } });
  const first = (await preview()).body.data;
  const { had, composed, unfit } = first.look;
  assert.deepEqual([first.total, had, composed, unfit, first.mails.length], [3, 0, 3, 1, 2]);
  assert.equal(first.look.leftOut.length, 1);
  assert.match(first.look.leftOut[0].reason, /"nowhere" is not an e-mail address/);
  const wrong = await editor.request("POST", "/api/mailer/summons/bulk", { body: { expect: 4 } });
  assert.deepEqual([wrong.status, wrong.body.error.details], [412, { expect: ["3"] }]);
  assert.equal((await editor.request("POST", "/api/mailer/summons/bulk", { body: { expect: "3" } })).status, 400);
  const { body } = await editor.request("POST", "/api/mailer/summons/bulk", { body: { expect: 3 } });
  await until(
    () => batch(body.data.batch),
    ({ sent, skipped }) => sent === 2 && skipped === 1,
  );
  const listed = (await server.request("GET", "/api/mailer/batches?mailer=summons")).body;
  assert.deepEqual(
    [listed.meta.total, listed.data[0].batch, listed.data[0].sent, listed.data[0].skipped, listed.data[0].total],
    [1, body.data.batch, 2, 1, 3],
  );
  assert.deepEqual((await preview()).body.data.look.had, 2);
  const [left] = await log("mailer=summons&status=skipped");
  assert.equal(left.canRetry, true);
  const retry = (id: string) => editor.request("POST", `/api/mailer/log/${id}/retry`);
  assert.equal((await retry(left.id)).status, 400, "its address is still wrong");
  await server.request("PATCH", "/api/collections/guild/g3", { body: { email: "g3@guild.test" } });
  assert.equal((await viewer.request("POST", `/api/mailer/log/${left.id}/retry`)).status, 403);
  const again = await retry(left.id);
  assert.deepEqual([again.status, again.body.data.status], [202, "queued"], again.text);
  assert.equal((await retry(left.id)).status, 400, "only once");
  await mailbox.next("g3@guild.test");
  const [done] = await log("mailer=summons&status=sent");
  assert.equal((await retry(done.id)).status, 400);
  assert.equal((await retry("none")).status, 404);
});
