// The time, as a part that tests can replace.

export interface Clock {
  now(): number;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  iso(): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  iso: () => new Date().toISOString(),
};
