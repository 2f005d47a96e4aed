// What runs later does what its author may do then, and nothing more: for each kind of author, what each kind of deferred
// work gives away, and what becomes of it when the author loses rights.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type RequestOptions, type Server, startServer } from "../harness.ts";
import { makeGroup } from "../matrix/sessions.ts";
import { connect, makeClient, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { type Mailbox, openMailbox } from "../support/smtp-server.ts";
import { runsOf } from "./samples.ts";

let mailbox: Mailbox;
let server: Server;
let vera: Person;
let mia: Person;
const code = "export default () => 1";
const all = (collection: string) =>
  `export default async (ctx) => (await ctx.objects.all("${collection}")).map(({ id }) => id).sort()`;

before(async () => {
  mailbox = await openMailbox();
  server = await startServer({ hasOAuth: true, settings: { smtp: mailbox.smtp, api: { rateLimit: 0 } } });
  await server.makeCollection({ id: "news", schema: "blog", publicOperations: ["read"] });
  await server.makeCollection({ id: "payroll", schema: "blog" });
  await server.request("POST", "/api/collections/news", { body: { id: "open", title: "Open" } });
  await server.request("POST", "/api/collections/news", { body: { id: "hidden", title: "Hidden", draft: true } });
  await server.request("POST", "/api/collections/payroll", { body: { id: "ceo", title: "1,000,000" } });
  const collections = { operations: ["create", "read", "update"], allowed: ["dataviews"] };
  await makeGroup(server, "viewwriter", { collections, dataviews: true });
  await makeUser(server, "vera", ["viewwriter"]);
  vera = await signIn(server, "vera");
  const mailers = { operations: ["create", "read", "update"], allowed: ["mailer"] };
  await makeGroup(server, "mailwriter", { collections: mailers, mailer: true });
  await makeUser(server, "mia", ["mailwriter"]);
  mia = await signIn(server, "mia");
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

async function makeKey(
  endpoints: string[],
  methods = ["GET", "POST", "PUT", "PATCH"],
): Promise<{ id: string; key: string }> {
  const answer = await server.request("POST", "/api/apikeys", { body: { name: "test", methods, endpoints } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data as { id: string; key: string };
}

type Ask = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
const asAdmin: Ask = (...args) => server.request(...args);
const withKey =
  (key: string | null): Ask =>
  (method, path, options = {}) =>
    server.request(method, path, { ...options, key });

const saveView = (ask: Ask, id: string, definition: string) =>
  ask("POST", "/api/collections/dataviews", { body: { id, name: id, definition } });

type Wanted = string[] | RegExp;

/** What a build gives now: the data, or why there is none. One that began earlier may end in between: then it is built again. */
function build(id: string, wanted: Wanted): Promise<unknown> {
  return until(
    async () => {
      const { body } = await server.request("POST", `/api/dataviews/${id}/rebuild`);
      return body.data.lastError ?? (await server.request("GET", `/api/dataviews/${id}/data`)).body;
    },
    (found) => fits(found, wanted),
  );
}
const fits = (found: unknown, wanted: Wanted) =>
  wanted instanceof RegExp ? typeof found === "string" && wanted.test(found) : isDeepStrictEqual(found, wanted);

test("VIEW-15 a view reads what the author of its definition may read, drafts and closed collections included", async () => {
  await server.request("PATCH", "/api/collections/dataviews/settings", { body: { publicOperations: ["create"] } });
  const full = await makeKey(["*"]);
  await makeUser(server, "root2", ["admin"]);
  const root2 = await signIn(server, "root2");
  const everything = { news: ["hidden", "open"], payroll: ["ceo"] };
  const little = { news: ["open"], payroll: /Access denied|Sign in|Authentication/ };
  const table: [string, Ask, { news: string[]; payroll: string[] | RegExp }][] = [
    ["anonymous", withKey(null), little],
    ["user", vera.request, little],
    ["admin", root2.request, everything],
    ["key", withKey(full.key), everything],
  ];
  for (const [author, ask, expected] of table)
    for (const collection of ["news", "payroll"] as const) {
      const id = `${author}-${collection}`;
      const saved = await saveView(ask, id, all(collection));
      assert.equal(saved.status, 201, `${id} ${saved.text}`);
      assert.ok(await build(saved.body.data.id, expected[collection]), id);
    }
  await server.request("PATCH", "/api/collections/dataviews/settings", { body: { publicOperations: [] } });
  const made = await server.cli([
    "object:create",
    ...["dataviews", "--data-json", JSON.stringify({ id: "by-cli", name: "by-cli", definition: all("payroll") })],
  ]);
  assert.equal(made.code, 0, made.stderr);
  assert.ok(await build("by-cli", ["ceo"]));
});

test("VIEW-15 a definition by sync or a jumpstart of an administrator is the service's, others belong to their author", async () => {
  const view = (id: string) => ({ collection: "dataviews", id, data: { name: id, definition: all("payroll") } });
  const definition = (id: string) => ({ version: "1.0.0", name: "x", objects: [view(id)] });
  const key = await makeKey(["*"]);
  for (const [id, path] of [
    ["synced", "/api/sync/import"],
    ["started", "/api/import/jumpstart"],
  ] as const) {
    const answer = await withKey(key.key)("POST", path, { body: definition(id) });
    assert.equal(answer.status, 200, answer.text);
  }
  await server.request("DELETE", `/api/apikeys/${key.id}`);
  for (const id of ["synced", "started"]) assert.ok(await build(id, ["ceo"]), id);
  const collections = { operations: ["create", "read", "update"], allowed: ["dataviews"] };
  await makeGroup(server, "starter", { collections, dataviews: true, utils: { allowed: ["jumpstart"] } });
  await makeUser(server, "stan", ["starter"]);
  const stan = await signIn(server, "stan");
  const answer = await stan.request("POST", "/api/import/jumpstart", { body: definition("by-stan") });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(await build("by-stan", /Access denied/));
});

test("VIEW-15 a view that an application saved has the grant's rights, and ends with the grant", async () => {
  const client = await makeClient(server);
  const { accessToken } = await connect(server, vera, { client, scope: "cms:read cms:write" });
  const asApp: Ask = (method, path, options) => withToken(server, accessToken, method, path, options);
  await makeUser(server, "tess", ["admin"]);
  const tess = await signIn(server, "tess");
  const other = await connect(server, tess, { client, scope: "cms:read cms:write" });
  const asAdminsApp: Ask = (method, path, options) => withToken(server, other.accessToken, method, path, options);
  assert.equal((await saveView(asApp, "of-app", all("payroll"))).status, 201);
  assert.ok(await build("of-app", /Access denied/));
  assert.equal((await saveView(asAdminsApp, "of-admins-app", all("payroll"))).status, 201);
  assert.ok(await build("of-admins-app", ["ceo"]));
  const grants = (await server.request("GET", "/api/oauth-grants")).body.data as { id: string; userId: string }[];
  const grant = grants.find(({ userId }) => userId === "tess")?.id;
  assert.equal((await server.request("DELETE", `/api/oauth-grants/${grant}`)).status, 204);
  assert.ok(await build("of-admins-app", /token:tess:.+ has no rights any more/));
});

test("VIEW-15 the definition that was saved last counts, other changes do not; views are read by right too", async () => {
  await saveView(vera.request, "shared", all("payroll"));
  await server.request("PATCH", "/api/collections/dataviews/shared", { body: { description: "by root" } });
  assert.ok(await build("shared", /Access denied/));
  await server.request("PATCH", "/api/collections/dataviews/shared", { body: { definition: all("payroll") } });
  assert.ok(await build("shared", ["ceo"]));
  await vera.request("PATCH", "/api/collections/dataviews/shared", { body: { definition: all("news") } });
  assert.ok(await build("shared", ["open"]));
  await server.request("POST", "/api/import/collections/dataviews/json?update=1", {
    body: [{ id: "shared", definition: all("payroll") }],
  });
  assert.ok(await build("shared", ["ceo"]));
  const anonymously = { definition: `export default async (ctx) => ctx.views.get("shared")` };
  const reader = await vera.request("POST", "/api/dataviews/test", { body: anonymously });
  assert.equal(reader.body.success, true, reader.text);
});

test("VIEW-16 a view whose author is gone, disabled, expired or replaced fails with that reason", async () => {
  const key = await makeKey(["*"]);
  await saveView(withKey(key.key), "of-key", all("payroll"));
  assert.ok(await build("of-key", ["ceo"]));
  await server.request("DELETE", `/api/apikeys/${key.id}`);
  assert.ok(await build("of-key", /key:.+ has no rights any more\. Save "definition" again/));
  assert.deepEqual(
    (await server.request("GET", "/api/dataviews/of-key/data")).body,
    ["ceo"],
    "the last good result stays",
  );
  for (const [id, end] of [
    ["off", () => server.request("PATCH", "/api/collections/auth/off", { body: { active: false } })],
    ["old", () => server.request("PATCH", "/api/collections/auth/old", { body: { expiration: "2020-01-01" } })],
    ["left", () => server.request("DELETE", "/api/collections/auth/left")],
    [
      "again",
      async () => {
        await server.request("DELETE", "/api/collections/auth/again");
        await makeUser(server, "again", ["admin"]);
      },
    ],
  ] as const) {
    await makeUser(server, id, ["admin"]);
    const person = await signIn(server, id);
    await saveView(person.request, `of-${id}`, all("payroll"));
    assert.ok(await build(`of-${id}`, ["ceo"]), id);
    await end();
    assert.ok(await build(`of-${id}`, new RegExp(`user:${id}, who last saved`)), id);
  }
  await makeUser(server, "down", ["admin"]);
  const down = await signIn(server, "down");
  await saveView(down.request, "of-down", all("payroll"));
  await server.request("PATCH", "/api/collections/auth/down", { body: { groups: ["viewwriter"] } });
  assert.ok(await build("of-down", /Access denied/));
});

test("VIEW-17 a limited key saves no definition, and no code of automations", async () => {
  const { key } = await makeKey([
    "/collections/dataviews",
    "/collections/automations",
    "/dataviews",
    "/import/collections/dataviews",
  ]);
  const ask = withKey(key);
  await saveView(asAdmin, "kept", all("news"));
  const automation = { id: "kept", handler: code, triggers: [] };
  await server.request("POST", "/api/collections/automations", { body: automation });
  const view = "/api/collections/dataviews/kept";
  const record = "/api/collections/automations/kept";
  for (const [named, answer] of [
    ["definition", await saveView(ask, "fresh", all("payroll"))],
    ["definition", await ask("PATCH", view, { body: { definition: all("payroll") } })],
    ["definition", await ask("PUT", view, { body: { name: "kept", definition: all("payroll") } })],
    ["definition", await ask("PUT", `${view}/definition`, { body: all("payroll") })],
    ["definition", await ask("POST", `${view}/clone`, { body: { id: "copy" } })],
    ["handler", await ask("POST", "/api/collections/automations", { body: { id: "evil", handler: code } })],
    ["handler", await ask("PATCH", record, { body: { handler: "export default () => 2" } })],
    ["triggers", await ask("PATCH", record, { body: { triggers: [{ id: "t", type: "webhook", auth: "none" }] } })],
  ] as const) {
    assert.equal(answer.status, 403, `${named} ${answer.text}`);
    assert.match(answer.body.error.message, /limited endpoints/);
    assert.ok(answer.body.error.details[named], answer.text);
  }
  assert.equal((await ask("PATCH", view, { body: { description: "words" } })).status, 200);
  const imported = await ask("POST", "/api/import/collections/dataviews/json", {
    body: [{ id: "imported", name: "imported", definition: all("payroll") }],
  });
  assert.equal(imported.status, 403, imported.text);
  assert.equal((await server.request("GET", "/api/collections/dataviews/imported")).status, 404);
  assert.ok(await build("kept", ["hidden", "open"]));
});

test("ATM-45 an automation runs while the author of its handler is an administrator", async () => {
  await makeUser(server, "boss", ["admin"]);
  const boss = await signIn(server, "boss");
  const body = { id: "payday", handler: `export default async (ctx) => (await ctx.objects.get("payroll", "ceo")).id` };
  assert.equal((await boss.request("POST", "/api/collections/automations", { body })).status, 201);
  const run = async () => (await server.request("POST", "/api/automations/payday/run")).body.data;
  assert.equal((await run()).result, "ceo");
  await server.request("PATCH", "/api/collections/auth/boss", { body: { groups: ["editor"] } });
  const refused = await run();
  assert.equal(refused.status, "failed");
  assert.match(
    refused.error,
    /user:boss, who last saved the handler, is not an administrator any more\. .* save "handler" again/,
  );
  await server.request("PATCH", "/api/collections/automations/payday", { body: { category: "Money" } });
  assert.equal((await run()).status, "failed");
  await server.request("PATCH", "/api/collections/automations/payday", { body: { handler: body.handler } });
  assert.equal((await run()).result, "ceo");
  await until(
    () => runsOf(server, "payday"),
    (runs) => runs.every(({ finishedAt }) => finishedAt !== null),
  );
});

async function mailer(id: string, more: object = {}): Promise<void> {
  const texts = { to: "{{ data.id }}@example.test", subject: id, bodyText: "{{ data.id }}: nothing" };
  const answer = await server.request("POST", "/api/collections/mailer", { body: { id, name: id, ...texts, ...more } });
  if (answer.status !== 201) throw new Error(answer.text);
}
const batch = async (id: string) => (await server.request("GET", `/api/mailer/batches/${id}`)).body.data;
const log = async (query: string) => (await server.request("GET", `/api/mailer/log?${query}`)).body.data;
const bulk = async (ask: Ask, id: string, body: object) => {
  const answer = await ask("POST", `/api/mailer/${id}/bulk`, { body });
  assert.equal(answer.status, 202, answer.text);
  return answer.body.data.batch as string;
};
const ended = ({ queued, ...counts }: Record<string, number>, total: number) =>
  queued === 0 && (counts.sent ?? 0) + (counts.failed ?? 0) + (counts.skipped ?? 0) === total;
const texts = (subject: string) =>
  mailbox.mails.filter(({ parsed }) => parsed.subject === subject).map(({ parsed }) => parsed.text?.trim());

test("MLR-17 a batch reaches what its sender may read: no drafts, no closed collections", async () => {
  await mailer("round");
  const open = await bulk(mia.request, "round", { collection: "news" });
  await until(
    () => batch(open),
    ({ sent }) => sent === 1,
  );
  const named = await bulk(mia.request, "round", {
    collection: "news",
    ids: ["hidden"],
    overrideTo: "evil@example.test",
  });
  const state = await until(
    () => batch(named),
    (counts) => ended(counts, 1),
  );
  assert.deepEqual([state.sent, state.skipped], [0, 1]);
  assert.deepEqual(texts("round"), ["open: nothing"]);
  const closed = await mia.request("POST", "/api/mailer/round/bulk", { body: { collection: "payroll" } });
  assert.equal(closed.status, 403);
  const all = await bulk(asAdmin, "round", { collection: "news", resend: true });
  await until(
    () => batch(all),
    ({ sent }) => sent === 2,
  );
});

test("MLR-18 a batch says what was accepted, whatever becomes of its mailer", async () => {
  await mailer("pay");
  const scheduledAt = new Date(Date.now() + 1_500).toISOString();
  const sent = await bulk(asAdmin, "pay", { collection: "payroll", scheduledAt });
  const change = {
    bcc: "mia-private@example.test",
    to: "mia@example.test",
    bodyText: "{{ data.title }}",
    subject: "x",
  };
  const patched = await mia.request("PATCH", "/api/collections/mailer/pay", { body: change });
  assert.equal(patched.status, 200, patched.text);
  await until(
    () => batch(sent),
    (state) => state.sent === 1,
  );
  const { to, parsed } = await mailbox.next("ceo@example.test");
  assert.deepEqual([to, parsed.subject, parsed.text?.trim()], [["ceo@example.test"], "pay", "ceo: nothing"]);
});

test("MLR-19 mail of a sender without the right is skipped, single, scheduled or in a batch", async () => {
  await mailer("late", { to: "late@example.test" });
  await makeUser(server, "moe", ["mailwriter"]);
  const moe = await signIn(server, "moe");
  await server.request("PUT", "/api/settings/smtp", { body: { ...mailbox.smtp, port: 1 } });
  const single = await moe.request("POST", "/api/mailer/late/send", { body: {} });
  assert.equal(single.status, 202, single.text);
  const many = await bulk(moe.request, "late", { collection: "news" });
  await server.request("PATCH", "/api/collections/auth/moe", { body: { active: false } });
  await server.request("PUT", "/api/settings/smtp", { body: mailbox.smtp });
  const rows = await until(
    () => log("mailer=late"),
    (found: { status: string; error: string }[]) =>
      found.length > 0 && found.every(({ status }) => status !== "queued"),
  );
  for (const { status, error } of rows) {
    assert.equal(status, "skipped");
    assert.match(error, /user:moe, who sent this mail, may not send mail any more/);
  }
  const state = await until(
    () => batch(many),
    (counts) => counts.isCancelled || ended(counts, 1),
  );
  assert.deepEqual([state.sent, texts("late")], [0, []]);
});

test("MLR-19 mail that an automation schedules belongs to the author of the automation", async () => {
  await mailer("auto", { to: "auto@example.test" });
  await makeUser(server, "chief", ["admin"]);
  const chief = await signIn(server, "chief");
  const handler = `export default (ctx) => ctx.mail.send("auto", { data: { id: "x" } })`;
  await chief.request("POST", "/api/collections/automations", { body: { id: "mailing", handler } });
  await server.request("PUT", "/api/settings/smtp", { body: { ...mailbox.smtp, port: 1 } });
  const run = await server.request("POST", "/api/automations/mailing/run");
  assert.equal(run.body.data.status, "succeeded", run.text);
  await server.request("PATCH", "/api/collections/auth/chief", { body: { groups: ["viewer"] } });
  await server.request("PUT", "/api/settings/smtp", { body: mailbox.smtp });
  const [row] = await until(
    () => log("mailer=auto"),
    ([found]) => found?.status === "skipped",
  );
  assert.match(row.error, /user:chief/);
});

test("MLR-20 a batch counts and names objects that were sent the mail, also one by one", async () => {
  await mailer("once");
  const sent = await server.request("POST", "/api/mailer/once/send", { body: { collection: "news", object: "open" } });
  assert.equal(sent.status, 202);
  const first = await bulk(asAdmin, "once", { collection: "news" });
  const one = await until(
    () => batch(first),
    (state) => ended(state, 2),
  );
  assert.deepEqual([one.total, one.sent, one.skipped], [2, 1, 1]);
  const second = await bulk(asAdmin, "once", { collection: "news" });
  const two = await until(
    () => batch(second),
    (state) => ended(state, 2),
  );
  assert.deepEqual([two.total, two.sent, two.skipped], [2, 0, 2]);
  const rows = await log(`batch=${second}`);
  assert.match(rows[0].error, /left out: it was sent this mail within 90 days/);
  const mails = await until(
    () => log("mailer=once&status=sent"),
    (found) => found.length === 2,
  );
  assert.deepEqual(mails.map(({ to }: { to: string }) => to).sort(), ["hidden@example.test", "open@example.test"]);
});

test("MLR-21 a mail comes from smtp.from unless mailer.allowedSenders says more", async () => {
  await mailer("boss", { from: "ceo@bank.example" });
  const data = { data: { id: "x" } };
  const preview = () => mia.request("POST", "/api/mailer/boss/preview", { body: data });
  const refused = await preview();
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.details.from[0], /mailer\.allowedSenders/);
  await server.request("PUT", "/api/settings/mailer", { body: { allowedSenders: ["bank.example"] } });
  assert.equal((await preview()).body.data.from, "ceo@bank.example");
  await server.request("PUT", "/api/settings/mailer", { body: { allowedSenders: null } });
  assert.equal((await preview()).status, 400);
});

test("MLR-22 the log shows recipients to callers that may send", async () => {
  await makeGroup(server, "mailreader", { collections: { operations: ["read"], allowed: ["mailer"] }, mailer: true });
  await makeUser(server, "rita", ["mailreader"]);
  const rita = await signIn(server, "rita");
  const { body } = await rita.request("GET", "/api/mailer/log?mailer=once&status=sent");
  assert.deepEqual(new Set(body.data.map(({ to }: { to: string }) => to)), new Set([""]));
});
