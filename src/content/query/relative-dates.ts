// Dates relative to now: `now`, `now-7d`, `now+1M`. Pure: the caller says what time it is.

const form = /^\s*now(?:\s*([+\- ])\s*(\d{1,5})([smhdwMy]))?\s*$/;
const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

export function isRelativeDate(text: string): boolean {
  return form.test(text);
}

/** An ISO time; undefined: it is no relative date. In an address a plus is a space. */
export function parseRelativeDate(text: string, now: Date): string | undefined {
  const found = form.exec(text);
  if (!found) return undefined;
  const [, sign, digits = "0", unit = "s"] = found;
  const amount = (sign === "-" ? -1 : 1) * Number(digits);
  const length = seconds[unit];
  const date =
    length === undefined ? addMonths(now, unit === "y" ? 12 * amount : amount) : addSeconds(now, amount * length);
  const isKnown = date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9_999;
  return isKnown ? date.toISOString() : undefined;
}

function addSeconds(now: Date, amount: number): Date {
  return new Date(now.getTime() + amount * 1_000);
}

/** The same day of another month, or its last day. */
function addMonths(now: Date, amount: number): Date {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + amount);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date;
}
