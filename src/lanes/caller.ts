// In whose name the database is asked. Lanes, budgets and turns distinguish callers by it.

/** The caller decides the place in the queue and how long an answer may take. */
export interface Caller {
  /** A key, a user, a grant or a network address. */
  readonly name: string;
  /** Callers without one have less time. */
  readonly hasCredential: boolean;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** For work of the service itself. */
export const service: Caller = { name: "service", hasCredential: true };

/** For one answer of several long reads, which must not be refused in its middle: it waits for each as long as it takes. */
export const longAnswer: Caller = { ...service };
