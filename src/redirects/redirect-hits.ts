// How often redirects answer: counted in memory, written in the background.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { note } from "#storage/notes.ts";
import type { Storage } from "#storage/port.ts";
import { addRedirectHits } from "#storage/tables/site/redirects.ts";
import { createTally, type Tally } from "#storage/tally.ts";

type Parts = Pick<App, "storage" | "log" | "clock">;

interface Hits {
  id: string;
  count: number;
  last: string;
}

const stateOf = perInstance((_storage: Storage): { tally?: Tally<Hits> } => ({}));

export function countHit({ storage, log, clock }: Parts, id: string): void {
  if (storage.isReadOnly) return;
  const state = stateOf(storage);
  state.tally ??= createTally({
    write: (hits) => note(storage, (tx) => addRedirectHits(tx, hits)),
    what: "uses of redirects",
    log,
  });
  state.tally.count(id, (known) => ({ id, count: (known?.count ?? 0) + 1, last: clock.iso() }));
}

/** Writes what has been counted; also called before lists, and when the app closes. */
export async function flushHits({ storage }: Pick<App, "storage">): Promise<void> {
  await stateOf(storage).tally?.flush();
}
