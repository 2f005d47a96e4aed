// `date`, `time` and `relative_date`: in the time zone and language of the site. A calendar day is never shifted by a zone.

import { type FilterCall, registerFilter } from "#site/template/define.ts";
import { textOf } from "#site/template/html-value.ts";
import type { Rendering } from "#site/template/rendering.ts";

const maxPattern = 200;
const styles: Record<string, Intl.DateTimeFormatOptions["dateStyle"]> = {
  short: "short",
  medium: "medium",
  long: "long",
  full: "full",
};

export interface Moment {
  time: Date;
  zone: string;
  /** It has no time of day. */
  isDay: boolean;
}

/** Undefined for what is no date. `now` is the time of rendering. */
export function readMoment(
  value: unknown,
  { recorder, site }: Pick<Rendering, "recorder" | "site">,
): Moment | undefined {
  const text = typeof value === "number" ? new Date(value * 1_000).toISOString() : textOf(value).trim();
  if (text === "") return undefined;
  if (text === "now" || text === "today") {
    recorder.expires(60);
    return { time: new Date(), zone: site.timezone, isDay: false };
  }
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  // A time without a zone is one of the site's clocks; stored times have one.
  const time = new Date(isDay ? `${text}T00:00:00Z` : text);
  return Number.isNaN(time.getTime()) ? undefined : { time, zone: isDay ? "UTC" : site.timezone, isDay };
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function dateFormat(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  if (formats.size > 500) formats.clear();
  const made = new Intl.DateTimeFormat(intlLocale(locale), { ...options, timeZone: zone });
  formats.set(key, made);
  return made;
}

/** `pt_BR` as Intl spells it; English where there is none. */
export function intlLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replace("_", "-"))[0] ?? "en";
  } catch {
    return "en";
  }
}

function formatDate(value: unknown, args: readonly unknown[], { rendering }: FilterCall): unknown {
  const moment = readMoment(value, rendering);
  if (!moment) return value;
  const pattern = args[0] === undefined ? "medium" : textOf(args[0]);
  if (pattern.length > maxPattern) throw new Error(`The pattern of a date may have at most ${maxPattern} characters`);
  return formatMoment(moment, pattern, rendering.request.locale);
}

export function formatMoment(moment: Moment, pattern: string, locale: string): string {
  const { time, zone, isDay } = moment;
  const dateStyle = styles[pattern];
  if (dateStyle) return dateFormat(locale, zone, { dateStyle }).format(time);
  if (pattern === "iso") return isDay ? time.toISOString().slice(0, 10) : isoIn(moment);
  if (pattern === "rfc822") return strftime(moment, "%a, %d %b %Y %H:%M:%S %z", "en");
  return strftime(moment, pattern, locale);
}

/** With the offset of the zone. */
export function isoIn(moment: Moment): string {
  const offset = partsOf(moment).offset;
  return strftime(moment, "%Y-%m-%dT%H:%M:%S", "en") + (offset === "+0000" ? "Z" : offset.replace(/(..)$/, ":$1"));
}

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
  /** `+0200`. */
  offset: string;
}

const numeric: Intl.DateTimeFormatOptions = {
  ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  ...{ hourCycle: "h23", era: "short" },
};

