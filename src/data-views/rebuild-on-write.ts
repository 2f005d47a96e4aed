// Data views follow their dependencies: a write to a collection that a view depends on queues one rebuild in its own
// transaction, for any number of writes; a changed result does the same for the views that depend on it.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import type { Tx } from "#storage/port.ts";
import { deleteAllViewResults, deleteViewResult } from "#storage/tables/view-results.ts";
import { knownViews, type Views, viewsCollection } from "./load-views.ts";

export const buildKind = "view.build";
/** Writes within this time share one build. */
const gatherMs = 500;
/** Longest chain of views that depend on each other; a cycle stops at once. */
const maxTrail = 10;

export function reactToWrite(app: App, tx: Tx, event: CairnEvent): Promise<void> | undefined {
  if (!("collection" in event)) return undefined;
  const { type, collection } = event;
  if (collection === viewsCollection) {
    if (type === "object.deleted") return deleteViewResult(tx, event.id);
    if ("id" in event) queueBuild(app, tx, event.id);
    return type === "collection.deleted" ? deleteAllViewResults(tx) : undefined;
  }
  const known = knownViews.find(app);
  if (known && !isNeeded(known, collection)) return undefined;
  // An import has an event for each object: the first one is enough.
  const queued = queuedIn(tx);
  if (queued.has(collection)) return undefined;
  queued.add(collection);
  return queueDependents(app, tx, { name: collection });
}

/** Views that this transaction has queued rebuilds for. */
const queuedIn = perInstance((_tx: Tx) => new Set<string>());

/** `trail`: the views whose builds led here. */
export async function queueDependents(
  app: App,
  tx: Tx,
  { name, trail = [] }: { name: string; trail?: string[] },
): Promise<void> {
  if (trail.length > maxTrail) return;
  for (const { id, dependencies } of (await knownViews.loadIn(app, tx)).values())
    if (dependencies.includes(name) && !trail.includes(id)) queueBuild(app, tx, id, trail);
}

export function queueBuild({ clock }: App, tx: Tx, view: string, trail: string[] = []): void {
  const runAt = new Date(clock.now() + gatherMs).toISOString();
  const job = { kind: buildKind, key: view, subject: view, payload: { view, trail }, runAt };
  // Every write that a view depends on comes here, and waits for the first of them.
  tx.beforeCommit(`${buildKind} ${view}`, () => enqueue(tx, job));
}

function isNeeded(views: Views, name: string): boolean {
  for (const { dependencies } of views.values()) if (dependencies.includes(name)) return true;
  return false;
}
