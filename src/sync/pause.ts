// Long work in one process lets others pass.

import { setImmediate as nextTurn } from "node:timers/promises";

/** How long others may have to wait for this one. */
const turnMs = 5;

/** To be awaited again and again: waits only when a turn has been used up. */
export function createPause(): () => Promise<void> | undefined {
  let turn = performance.now();
  return () => {
    if (performance.now() - turn < turnMs) return undefined;
    return nextTurn().then(() => {
      turn = performance.now();
    });
  };
}
