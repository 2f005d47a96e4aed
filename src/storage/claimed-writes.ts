// The first write of a request with an Idempotency-Key marks its claim in the same transaction. So after a crash the claim
// tells whether the request was carried out, and two requests never carry out the same one. Writes that only prepare or
// guard the work (leases, counters, writers) are made by `unclaimed`: they mark nothing.

import { AsyncLocalStorage } from "node:async_hooks";
import { CairnError } from "#base/errors.ts";
import type { Storage } from "./port.ts";
import { type Claim, markClaimWritten } from "./tables/caches/request-claims.ts";

export interface RunningClaim extends Claim {
  /** How long the mark stays, in milliseconds since 1970. */
  keptUntil: number;
  isWritten: boolean;
  /** The request was answered: what it began in the background is no part of it. */
  isOver: boolean;
}

const running = new AsyncLocalStorage<RunningClaim | undefined>();

/** Writes that begin in `work` belong to the claim. */
export function runClaimed(claim: RunningClaim, work: () => void): void {
  running.run(claim, work);
}

/** Writes that begin in `work` are not what the request asks for: after a crash it may be carried out all the same. */
export function unclaimed<T>(work: () => T): T {
  return running.run(undefined, work);
}

/** Whether what is written now belongs to a claim. */
export function isClaimed(): boolean {
  return running.getStore() !== undefined;
}

export function markClaims(storage: Storage): Storage {
  const { write, watch } = storage;
  const marked: Storage["write"] = async (work) => {
    const claim = running.getStore();
    if (claim === undefined || claim.isOver || claim.isWritten) return write(work);
    const value = await write(async (tx) => {
      const made = await work(tx);
      if (!(await markClaimWritten(tx, claim, claim.keptUntil)))
        throw new CairnError(
          "conflict",
          "The request took too long, and another one with its Idempotency-Key has begun.",
        );
      return made;
    });
    claim.isWritten = true;
    return value;
  };
  return Object.assign(storage, {
    write: marked,
    // A commit calls the listeners, and it may be the commit of any request.
    watch: (...[scope, listener]: Parameters<typeof watch>) => watch(scope, () => unclaimed(listener)),
  });
}