function partsOf({ time, zone }: Moment): Parts {
  const found: Record<string, string> = {};
  for (const { type, value } of dateFormat("en", zone, numeric).formatToParts(time)) found[type] = value;
  const number = (name: string) => Number(found[name]);
  const year = found.era?.startsWith("B") ? 1 - number("year") : number("year");
  const [month, day, hour, minute, second] = ["month", "day", "hour", "minute", "second"].map(number) as [
    ...[number, number, number, number, number],
  ];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const minutes = Math.round((local - Math.floor(time.getTime() / 1_000) * 1_000) / 60_000);
  const distance = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(distance / 60))}${two(distance % 60)}`;
  return { year, month, day, hour, minute, second, weekday: new Date(local).getUTCDay(), offset };
}

function two(value: number, fill = "0"): string {
  return String(value).padStart(2, fill);
}

/** The usual directives; `-` leaves out leading zeros. Unknown ones stay as they are. */
export function strftime(moment: Moment, pattern: string, locale: string): string {
  const parts = partsOf(moment);
  const named = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, moment.zone, options).format(moment.time);
  const hour12 = parts.hour % 12 === 0 ? 12 : parts.hour % 12;
  const directives: Record<string, () => string> = {
    Y: () => String(parts.year),
    C: () => two(Math.floor(parts.year / 100)),
    y: () => two(parts.year % 100),
    m: () => two(parts.month),
    B: () => monthName(moment, locale, "long"),
    b: () => monthName(moment, locale, "short"),
    h: () => monthName(moment, locale, "short"),
    d: () => two(parts.day),
    e: () => two(parts.day, " "),
    j: () => String(dayOfYear(parts)).padStart(3, "0"),
    H: () => two(parts.hour),
    k: () => two(parts.hour, " "),
    I: () => two(hour12),
    l: () => two(hour12, " "),
    M: () => two(parts.minute),
    S: () => two(parts.second),
    L: () => String(moment.time.getUTCMilliseconds()).padStart(3, "0"),
    p: () => (parts.hour < 12 ? "AM" : "PM"),
    P: () => (parts.hour < 12 ? "am" : "pm"),
    A: () => named({ weekday: "long" }),
    a: () => named({ weekday: "short" }),
    u: () => String(parts.weekday || 7),
    w: () => String(parts.weekday),
    z: () => parts.offset,
    Z: () => moment.zone,
    s: () => String(Math.floor(moment.time.getTime() / 1_000)),
    F: () => `${parts.year}-${two(parts.month)}-${two(parts.day)}`,
    D: () => `${two(parts.month)}/${two(parts.day)}/${two(parts.year % 100)}`,
    T: () => `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`,
    R: () => `${two(parts.hour)}:${two(parts.minute)}`,
    c: () => named({ dateStyle: "medium", timeStyle: "medium" }),
    x: () => named({ dateStyle: "short" }),
    X: () => named({ timeStyle: "medium" }),
    q: () => ordinalOf(parts.day),
    n: () => "\n",
    t: () => "\t",
    "%": () => "%",
  };
  return pattern.replace(/%([-^]?)([A-Za-z%])/g, (whole, flag: string, letter: string) => {
    const text = directives[letter]?.();
    if (text === undefined) return whole;
    if (flag === "^") return text.toUpperCase();
    return flag === "-" ? text.replace(/^[0 ]+(?=\d)/, "") : text;
  });
}

/** As it stands in a date: some languages change it there. */
function monthName({ time, zone }: Moment, locale: string, month: "long" | "short"): string {
  const parts = dateFormat(locale, zone, { day: "numeric", month }).formatToParts(time);
  return parts.find(({ type }) => type === "month")?.value ?? "";
}

function dayOfYear({ year, month, day }: Parts): number {
  return (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000 + 1;
}

function ordinalOf(day: number): string {
  const isTeen = day > 10 && day < 14;
  return isTeen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
}

function formatTime(value: unknown, [style]: readonly unknown[], { rendering }: FilterCall): unknown {
  const text = textOf(value);
  const clock = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text);
  const moment = clock
    ? { time: new Date(Date.UTC(2000, 0, 1, Number(clock[1]), Number(clock[2]))), zone: "UTC", isDay: false }
    : readMoment(value, rendering);
  if (!moment) return value;
  const timeStyle = textOf(style) === "medium" ? "medium" : "short";
  return dateFormat(rendering.request.locale, moment.zone, { timeStyle }).format(moment.time);
}

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

function formatRelative(value: unknown, _args: readonly unknown[], { rendering }: FilterCall): unknown {
  const moment = readMoment(value, rendering);
  if (!moment) return value;
  rendering.recorder.expires(60);
  const seconds = Math.round((moment.time.getTime() - Date.now()) / 1_000);
  const format = new Intl.RelativeTimeFormat(intlLocale(rendering.request.locale), { numeric: "auto" });
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  return format.format(Math.trunc(seconds / size), unit);
}

registerFilter("date", formatDate);
registerFilter("time", formatTime);
registerFilter("relative_date", formatRelative);
