// The tool that takes back what the caller itself wrote: a preview first, then its plan. It shows no values.

import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { historyMode } from "#content/history/mode.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { defineTool } from "#mcp/define-tool.ts";
import { input, limitArg, list, offsetArg, output, text, whole } from "#mcp/reading/json-schemas.ts";
import type { Tool } from "#mcp/tool.ts";
import { undo } from "#review/undo.ts";

/** Whose writes are the caller's own; undefined: the caller has none. */
function ownMark({ actor }: Pick<Context, "actor">): JsonObject | undefined {
  if (actor.kind === "token") return { grant: actor.grantId };
  return actor.kind === "key" ? { key: actor.id } : undefined;
}

/** Where the caller may change a collection that keeps old values. */
async function canWork(ctx: Context): Promise<boolean> {
  if (!ownMark(ctx)) return false;
  return (await listOpenCollections(ctx, "update")).some((collection) => historyMode(ctx, collection) === "full");
}

const undoTool = defineTool({
  name: "undo_my_changes",
  title: "Undo my own changes",
  description:
    "Takes back what this application wrote, and nothing that others wrote. Without `apply` it answers a preview and changes " +
    "nothing; with the plan of a preview in `apply` it starts the undo.",
  input: input({
    since: text("Only changes from this time on: an ISO time, or a duration before now such as PT1H.", {
      maxLength: 100,
    }),
    collections: list(text("Id of a collection."), { maxItems: 100 }),
    apply: text("The plan of a preview.", { maxLength: 100 }),
    limit: limitArg,
    offset: offsetArg,
  }),
  output: output({
    plan: text("Names this plan, for apply."),
    summary: output({
      objects: whole("Objects that were changed."),
      reverted: whole("Objects whose properties go back."),
      deleted: whole("Objects that go."),
      restored: whole("Objects that come back."),
      superseded: whole("Properties that others changed later: they stay."),
      conflicts: whole("Objects that stay because of a conflict."),
      lost: whole("What is not kept any more."),
    }),
    items: list(
      output({
        collection: text("Where it is."),
        id: text("What it is."),
        action: text("revert, delete, restore or keep."),
        conflict: text("Why it stays."),
      }),
    ),
    job: text("The undo has started under this id."),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: "cms:write",
  isVisible: canWork,
  async run(ctx, args) {
    const answer = await undo(ctx, { limit: 20, ...args, by: ownMark(ctx) ?? {} });
    if ("job" in answer) return { structured: { job: answer.job } };
    const { plan, summary } = answer;
    const items = answer.items.map(({ collection, id, action, conflict }) => ({
      ...{ collection, id, action },
      ...(conflict && { conflict }),
    }));
    return { structured: { plan, summary: { ...summary }, items } };
  },
});

export const undoTools: readonly Tool[] = [undoTool];
