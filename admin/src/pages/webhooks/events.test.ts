import assert from "node:assert/strict";
import { test } from "node:test";
import { webhookEvents } from "@contract/webhooks.ts";
import { coveredBy, isEverything } from "./events.ts";

test("ADM-756 patterns of events tick what they cover", () => {
  assert.deepEqual(coveredBy(["schema.*", "object.deleted"]), ["object.deleted", "schema.saved", "schema.deleted"]);
  assert.equal(coveredBy(["*"]).length, webhookEvents.length);
  assert.deepEqual(coveredBy([]), []);
  assert.ok(isEverything(["*"]) && !isEverything(["object.*"]));
});
