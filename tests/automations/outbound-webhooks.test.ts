// Outbound webhooks against a real receiver on this machine: what is told, how it is signed, and what failure brings.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { multipart, send } from "../support/forms.ts";
import { openReceiver, type Received, type Receiver } from "../support/webhook-receiver.ts";

let server: Server;
let receiver: Receiver;
const webhooks = {
  allowPrivateHosts: true,
  retryDelays: ["PT0S", "PT1S"],
};

before(async () => {
  receiver = await openReceiver();
  server = await startServer({ settings: { webhooks } });
  await server.makeCollection({ id: "news", schema: "blog" });
  await server.makeCollection({ id: "other", schema: "blog" });
});
after(async () => {
  await server.stop();
  await receiver.close();
});

const create = async (path: string, more: object = {}) =>
  (await server.request("POST", "/api/webhooks", { body: { url: receiver.url + path, ...more } })).body.data;
const get = async (id: string) => (await server.request("GET", `/api/webhooks/${id}`)).body.data;
const remove = (id: string) => server.request("DELETE", `/api/webhooks/${id}`);
const deliveries = async (id: string) => (await server.request("GET", `/api/webhooks/${id}/deliveries`)).body.data;
const post = (collection: string, body: object) => server.request("POST", `/api/collections/${collection}`, { body });
const at = (path: string) => (entry: Received) => entry.path === path;

function isSignedBy(secret: string, { headers, raw }: Received): boolean {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${raw}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(signature);
}

const untilState = (id: string, isReached: (deliveries: { status: string }[]) => boolean) =>
  until<Awaited<ReturnType<typeof deliveries>>>(() => deliveries(id), isReached);

test("WHK-1 webhooks are made, listed, changed and deleted, and the secret is shown once", async () => {
  const made = await server.request("POST", "/api/webhooks", { body: { url: "https://example.test/", name: "Site" } });
  assert.equal(made.status, 201, made.text);
  const { secret, ...hook } = made.body.data;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual([hook.events, hook.collections, hook.active], [["*"], [], true]);
  const listed = await server.request("GET", "/api/webhooks");
  assert.deepEqual(listed.body.data, [{ ...hook, lastDelivery: null }]);
  const changed = await server.request("PATCH", `/api/webhooks/${hook.id}`, { body: { active: false } });
  assert.deepEqual([changed.body.data.active, changed.body.data.name], [false, "Site"]);
  for (const { text } of [listed, changed, await server.request("GET", `/api/webhooks/${hook.id}`)])
    assert.equal(text.includes(secret), false);
  assert.equal((await remove(hook.id)).status, 204);
  assert.equal((await remove(hook.id)).status, 404);
  const bad = await server.request("POST", "/api/webhooks", { body: { url: "ftp://x", events: ["nope"] } });
  assert.equal(bad.status, 400);
  assert.deepEqual(Object.keys(bad.body.error.details), ["url", "events"]);
});

