// What a save tells the rest of the process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestContext } from "#context.fixture.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import { deleteTemplate, replaceTemplate } from "./templates.ts";

test("TPL-31 a save and a deletion are events, a save that changes nothing is none", async () => {
  const { ctx, close } = await openTestContext();
  const seen: CairnEvent[] = [];
  ctx.reactions.add((_tx, event) => {
    if ("template" in event) seen.push(event);
    return undefined;
  });
  await replaceTemplate(ctx, "pages/a", { template: "one" });
  await replaceTemplate(ctx, "pages/a", { template: "one" });
  await replaceTemplate(ctx, "pages/a", { template: "two" });
  await deleteTemplate(ctx, "pages/a");
  await close();
  const saved = { type: "template.saved", template: "pages/a" };
  assert.deepEqual(seen, [saved, saved, { type: "template.deleted", template: "pages/a" }]);
});
