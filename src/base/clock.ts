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
  /** Many are asked for in one millisecond, and writing one out costs more than the rest. */
  iso() {
    const now = Date.now();
    if (now !== last) {
      last = now;
      lastText = new Date(now).toISOString();
    }
    return lastText;
  },
};
