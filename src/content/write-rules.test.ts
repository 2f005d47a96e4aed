import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaOf } from "#schemas/build.fixture.ts";
import type { Collection } from "./collections/collection.ts";
import { fillSettings } from "./collections/collection-settings.ts";
import type { Change } from "./objects/change.ts";
import { createRules, dropServiceProperties, limitChange, localServiceProperties, takeAsides } from "./write-rules.ts";

const rules = createRules();
rules.add("people", { asides: ["proof"], serviceProperties: { names: ["logins"], areLocal: false } });
rules.add("robots", { serviceProperties: { names: ["failures"], areLocal: true } });
const app = { rules };

function limit(collection: string, change: Change, isTrusted = false): Change {
  const opened: Collection = {
    id: collection,
    settings: fillSettings({ id: collection, schema: "s" }),
    schema: schemaOf({ name: { type: "string" } }),
    isVirtual: false,
  };
  return limitChange({ ctx: app, collection: opened, isTrusted, rules: [] }, change, { logins: 3, failures: 4 });
}

test("OBJ-21 what is sent for service properties is dropped from new objects and kept as stored in changes", () => {
  assert.deepEqual(dropServiceProperties(app, "people", { name: "a", logins: 9 }, false), { name: "a" });
  const { input, changed } = limit("people", { input: { name: "a", logins: 9 }, changed: new Set(["name", "logins"]) });
  assert.deepEqual([input, [...(changed ?? [])]], [{ name: "a", logins: 3 }, ["name"]]);
  assert.deepEqual(limit("robots", { input: { name: "a" } }).input, { name: "a", failures: 4 });
});

test("OBJ-21 the service itself writes them, and in plain collections they are properties like any other", () => {
  assert.deepEqual(limit("robots", { input: { failures: 0 }, isOwn: true }).input, { failures: 0 });
  assert.deepEqual(limit("plain", { input: { failures: 0, logins: 0 } }).input, { failures: 0, logins: 0 });
  assert.deepEqual(takeAsides(app, "plain", { proof: "x" }), { body: { proof: "x" } });
});

test("OBJ-21 a trusted import brings along what belongs to the person, never what was noted about work elsewhere", () => {
  assert.deepEqual(dropServiceProperties(app, "people", { logins: 9 }, true), { logins: 9 });
  assert.deepEqual(dropServiceProperties(app, "robots", { failures: 9 }, true), {});
  assert.deepEqual(limit("people", { input: { logins: 9 } }, true).input, { logins: 9 });
  assert.deepEqual([localServiceProperties(app, "people"), localServiceProperties(app, "robots")], [[], ["failures"]]);
});

test("PROT-14 a rule for all collections holds before and beside the rules of one collection", () => {
  const all = createRules();
  const [one, general] = [{ asides: ["one"] }, { asides: ["all"] }];
  all.add("late", one);
  all.addToAll(general);
  all.add("early", one);
  assert.deepEqual(all.of("plain"), [general]);
  assert.deepEqual(
    [new Set(all.of("late")), new Set(all.of("early"))],
    [new Set([one, general]), new Set([one, general])],
  );
});
