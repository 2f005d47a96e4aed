// From the raw values of metadata tags to the stored ones. Invalid values become undefined.

const maxText = 2_000;
const maxKeyword = 100;
const maxKeywords = 200;

/** Without control characters and outer spaces, and of a bounded length. */
export function cleanText(value: unknown, maxLength = maxText): string {
  if (typeof value !== "string") return "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
  const clean = value.slice(0, 4 * maxLength).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]+/g, "");
  return clean.trim().slice(0, maxLength).toWellFormed();
}

/** Trimmed, each once, in order. */
export function cleanList(values: unknown[]): string[] {
  const texts = values.slice(0, 10 * maxKeywords).map((value) => cleanText(value, maxKeyword));
  return [...new Set(texts.filter(Boolean))].sort().slice(0, maxKeywords);
}

/** A number, or a fraction as numerator and denominator. */
function toNumber(value: unknown): number | undefined {
  const [over, under = 1] = Array.isArray(value) ? value.flat() : [value];
  const number = typeof over === "number" && typeof under === "number" && Array.isArray(value) ? over / under : over;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A number above 0 with at most two decimals. */
export function decimal(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && number > 0 && number < 1e9 ? Math.round(number * 100) / 100 : undefined;
}

/** `1/125`, and `2` for two seconds. */
export function shutterSpeed(value: unknown): string | undefined {
  const seconds = toNumber(value);
  if (seconds === undefined || seconds <= 0 || seconds > 1e6 || seconds < 1e-6) return undefined;
  return seconds >= 0.5 ? String(Math.round(seconds * 10) / 10) : `1/${Math.round(1 / seconds)}`;
}

export function degrees(value: unknown, limit: number): string | undefined {
  if (typeof value !== "number" || !(Math.abs(value) <= limit)) return undefined;
  return String(Math.round(value * 1e6) / 1e6);
}

/** `2026:05:01 12:30:00` as ISO 8601, with the offset when the file has one. */
export function tagDate(value: unknown, offset?: unknown): string {
  const text = cleanText(Array.isArray(value) ? value[0] : value, 40);
  const [, day, time] = /^(\d{4}[:-]\d\d[:-]\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text) ?? [];
  if (!day || !time) return "";
  const date = `${day.replaceAll(":", "-")}T${time}`;
  if (Number.isNaN(Date.parse(`${date}Z`))) return "";
  const zone = cleanText(Array.isArray(offset) ? offset[0] : offset, 10);
  return /^[+-]\d\d:\d\d$/.test(zone) ? date + zone : date;
}
