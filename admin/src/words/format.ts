// Numbers, dates and lists as the chosen language writes them.

import { currentLanguage } from "./language.ts";

const made = new Map<string, unknown>();

/** Making a formatter is slow, so each is made once. */
function once<T>(name: string, make: (language: string) => T): T {
  const language = currentLanguage();
  const key = `${language} ${name}`;
  if (!made.has(key)) made.set(key, make(language));
  return made.get(key) as T;
}

export function formatNumber(value: number): string {
  return once("number", (language) => new Intl.NumberFormat(language)).format(value);
}

/** With its currency, which may be a code or any other sign. */
export function formatPrice(value: number, currency: string, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(decimals, 4) };
  if (/^[A-Za-z]{3}$/.test(currency)) {
    const style = { style: "currency", currency } as const;
    return once(`price ${currency} ${decimals}`, (l) => new Intl.NumberFormat(l, { ...style, ...digits })).format(
      value,
    );
  }
  const number = once(`price ${decimals}`, (language) => new Intl.NumberFormat(language, digits)).format(value);
  return currency === "" ? number : `${number} ${currency}`;
}

/** `one` for exactly one, as the language counts; `other` gets the number as it is written. */
export function plural(count: number, forms: { one: string; other: (count: string) => string }): string {
  const rule = once("plural", (language) => new Intl.PluralRules(language)).select(count);
  return rule === "one" ? forms.one : forms.other(formatNumber(count));
}

export function formatDateTime(value: string | Date): string {
  const format = once(
    "time",
    (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }),
  );
  return formatOr(value, (date) => format.format(date));
}

/** A calendar day: the one in UTC, whatever the zone of the browser. */
export function formatDay(value: string | Date): string {
  const format = once("day", (language) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }));
  return formatOr(value, (date) => format.format(date));
}

export function formatTime(value: string | Date): string {
  const format = once("hour", (language) => new Intl.DateTimeFormat(language, { timeStyle: "short" }));
  return formatOr(value, (date) => format.format(date));
}

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "2 minutes ago", "yesterday". */
export function formatAgo(value: string | Date, now = Date.now()): string {
  const format = once("ago", (language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
  return formatOr(value, (date) => {
    const seconds = (date.getTime() - now) / 1_000;
    const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
    return format.format(Math.trunc(seconds / size), unit as Intl.RelativeTimeFormatUnit);
  });
}

export function formatList(values: readonly string[]): string {
  return once("list", (language) => new Intl.ListFormat(language)).format(values);
}

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = once(`bytes ${step}`, (language) => {
    return new Intl.NumberFormat(language, {
      style: "unit",
      unit: sizes[step] as string,
      unitDisplay: step === 0 ? "long" : "short",
      maximumFractionDigits: 1,
    });
  });
  return format.format(bytes / 1_000 ** step);
}

function formatOr(value: string | Date, format: (date: Date) => string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : format(date);
}