test("WHK-17 own headers go with each delivery, their values are never shown and never reach another host", async () => {
  const secret = "Bearer very-secret-token";
  const { id, headers } = await create("/headed", { headers: [{ name: "Authorization", value: secret }] });
  assert.deepEqual(headers, [{ name: "Authorization" }]);
  const test = async () => {
    await server.request("POST", `/api/webhooks/${id}/test`);
    return receiver.received.filter(at("/headed")).at(-1)?.headers;
  };
  assert.equal((await test())?.authorization, secret);
  const patch = (body: object) => server.request("PATCH", `/api/webhooks/${id}`, { body });
  const added = await patch({ headers: [{ name: "authorization" }, { name: "X-Room", value: "stones" }] });
  assert.deepEqual(added.body.data.headers, [{ name: "authorization" }, { name: "X-Room" }]);
  const sent = await test();
  assert.deepEqual([sent?.authorization, sent?.["x-room"]], [secret, "stones"]);
  for (const { text } of [added, await server.request("GET", "/api/webhooks")])
    assert.ok(!text.includes("very-secret") && !text.includes("enc:v1:"));

  const moved = await patch({ url: "https://elsewhere.example/" });
  assert.equal(moved.status, 400, moved.text);
  assert.match(moved.body.error.details.headers[0], /authorization, X-Room again/);
  const refused: [object, RegExp][] = [
    [{ name: "Host", value: "x" }, /must not have Host/],
    [{ name: "Content-Length", value: "1" }, /must not have/],
    [{ name: "Transfer-Encoding", value: "chunked" }, /must not have/],
    [{ name: "Webhook-Signature", value: "v1," }, /must not have/],
    [{ name: "X A", value: "x" }, /names of letters/],
    [{ name: "X-A", value: "x\r\nHost: y" }, /printable/],
    [{ name: "X-A" }, /must have a value for X-A/],
  ];
  for (const [header, text] of refused) {
    const { status, body } = await patch({ headers: [header] });
    assert.equal(status, 400, JSON.stringify(header));
    assert.match(body.error.details.headers[0], text);
  }
  const twice = await patch({ headers: ["X-A", "x-a"].map((name) => ({ name, value: "x" })) });
  assert.match(twice.body.error.details.headers[0], /once only/);
  assert.deepEqual((await get(id)).headers, [{ name: "authorization" }, { name: "X-Room" }]);
  await patch({ headers: [] });
  assert.equal((await test())?.authorization, undefined);
  await remove(id);
});

test("WHK-18 a webhook has a tag, and a change that names an older one is refused", async () => {
  const { id } = await create("/tagged");
  const before = (await server.request("GET", `/api/webhooks/${id}`)).headers.get("etag") ?? "";
  const change = (name: string, tag: string) =>
    server.request("PATCH", `/api/webhooks/${id}`, { body: { name }, headers: { "if-match": tag } });
  const first = await change("One", before);
  assert.equal(first.status, 200, first.text);
  assert.equal((await change("Two", before)).status, 412);
  assert.equal((await change("Two", first.headers.get("etag") ?? "")).status, 200);
  await remove(id);
});

test("WHK-2 WHK-3 WHK-5 WHK-14 a write is delivered, signed, with the object as it was written", async () => {
  const { id, secret } = await create("/signed", { events: ["object.*"], collections: ["news"] });
  await post("other", { title: "Not told" });
  const created = (await post("news", { id: "stones", title: "Stönes", draft: true })).body.data;
  await server.request("PATCH", "/api/collections/news/stones", { body: { title: "More" } });
  await server.request("DELETE", "/api/collections/news/stones");
  const told = await receiver.until(3, at("/signed"));
  const byType = new Map(told.map((entry) => [entry.body.type, entry]));
  assert.deepEqual([...byType.keys()].sort(), ["object.created", "object.deleted", "object.updated"]);
  const first = byType.get("object.created") as Received;
  assert.deepEqual(first.body.data, { collection: "news", id: "stones", object: created });
  assert.equal(byType.get("object.updated")?.body.data.object.title, "More");
  assert.deepEqual(byType.get("object.deleted")?.body.data, { collection: "news", id: "stones" });
  for (const entry of told) {
    assert.equal(entry.method, "POST");
    assert.ok(isSignedBy(secret, entry));
    assert.equal(isSignedBy(`whsec_${"A".repeat(43)}=`, entry), false);
    assert.ok(Math.abs(Number(entry.headers["webhook-timestamp"]) - Date.now() / 1_000) < 20);
    assert.match(String(entry.headers["webhook-id"]), /^msg_[0-9a-f]{32}$/);
    assert.ok(!Number.isNaN(Date.parse(entry.body.timestamp)));
  }
  const log = await untilState(id, (rows) => rows.every(({ status }) => status === "delivered"));
  assert.equal(log.length, 3);
  assert.deepEqual([log[0].attempts, log[0].responseStatus, log[0].error], [1, 200, null]);
  await remove(id);
});

