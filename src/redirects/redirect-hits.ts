// How often redirects answer: counted in memory, written in the background. What a crash takes is the count of the last seconds.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { Storage } from "#storage/port.ts";
import { addRedirectHits } from "#storage/tables/site/redirects.ts";

type Parts = Pick<App, "storage" | "log" | "clock">;

const flushAfterMs = 5_000;
/** In one transaction, so that other writers wait no longer than for a write of their own. */
const flushedAtOnce = 200;

interface Counts {
  pending: Map<string, { id: string; count: number; last: string }>;
  timer: NodeJS.Timeout | undefined;
  flushing: Promise<void>;
}

const stateOf = perInstance(
  (_storage: Storage): Counts => ({ pending: new Map(), timer: undefined, flushing: Promise.resolve() }),
);

export function countHit(app: Parts, id: string): void {
  if (app.storage.isReadOnly) return;
  const state = stateOf(app.storage);
  const last = app.clock.iso();
  const known = state.pending.get(id);
  if (known) Object.assign(known, { count: known.count + 1, last });
  else state.pending.set(id, { id, count: 1, last });
  state.timer ??= setTimeout(() => {
    flushHits(app).catch((error) => app.log.warn({ err: error }, "uses of redirects could not be counted"));
  }, flushAfterMs).unref();
}

/** Writes what has been counted; also called before lists, and when the app closes. */
export function flushHits({ storage }: Pick<App, "storage">): Promise<void> {
  const state = stateOf(storage);
  clearTimeout(state.timer);
  state.timer = undefined;
  state.flushing = state.flushing.catch(() => {}).then(() => flush(storage, state.pending));
  return state.flushing;
}

async function flush(storage: Storage, pending: Counts["pending"]): Promise<void> {
  // In one order, so that processes do not wait for each other in a circle.
  const counts = [...pending.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  pending.clear();
  for (let at = 0; at < counts.length; at += flushedAtOnce) {
    await storage.write((tx) => addRedirectHits(tx, counts.slice(at, at + flushedAtOnce)));
  }
}
