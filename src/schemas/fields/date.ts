// Points in time, stored as `YYYY-MM-DDTHH:MM:SS.sssZ`. An empty text is an empty date.

import type { Json } from "#contract/json.ts";
import { maxFormed } from "#schemas/bounds.ts";
import type { FieldKind } from "#schemas/types.ts";
import { report } from "./report.ts";

export const dateKind: FieldKind = {
  type: "date",
  comparison: "date",
  isIndexable: true,
  rules: "own-form",
  isEmpty: (value) => value === "",
  isShaped: () => false,
  coerce(value, field) {
    if (value === "") return "";
    return parseDate(value, field.write.now) ?? report(field, "must be a date");
  },
};

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const relative = /^([+-])\s*(\d{1,5})\s*(second|minute|hour|day|week|month|year)s?$/i;
const milliseconds = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const namedDays: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
/** Year 1 to year 9999: outside, the text would have a different length. */
const earliest = Date.parse("0001-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** ISO dates and date-times (UTC when no zone is named), epoch milliseconds, "now", "tomorrow", "+1 week". */
export function parseDate(value: Json, now: string): string | undefined {
  const isText = typeof value === "string" && value.length <= maxFormed;
  const time = typeof value === "number" ? value : isText ? readTime(value.trim(), now) : Number.NaN;
  return time >= earliest && time <= latest ? new Date(time).toISOString() : undefined;
}

function readTime(text: string, now: string): number {
  const word = text.toLowerCase();
  if (word === "now") return Date.parse(now);
  const days = namedDays[word];
  if (days !== undefined) return Date.parse(`${now.slice(0, 10)}T00:00:00.000Z`) + days * milliseconds.day;
  const parts = iso.exec(text);
  if (parts) return readIso(parts);
  const step = relative.exec(text);
  return step ? readRelative(step, now) : Number.NaN;
}

function readIso([
  ,
  year,
  month,
  day,
  hour = "00",
  minute = "00",
  second = "00",
  fraction = "",
  zone = "Z",
]: string[]): number {
  // 31 February would otherwise become a day in March.
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (date.getUTCDate() !== Number(day)) return Number.NaN;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  return Date.parse(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}${offset}`,
  );
}

function readRelative([, sign, amount, unit = ""]: string[], now: string): number {
  const count = Number(amount) * (sign === "-" ? -1 : 1);
  const name = unit.toLowerCase();
  if (name !== "month" && name !== "year") return Date.parse(now) + count * milliseconds[name as "day"];
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (name === "year" ? 12 : 1));
  // A month after 31 January is the last day of February.
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