test("WHK-2, PF-90 an upload that replaces a file of the same name is one object.updated", async () => {
  await server.makeSchema({ id: "paper", properties: { doc: { type: "file" } }, required: [], index: [] });
  await server.makeCollection({ id: "papers", schema: "paper" });
  await post("papers", { id: "one" });
  const { id } = await create("/papers", { collections: ["papers"] });
  const upload = (bytes: string) =>
    send(server, "/api/collections/papers/one/doc", multipart([{ field: "doc", name: "a.txt", bytes }]));
  for (const bytes of ["one", "two", "three"]) assert.equal((await upload(bytes)).status, 200);
  const sent = await untilState(id, (rows) => rows.length >= 3 && rows.every(({ status }) => status === "delivered"));
  assert.deepEqual(
    sent.map(({ event }: { event: string }) => event),
    ["object.updated", "object.updated", "object.updated"],
  );
  await remove(id);
});

test("WHK-2 events of collections, schemas and imports are delivered", async () => {
  const { id } = await create("/site", { events: ["collection.*", "schema.*", "import.completed"] });
  await server.makeSchema({ id: "told", properties: { id: { type: "string" } } });
  await server.makeCollection({ id: "told", schema: "told" });
  const imported = await server.request("POST", "/api/import/collections/told/json", {
    body: [{ id: "a" }, { id: "b" }],
  });
  assert.equal(imported.status, 200, imported.text);
  await server.request("DELETE", "/api/collections/told?confirm=told");
  const told = await receiver.until(4, at("/site"));
  assert.deepEqual(Object.fromEntries(told.map(({ body }) => [body.type, body.data])), {
    "schema.saved": { schema: "told" },
    "collection.created": { collection: "told" },
    "import.completed": { collection: "told", created: 2, updated: 0 },
    "collection.deleted": { collection: "told" },
  });
  await remove(id);
});

test("WHK-2 SYNC-19 events of sync and jumpstart are sent", async () => {
  const { id } = await create("/brought", { events: ["collection.*", "schema.*", "import.completed", "object.*"] });
  const definition = (kind: string) => ({
    version: "1.0.0",
    name: "Test",
    schemas: [{ id: kind, properties: { id: { type: "string" } } }],
    collections: { reserved: [], custom: [{ id: kind, schema: kind }] },
  });
  const objects = [{ collection: "jumped", id: "a", data: {} }];
  const synced = await server.request("POST", "/api/sync/import", { body: definition("synced") });
  const jumped = await server.request("POST", "/api/import/jumpstart", { body: { ...definition("jumped"), objects } });
  assert.deepEqual([synced.status, jumped.status], [200, 200], synced.text + jumped.text);
  const told = await receiver.until(5, at("/brought"));
  assert.deepEqual(told.map(({ body }) => `${body.type} ${JSON.stringify(body.data)}`).sort(), [
    'collection.created {"collection":"jumped"}',
    'collection.created {"collection":"synced"}',
    'import.completed {"collection":"jumped","created":1,"updated":0}',
    'schema.saved {"schema":"jumped"}',
    'schema.saved {"schema":"synced"}',
  ]);
  await remove(id);
});

test("WHK-4 events of users have the id alone, and go only to webhooks for users", async () => {
  const objects = await create("/objects", { events: ["object.*"] });
  const all = await create("/users", { events: ["user.*"] });
  const body = { id: "ada", email: "ada@example.test", password: "a-good-password-1", active: true };
  assert.equal((await post("auth", body)).status, 201);
  const [told] = await receiver.until(1, at("/users"));
  assert.deepEqual([told?.body.type, told?.body.data], ["user.created", { id: "ada" }]);
  await receiver.settled();
  assert.equal(receiver.received.some(at("/objects")), false);
  for (const { raw } of receiver.received) assert.equal(/password|argon/.test(raw), false);
  await remove(objects.id);
  await remove(all.id);
});

