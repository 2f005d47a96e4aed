// Parts of generator rules: texts, dates, and arguments that are validated before they are used.
// An invalid argument is a BadArgument, which is reported to the author of the rule.

import type { Faker } from "@faker-js/faker";
import type { Json } from "#contract/json.ts";

export type Argument = string | number | boolean;

export class BadArgument extends Error {}

/** Stands for files, which are never generated. */
export const media = Symbol("media");
export type Made = Json | typeof media;

export function count(value: Argument | undefined, fallback: number, most: number): number {
  const number = value ?? fallback;
  if (typeof number !== "number" || !Number.isInteger(number) || number < 0 || number > most) {
    throw new BadArgument(`takes whole numbers from 0 to ${most}`);
  }
  return number;
}

export function number(value: Argument | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given !== "number" || Math.abs(given) > 1e12) throw new BadArgument("takes numbers");
  return given;
}

export const lorem = {
  paragraphs: (faker: Faker, paragraphs: number): string =>
    Array.from({ length: paragraphs }, () => faker.lorem.paragraph()).join("\n\n"),

  text(faker: Faker, length: number): string {
    let text = "";
    for (;;) {
      const next = faker.lorem.sentence();
      if (text.length + next.length + 1 > length) return text === "" ? next.slice(0, length) : text;
      text += text === "" ? next : ` ${next}`;
    }
  },

  /** Words that differ, or some of the choices. */
  tags(faker: Faker, [least, most]: [number, number], choices: readonly Argument[]): string[] {
    const wanted = faker.number.int({ min: Math.min(least, most), max: Math.max(least, most) });
    if (choices.length > 0) return faker.helpers.shuffle([...new Set(choices.map(String))]).slice(0, wanted);
    const words = new Set<string>();
    for (let tries = 0; words.size < wanted && tries < wanted * 10; tries += 1) words.add(faker.lorem.word());
    return [...words];
  },
};

/** HTML of some blocks. */
export function styledText(
  faker: Faker,
  [least, most]: [number, number],
  { lists, headings }: { lists: boolean; headings: boolean },
): string {
  const blocks = faker.number.int({ min: Math.min(least, most), max: Math.max(least, most) });
  return Array.from({ length: blocks }, (_, at) => {
    if (lists && at % 3 === 2) {
      return `<ul>${Array.from({ length: 3 }, () => `<li>${faker.lorem.sentence()}</li>`).join("")}</ul>`;
    }
    const heading = headings && at > 0 && at % 2 === 0 ? `<h2>${faker.lorem.words(3)}</h2>` : "";
    return `${heading}<p>${faker.lorem.paragraph()}</p>`;
  }).join("");
}

const day = 86_400_000;
const units: Record<string, number> = {
  second: 1_000,
  sec: 1_000,
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
  fortnight: 14 * day,
};

export const dates = {
  past: (faker: Faker, now: Date): Date => faker.date.between({ from: new Date(now.getTime() - 730 * day), to: now }),

  between(faker: Faker, now: Date, from: Argument, to: Argument): string {
    const [a, b] = [readDate(String(from), now), readDate(String(to), now)];
    return faker.date.between(a <= b ? { from: a, to: b } : { from: b, to: a }).toISOString();
  },

  /** The letters Y m d H i s are replaced by parts of the date; any other is literal. */
  format(date: Date, format: string): string {
    const [, year, month, dayOfMonth, hour, minute, second] =
      /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(date.toISOString()) ?? [];
    const parts: Record<string, string | undefined> = {
      Y: year,
      m: month,
      d: dayOfMonth,
      H: hour,
      i: minute,
      s: second,
    };
    return format.replace(/[YmdHis]/g, (letter) => parts[letter] ?? letter);
  },
};

/** `now`, `today`, `-1 year`, `+2 weeks`, or a date. */
export function readDate(text: string, now: Date): Date {
  const words = text.trim().toLowerCase();
  const today = new Date(now.toISOString().slice(0, 10));
  if (words === "now" || words === "") return now;
  if (words === "today" || words === "midnight") return today;
  if (words === "yesterday") return new Date(today.getTime() - day);
  if (words === "tomorrow") return new Date(today.getTime() + day);
  const [, sign, amount = "", unit = ""] = /^([+-]?)\s*(\d{1,6})\s*([a-z]+?)s?(?:\s+ago)?$/.exec(words) ?? [];
  const steps = Number(amount) * (sign === "-" || words.endsWith("ago") ? -1 : 1);
  const moved = new Date(now);
  if (unit === "year") moved.setUTCFullYear(now.getUTCFullYear() + steps);
  else if (unit === "month") moved.setUTCMonth(now.getUTCMonth() + steps);
  else if (Object.hasOwn(units, unit)) moved.setTime(now.getTime() + steps * (units[unit] as number));
  else return checked(new Date(/^\d{4}-\d\d-\d\d/.test(words) ? text.trim() : Number.NaN));
  return checked(moved);
}

function checked(date: Date): Date {
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999)
    throw new BadArgument("takes dates such as 2030-01-31, now or -1 year");
  return date;
}
