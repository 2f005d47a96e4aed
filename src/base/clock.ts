// The time, as a part that tests can replace.

export interface Clock {
  now(): number;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  iso(): string;
}

let last = 0;
let lastText = "";

export const systemClock: Clock = {
  now: () => Date.now(),
  /** Cached: many are requested in one millisecond, and formatting costs most. */
  iso() {
    const now = Date.now();
    if (now !== last) {
      last = now;
      lastText = new Date(now).toISOString();
    }
    return lastText;
  },
};