test("WHK-7 WHK-15 WHK-16 a failed delivery is retried with the same id and body, and then given up", async () => {
  let failures = 2;
  receiver.answer = ({ path }, response) => {
    const isRefused = path === "/never" || (path === "/moody" && failures-- > 0);
    response.writeHead(isRefused ? 500 : 200).end(isRefused ? "not now\u0000\u001b[31m" : "");
  };
  const moody = await create("/moody", { events: ["object.created"] });
  const never = await create("/never", { events: ["object.created"] });
  await post("news", { id: "again", title: "Again" });
  const [log] = await untilState(moody.id, ([row]) => row?.status === "delivered");
  assert.equal(log.attempts, 3);
  const tries = receiver.received.filter(at("/moody"));
  assert.equal(new Set(tries.map(({ raw, headers }) => raw + headers["webhook-id"])).size, 1);
  assert.ok(tries.every((entry) => isSignedBy(moody.secret, entry)));
  const [lost] = await untilState(never.id, ([row]) => row?.status === "failed");
  assert.deepEqual([lost.attempts, lost.responseStatus, lost.response], [3, 500, "not now[31m"]);
  assert.match(lost.error, /status 500/);
  await until(async () => (await get(never.id)).failingSince);
  await becomes(async () => (await get(moody.id)).failingSince, null);

  receiver.answer = (_entry, response) => response.end("fine");
  const replayed = await server.request("POST", `/api/webhooks/${never.id}/deliveries/${lost.id}/replay`);
  assert.equal(replayed.status, 202);
  const [done] = await untilState(never.id, ([row]) => row?.status === "delivered");
  assert.deepEqual([done.id, done.response], [lost.id, "fine"]);
  await becomes(async () => (await get(never.id)).failingSince, null);
  assert.equal((await server.request("POST", `/api/webhooks/${moody.id}/deliveries/${lost.id}/replay`)).status, 404);
  await remove(moody.id);
  await remove(never.id);
});

test("WHK-8 a webhook that fails for too long is switched off, and so is one whose receiver is gone", async () => {
  receiver.answer = ({ path }, response) => response.writeHead(path === "/gone" ? 410 : 503).end();
  const gone = await create("/gone", { events: ["object.created"] });
  await post("news", { id: "gone", title: "Gone" });
  const [last] = await untilState(gone.id, ([row]) => row?.status === "failed");
  assert.deepEqual([last.attempts, last.responseStatus], [1, 410]);
  const stateOf = async () => {
    const { active, disabledReason } = await get(gone.id);
    return [active, disabledReason];
  };
  await becomes(stateOf, [false, "The receiver answered with status 410."]);
  // On a slow machine that is over with the second attempt, on others with the third.
  await server.request("PUT", "/api/settings/webhooks", { body: { disableAfter: "PT1S" } });
  const ill = await create("/ill", { events: ["object.created"] });
  await post("news", { id: "ill", title: "Ill" });
  const [lost] = await untilState(ill.id, ([row]) => row?.status === "failed");
  assert.ok(lost.attempts >= 2 && lost.attempts <= 3, String(lost.attempts));
  assert.equal(lost.responseStatus, 503);
  await until(async () => /failed since/.test((await get(ill.id)).disabledReason ?? ""));
  await server.request("PUT", "/api/settings/webhooks", { body: { disableAfter: null } });
  receiver.answer = (_entry, response) => response.end();
  const before = receiver.received.length;
  await post("news", { id: "silent", title: "Silent" });
  await receiver.settled();
  assert.equal(receiver.received.length, before);
  const on = await server.request("PATCH", `/api/webhooks/${ill.id}`, { body: { active: true } });
  assert.deepEqual([on.body.data.failingSince, on.body.data.disabledReason], [null, null]);
  await remove(gone.id);
  await remove(ill.id);
});

test("WHK-9 a new secret signs beside the old one", async () => {
  const { id, secret } = await create("/rotated", { events: ["object.created"] });
  const rotated = await server.request("POST", `/api/webhooks/${id}/rotate`);
  assert.notEqual(rotated.body.data.secret, secret);
  await post("news", { id: "rotated", title: "Rotated" });
  const [told] = (await receiver.until(1, at("/rotated"))) as [Received];
  assert.ok(isSignedBy(secret, told));
  assert.ok(isSignedBy(rotated.body.data.secret, told));
  await remove(id);
});

