// What extensions add to forms: actions after a sending, and guards before it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

const code = `let failures = 0;
export function register(cairn) {
  cairn.formAction("crm", async (call, sent) => {
    await cairn.store.set(sent.object, { form: sent.form, name: sent.values.name, actor: call.actor.kind });
    await cairn.own.objects.create("contacts", { id: "c-" + sent.object, title: sent.values.name + " of " + sent.form });
  });
  cairn.formGuard("words", async ({ values, object }) => {
    if (values.name === "broken") throw new Error("no");
    return { spam: object !== null || values.name === "cheap" };
  });
  cairn.formGuard("strict", async ({ values }) => {
    if (values.name === "unlucky" && failures++ === 0) throw new Error("no");
    return { spam: false };
  });
}`;

let server: Server;

before(async () => {
  server = await startServer({ settings: { forms: { rateLimit: 0 } } });
  const properties = { name: { type: "string", field: "text" }, title: { type: "string", field: "text" } };
  await server.makeSchema({ id: "order", properties, required: ["id"], index: ["id", "name"] });
  const actions = [{ type: "extension", extension: "acme/crm", name: "crm" }];
  await server.makeCollection({ id: "contacts", schema: "order" });
  await server.makeCollection({ id: "orders", schema: "order", forms: { contact: { fields: ["name"], actions } } });
  const formGuards = [{ name: "words" }, { name: "strict", onFailure: "closed" }];
  const contributes = { formActions: [{ name: "crm", title: "Send to CRM" }], formGuards };
  writeExtension(join(server.dataDir, "extensions"), {
    id: "acme/crm",
    manifest: { permissions: { collections: { contacts: ["create"] } }, contributes },
    files: { "index.ts": code },
  });
  await enableExtension(server, "acme/crm");
});
after(() => server.stop());

const send = (name: string) =>
  server.request("POST", "/forms/orders/contact", {
    key: null,
    raw: new URLSearchParams({ name }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  });
const titles = async (collection: string): Promise<string[]> =>
  (await server.request("GET", `/api/collections/${collection}`)).body.data.map(
    ({ title, name }: { title?: string; name?: string }) => title || name,
  );

test("EXT-136 an action of an extension follows a sending", async () => {
  const sent = await send("Ada");
  assert.ok(sent.status < 300, sent.text);
  await until(async () => (await titles("contacts")).includes("Ada of orders/contact"));
  const forms = { contact: { fields: ["name"], actions: [{ type: "extension", extension: "acme", name: "crm" }] } };
  const wrong = await server.request("PATCH", "/api/collections/orders/settings", { body: { forms } });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /extension must be/);
});

test("EXT-137 guards judge, and only closed ones hold up a sending when they fail", async () => {
  const spam = await send("cheap");
  assert.ok(spam.status < 300);
  assert.ok((await send("broken")).status < 300);
  const held = await send("unlucky");
  assert.equal(held.status, 503, held.text);
  const again = await send("unlucky");
  assert.ok(again.status < 300, again.text);
  const names = await titles("orders");
  assert.deepEqual(names.sort(), ["Ada", "broken", "unlucky"]);
});

test("FORM-5 of the same sendings at the same moment one is stored, also while guards judge them", async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => send("twin")));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [201]);
  assert.equal((await titles("orders")).filter((name) => name === "twin").length, 1);
  const { body } = await server.request("GET", "/api/site-forms/orders/contact/rejected");
  const reasons = body.data.filter(({ values }: { values: { name: string } }) => values.name === "twin");
  assert.deepEqual(
    reasons.map(({ reason }: { reason: string }) => reason),
    Array(4).fill("repeated"),
  );
});
