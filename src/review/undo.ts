// Undo: what a grant, an application, a key, a user, an automation or an import wrote is taken back, with a preview of every
// conflict. The preview changes nothing; the plan that it names is then carried out by a job.

import { counterName } from "#access/counters.ts";
import { fail, rateLimited } from "#base/errors.ts";
import { confirmOrder } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { UndoPreview } from "#contract/history.ts";
import type { Json } from "#contract/json.ts";
import { withFreeLease } from "#jobs/leases.ts";
import { makePlan, showItems } from "./plan.ts";
import { enqueueUndo } from "./undo-job.ts";
import { readUndo, type UndoOrder } from "./undo-request.ts";

export type UndoAnswer = UndoPreview | { job: string };

/** Rights: whose writes, in undo-request.ts; each object, in plan-object.ts. */
export async function undo(ctx: Context, sent: Json): Promise<UndoAnswer> {
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const order = readUndo(ctx, sent);
  const name = counterName("undo-plan", ctx.caller.name);
  return withFreeLease(
    ctx,
    Array.from({ length: plansAtOnce }, (_, number) => `${name}:${number}`),
    {
      work: () => answer(ctx, order),
      refuse() {
        throw rateLimited(waitMs, "Other undos of yours are being planned. Try again in a moment.");
      },
    },
  );
}

/** Of one caller, in all processes together: each plan may look through 50,000 changes. */
const plansAtOnce = 2;
const waitMs = 2_000;

async function answer(ctx: Context, order: UndoOrder): Promise<UndoAnswer> {
  const plan = await makePlan(ctx, order);
  if (order.apply === undefined)
    return { plan: plan.name, summary: plan.summary, items: await showItems(ctx, plan, order) };
  if (order.apply !== plan.name)
    fail("precondition-failed", "The content has changed since the preview. Look at the new plan first.", {
      plan: [plan.name],
    });
  for (const collection of new Set(plan.objects.map((object) => object.collection)))
    await confirmOrder(ctx, collection, "anything");
  return { job: await enqueueUndo(ctx, plan, order.force) };
}