test("WHK-10 ADM-754 a test is sent at once and returns the answer; its request can be read", async () => {
  receiver.answer = (_entry, response) => response.writeHead(302, { location: "/elsewhere" }).end();
  const { id, secret } = await create("/tested", { active: false });
  const failed = await server.request("POST", `/api/webhooks/${id}/test`);
  assert.equal(failed.status, 200, failed.text);
  assert.deepEqual([failed.body.data.status, failed.body.data.responseStatus], ["failed", 302]);
  assert.equal(receiver.received.some(at("/elsewhere")), false);
  receiver.answer = (_entry, response) => response.end();
  assert.equal((await server.request("POST", `/api/webhooks/${id}/test`)).body.data.status, "delivered");
  const told = receiver.received.filter(at("/tested"));
  assert.ok(told.every((entry) => isSignedBy(secret, entry) && entry.body.type === "webhook.test"));
  const [last] = await deliveries(id);
  const { body: one } = await server.request("GET", `/api/webhooks/${id}/deliveries/${last.id}`);
  assert.deepEqual([one.data.id, one.data.request], [last.id, told.at(-1)?.raw]);
  const { data: hooks } = (await server.request("GET", "/api/webhooks")).body;
  const { lastDelivery } = hooks.find((hook: { id: string }) => hook.id === id);
  assert.deepEqual([lastDelivery.id, lastDelivery.status, lastDelivery.event], [last.id, "delivered", "webhook.test"]);
  for (const path of [`${id}/deliveries/none`, `none/deliveries/${last.id}`])
    assert.equal((await server.request("GET", `/api/webhooks/${path}`)).status, 404);
  await remove(id);
});

test("WHK-6 private addresses are refused unless the settings open them (T47)", async () => {
  await server.request("PUT", "/api/settings/webhooks", { body: { allowPrivateHosts: false } });
  const { id } = await create("/inside");
  const { data } = (await server.request("POST", `/api/webhooks/${id}/test`)).body;
  const hint = "Private and local addresses are refused unless the setting webhooks.allowPrivateHosts allows them.";
  assert.deepEqual([data.status, data.error], ["failed", `The address could not be reached. ${hint}`]);
  assert.equal(receiver.received.some(at("/inside")), false);
  await server.request("PUT", "/api/settings/webhooks", { body: { allowPrivateHosts: true } });
  await remove(id);
});

test("WHK-11 a write before a crash is delivered after it", async () => {
  receiver.answer = () => {};
  const { id } = await create("/crash", { events: ["object.created"] });
  await post("news", { id: "crash", title: "Crash" });
  await receiver.until(1, at("/crash"));
  await server.kill();
  receiver.answer = (_entry, response) => response.end();
  await server.restart();
  const log = await untilState(id, ([row]) => row?.status === "delivered");
  assert.equal(log.length, 1);
  const told = receiver.received.filter(at("/crash"));
  assert.ok(told.length >= 2);
  assert.equal(new Set(told.map(({ headers }) => headers["webhook-id"])).size, 1);
});

test("WHK-3 no secret is readable in the data directory", async () => {
  const { id, secret } = await create("/secret");
  const files = readdirSync(server.dataDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(server.dataDir, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  for (const path of files) assert.equal(readFileSync(path, "latin1").includes(secret.slice(6)), false, path);
  await remove(id);
});

test("WHK-13 there are at most a hundred webhooks, also when several are made at the same moment", async () => {
  const list = async () => (await server.request("GET", "/api/webhooks")).body.data as { id: string }[];
  const make = () => server.request("POST", "/api/webhooks", { body: { url: receiver.url, active: false } });
  const before = new Set((await list()).map(({ id }) => id));
  for (let count = before.size; count < 97; count += 1) await make();
  const last = await Promise.all(Array.from({ length: 10 }, make));
  assert.deepEqual(last.map(({ status }) => status).sort(), [...Array(3).fill(201), ...Array(7).fill(400)]);
  const made = await list();
  assert.equal(made.length, 100);
  for (const { id } of made) if (!before.has(id)) await remove(id);
});
