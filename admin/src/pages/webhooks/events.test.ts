import assert from "node:assert/strict";
import { test } from "node:test";
import { coveredBy, isEverything } from "./events.ts";

test("ADM-756 patterns of events tick what they cover", () => {
  assert.deepEqual(coveredBy(["schema.*", "object.deleted"]), ["object.deleted", "schema.saved", "schema.deleted"]);
  assert.equal(coveredBy(["*"]).length, 12);
  assert.deepEqual(coveredBy([]), []);
  assert.ok(isEverything(["*"]) && !isEverything(["object.*"]));
});
