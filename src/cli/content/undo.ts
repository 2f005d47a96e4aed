// undo: shows what an undo would do, and with --apply does it.

import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import type { Context } from "#context.ts";
import { type UndoPreview, type UndoResult, undoMarks } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { getJob } from "#installation/jobs.ts";
import { undo } from "#review/undo.ts";

type Options = { [mark in (typeof undoMarks)[number]]?: string } & {
  since?: string;
  until?: string;
  collections?: string;
  force?: string;
  apply?: boolean;
};

/** How often a job that a server runs is looked at. */
const lookMs = 250;

export async function run(call: Call, options: Options): Promise<void> {
  const body = bodyOf(options);
  const { preview, result } = await call.work(async (ctx) => {
    const found = (await undo(ctx, body)) as UndoPreview;
    if (!options.apply) return { preview: found, result: undefined };
    return { preview: found, result: await apply(ctx, { ...body, apply: found.plan, ...forceOf(options) }) };
  });
  if (call.isJson) return call.out.json((result ?? preview) as unknown as Json);
  if (!result) return showPreview(call, preview);
  const { reverted, deleted, restored, failed, writer } = result;
  await call.out.line(`${reverted} objects are as before, ${deleted} are deleted, ${restored} are back.`);
  for (const { collection, id, message } of failed) await call.out.line(`${collection}/${id}: ${message}`);
  await call.out.line(`cairn undo --writer ${writer} takes this back.`);
}

function bodyOf(options: Options): JsonObject {
  const given = undoMarks.filter((mark) => options[mark] !== undefined);
  const [mark] = given;
  if (mark === undefined || given.length > 1)
    throw new UsageError(`Say whose writes, by one of ${undoMarks.map((name) => `--${name}`).join(", ")}.`);
  const { since, until, collections } = options;
  return {
    by: { [mark]: options[mark] as string },
    limit: 100,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(collections !== undefined && { collections: collections.split(",") }),
  };
}

function forceOf({ force }: Options): JsonObject {
  return force === undefined ? {} : { force: force.split(",") };
}

/** Here, or in a server that takes the job first. */
async function apply(ctx: Context, body: JsonObject): Promise<UndoResult> {
  const { job } = (await undo(ctx, body)) as { job: string };
  for (;;) {
    await ctx.jobs.tick();
    const { status, result, error } = await getJob(ctx, job);
    if (status === "succeeded") return result as unknown as UndoResult;
    if (status === "failed") throw new Error(error ?? "The undo failed.");
    await sleep(lookMs);
  }
}

async function showPreview(call: Call, { summary, items }: UndoPreview): Promise<void> {
  await call.out.table(
    ["OBJECT", "ACTION", "CONFLICT", "PROPERTIES"],
    items.map(({ collection, id, action, conflict, properties }) => [
      `${collection}/${id}`,
      action,
      conflict ?? "",
      properties.map(({ name, status }) => (status === "clean" ? name : `${name} (${status})`)).join(", "),
    ]),
  );
  const { objects, reverted, deleted, restored, conflicts } = summary;
  await call.out.line(
    `${objects} objects: ${reverted} to revert, ${deleted} to delete, ${restored} to restore, ${conflicts} conflicts.`,
  );
  await call.out.line("Nothing has changed. --apply does it.");
}
