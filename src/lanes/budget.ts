// The time that statements of one caller may take in a minute, in queries and long reads together.

import { rateLimited } from "#base/errors.ts";
import { type Caller, service } from "./caller.ts";

const windowMs = 60_000;

export interface BudgetLimits {
  /** For each credential; 0: no limit. */
  budgetMs: number;
  /** For each address without a credential; 0: no limit. */
  publicBudgetMs: number;
}

export interface Budget {
  /** Throws `rate-limited` when the caller has used up its budget. */
  check(caller: Caller): void;
  spend(caller: Caller, ms: number): void;
  /** How often it has thrown. */
  refused(): number;
}

export function createBudget(limits: () => BudgetLimits): Budget {
  let spent = new Map<string, number>();
  let windowEnd = 0;
  let refused = 0;
  function turn(): void {
    const now = performance.now();
    if (now < windowEnd) return;
    windowEnd = now + windowMs;
    if (spent.size > 0) spent = new Map();
  }
  function limitOf({ name, hasCredential }: Caller): number {
    if (name === service.name) return 0;
    const { budgetMs, publicBudgetMs } = limits();
    return hasCredential ? budgetMs : publicBudgetMs;
  }
  return {
    check(caller) {
      const limit = limitOf(caller);
      if (limit === 0) return;
      turn();
      if ((spent.get(caller.name) ?? 0) < limit) return;
      refused += 1;
      throw rateLimited(Math.max(1, windowEnd - performance.now()), advice(caller));
    },
    spend(caller, ms) {
      if (limitOf(caller) === 0) return;
      turn();
      spent.set(caller.name, (spent.get(caller.name) ?? 0) + ms);
    },
    refused: () => refused,
  };
}

function advice({ hasCredential }: Caller): string {
  return hasCredential
    ? "This credential has used up its query time. Wait, and filter and sort by indexed properties."
    : "This address has used up its query time. Wait, or send a credential.";
}
