import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import type { Json } from "#contract/json.ts";
import { checkWebhook, isSubscribed, toWebhookEvent, type WebhookEvent } from "./rules.ts";

const url = "https://example.test/hook";

function detailsOf(body: Json): string[] {
  try {
    checkWebhook(body);
    return [];
  } catch (error) {
    return error instanceof CairnError ? Object.keys(error.details ?? {}).sort() : assert.fail();
  }
}

test("WHK-1 a webhook is validated, and invalid properties are named", () => {
  assert.deepEqual(checkWebhook({ url }), { name: "", url, events: ["*"], collections: [], active: true });
  const bad = { name: 1, url: "ftp://x", events: ["object.created", "nope"], collections: "news", active: "yes" };
  assert.deepEqual(detailsOf(bad), ["active", "collections", "events", "name", "url"]);
  for (const wrong of [
    "",
    "nonsense",
    "http://user:pw@example.test/",
    "javascript:1",
    `https://x/${"a".repeat(2_000)}`,
  ])
    assert.deepEqual(detailsOf({ url: wrong }), ["url"], wrong);
  assert.deepEqual(detailsOf({ url, events: [] }), ["events"]);
  const current = checkWebhook({ url, events: ["schema.*"] });
  assert.deepEqual(checkWebhook({ active: false }, current), { ...current, active: false });
});

test("WHK-2 WHK-14 a webhook gets the events that it subscribed to", () => {
  const hook = checkWebhook({ url, events: ["object.*", "import.completed"], collections: ["news"] });
  const told = (type: string, collection?: string): WebhookEvent => ({ type, data: {}, collection });
  assert.ok(isSubscribed(hook, told("object.deleted", "news")));
  assert.ok(isSubscribed(hook, told("import.completed", "news")));
  for (const other of [told("object.created", "blog"), told("schema.saved"), told("collection.created", "news")])
    assert.equal(isSubscribed(hook, other), false, other.type);
  assert.equal(isSubscribed({ ...hook, active: false }, told("object.deleted", "news")), false);
  assert.ok(isSubscribed(checkWebhook({ url }), told("schema.saved")));
  assert.equal(isSubscribed(checkWebhook({ url }), told("object.updated", "automations")), false);
  assert.ok(isSubscribed(checkWebhook({ url, collections: ["automations"] }), told("object.updated", "automations")));
});

test("WHK-4 events of users have the id alone", () => {
  assert.deepEqual(toWebhookEvent({ type: "object.updated", collection: "auth", id: "ada" }), {
    type: "user.updated",
    data: { id: "ada" },
  });
  assert.equal(toWebhookEvent({ type: "import.created", collection: "news", id: "a" }), undefined);
  assert.equal(toWebhookEvent({ type: "schema.saved", schema: "blog" })?.data.schema, "blog");
});
