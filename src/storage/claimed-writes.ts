// The first write of a request with an Idempotency-Key marks its claim in the same transaction. So after a crash the claim
// tells whether the request was carried out, and two requests never carry out the same one.

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

const running = new AsyncLocalStorage<RunningClaim>();

/** Writes that begin in `work` belong to the claim. */
export function runClaimed(claim: RunningClaim, work: () => void): void {
  running.run(claim, work);
}

export function markClaims(storage: Storage): Storage {
  const { write } = storage;
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
  return Object.assign(storage, { write: marked });
}
