// Numbers, prices, sizes and times to read, in the language of the page.

import { htmlToText } from "#base/text.ts";
import { registerFilter } from "#site/template/define.ts";
import { isMarkup, textOf } from "#site/template/html-value.ts";
import { intlLocale } from "./dates.ts";

const formats = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions = {}): string {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(intlLocale(locale), options);
  if (formats.size > 500) formats.clear();
  formats.set(key, known);
  return known.format(value);
}

function numberIn(value: unknown): number | undefined {
  const text = textOf(value).trim();
  const number = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

registerFilter("number", (value, [digits], { rendering }) => {
  const number = numberIn(value);
  if (number === undefined) return value;
  const places = digits === undefined ? undefined : Math.min(Math.max(Number(textOf(digits)) || 0, 0), 20);
  const options = places === undefined ? {} : { minimumFractionDigits: places, maximumFractionDigits: places };
  return formatNumber(number, rendering.request.locale, options);
});

registerFilter("price", (value, [currency], { rendering }) => {
  const number = numberIn(value);
  if (number === undefined) return value;
  const code = textOf(currency) || "EUR";
  if (!/^[A-Za-z]{3}$/.test(code)) throw new Error(`"${code}" is not a currency such as EUR`);
  return formatNumber(number, rendering.request.locale, { style: "currency", currency: code.toUpperCase() });
});

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

registerFilter("filesize", (value, _args, { rendering }) => {
  const sized = typeof value === "object" && value !== null ? (value as { size?: unknown }).size : value;
  const bytes = numberIn(sized);
  if (bytes === undefined) return "";
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const options = { style: "unit", unit: units[step] as string, maximumFractionDigits: step > 1 ? 1 : 0 } as const;
  return formatNumber(bytes / 1_000 ** step, rendering.request.locale, options);
});

/** Minutes, at 200 words each; at least one. */
registerFilter("readtime", (value, [wordsAMinute]) => {
  const text = textOf(value);
  const plain = isMarkup(value) || text.includes("<") ? htmlToText(text) : text;
  const words = plain.split(/\s+/).filter(Boolean).length;
  return Math.max(1, Math.round(words / (Number(textOf(wordsAMinute)) || 200)));
});
