// Runs that events cause. They are queued in the transaction of the write itself, so that none is lost and a rolled back
// write causes none. An automation cannot trigger itself, and a chain of several has a limit.

import type { App } from "#context.ts";
import { automationEvents } from "#contract/jobs.ts";
import type { JsonObject } from "#contract/json.ts";
import type { CairnEvent, Cause } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import { deleteJobsOf } from "#storage/tables/jobs.ts";
import { type Automation, automationsCollection, listAutomationsIn, type Trigger } from "./load-automations.ts";
import { queueRun, runKind } from "./runs.ts";

export const eventNames: readonly CairnEvent["type"][] = automationEvents;

/** Longest chain of automations that trigger each other. */
const maxDepth = 5;

export function reactToEvents(app: App): void {
  const react = (tx: Tx, happened: Happened) => {
    const { event } = happened;
    // A new automation of the same id starts without runs.
    if (event.type === "object.deleted" && event.collection === automationsCollection)
      return deleteJobsOf(tx, runKind, event.id);
    const automations = listAutomationsIn(app, tx);
    if (automations instanceof Promise) return automations.then((found) => queueAll(app, tx, found, happened));
    return queueAll(app, tx, automations, happened);
  };
  app.reactions.add((tx, event, cause) => react(tx, { event, cause }));
}

interface Happened {
  event: CairnEvent;
  cause: Cause | undefined;
}

function queueAll(
  app: App,
  tx: Tx,
  automations: ReadonlyMap<string, Automation>,
  happened: Happened,
): Promise<void> | undefined {
  let queued: Promise<void> | undefined;
  for (const automation of automations.values()) {
    const trigger = automation.isEnabled ? automation.triggers.find((row) => fires(row, happened.event)) : undefined;
    if (!trigger || automation.id === happened.cause?.automation) continue;
    const depth = (happened.cause?.depth ?? -1) + 1;
    if (depth >= maxDepth) {
      app.log.warn(
        { automation: automation.id, event: happened.event.type },
        "a chain of automations reached its limit",
      );
      continue;
    }
    const input = { trigger, args: {}, event: presentEvent(happened.event), request: null, depth };
    const queue = () => queueRun(tx, automation.id, input).then(() => {});
    queued = queued ? queued.then(queue) : queue();
  }
  return queued;
}

function fires(trigger: Trigger, event: CairnEvent): boolean {
  if (trigger.type !== "event" || trigger.event !== event.type) return false;
  const wanted = typeof trigger.collection === "string" ? trigger.collection.trim() : "";
  return wanted === "" || ("collection" in event && event.collection === wanted);
}

function presentEvent(event: CairnEvent): JsonObject {
  const { type, ...rest } = event;
  return { name: type, ...rest };
}
