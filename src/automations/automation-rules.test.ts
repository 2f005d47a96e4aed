import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { getCollection } from "#content/collections/collection-cache.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { createObject, getObject, patchObject } from "#content/objects/objects.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { applyDefinition } from "#sync/apply-definition.ts";
import { emptyDefinition } from "#sync/definition.ts";
import { importObjects } from "#transfer/import.ts";
import { automationRules } from "./automation-rules.ts";

let ctx: Context;
let close: () => Promise<void>;
before(async () => {
  ({ ctx, close } = await openTestContext());
  ctx.rules.add("automations", automationRules);
});
after(() => close());

async function switchedOff(id: string): Promise<void> {
  await createObject(ctx, "automations", { id, handler: "export default () => 1" });
  const collection = await getCollection(ctx, "automations");
  const notes = { enabled: false, autoDisabled: true, consecutiveFailures: 5 };
  const change = (current: JsonObject) => ({ input: { ...current, ...notes }, isOwn: true as const });
  await changeObject(ctx, { collection, id }, { sent: {}, change });
}

const enable: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  patch: (id) => patchObject(ctx, "automations", id, { body: { enabled: true } }),
  import: (id) => importObjects(ctx, "automations", rows({ id, enabled: true, autoDisabled: true }), { update: true }),
  async sync(id) {
    const { enabled: _, ...data } = JSON.parse((await getObject(ctx, "automations", id)).text) as JsonObject;
    const item = { id, collection: "automations", data: { ...data, enabled: true } };
    return applyDefinition(ctx, { ...emptyDefinition("enabled"), objects: [item] }, "upsert");
  },
};

async function* rows(...objects: JsonObject[]): AsyncIterable<JsonObject> {
  yield* objects;
}

for (const [door, turnOn] of Object.entries(enable)) {
  test(`ATM-30 an automation that was switched off starts clean when it is enabled: ${door}`, async () => {
    await switchedOff(door);
    await turnOn(door);
    const { enabled, autoDisabled, consecutiveFailures } = JSON.parse((await getObject(ctx, "automations", door)).text);
    assert.deepEqual([enabled, autoDisabled, consecutiveFailures], [true, false, 0]);
  });
}
