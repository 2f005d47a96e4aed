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

let minute = " ";
let minuteBegan = 0;
const zeros = 48 * 11_111;

/** Of a time as `iso` writes it. The start of its minute is kept, because parsing costs most. */
export function millisecondsOf(text: string): number {
  if (text.length !== 24 || text[23] !== "Z") return Date.parse(text);
  if (!text.startsWith(minute)) {
    minute = text.slice(0, 17);
    minuteBegan = Date.parse(`${minute}00.000Z`);
  }
  const digit = (at: number) => text.charCodeAt(at);
  return minuteBegan + 10_000 * digit(17) + 1_000 * digit(18) + 100 * digit(20) + 10 * digit(21) + digit(22) - zeros;
}
