// Colours: written as hex, rgb(), hsl(), oklch() or an object, stored as `{hex, oklch: {l, c, h}}`.
// oklch is the exact value and hex follows from it, so that saving again changes nothing. Pure; used by the server and the admin.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

export interface Color extends JsonObject {
  /** "#rrggbb" */
  hex: string;
  /** l from 0 to 100, h from 0 to 360. */
  oklch: { l: number; c: number; h: number };
}

type Triple = [number, number, number];

/** Longer texts are no colours. */
const maxText = 2_000;

/** As it is stored; undefined for what is no colour. */
export function readColor(value: Json): Color | undefined {
  const oklch = isJsonObject(value) ? readObject(value) : typeof value === "string" ? readString(value) : undefined;
  if (!oklch) return undefined;
  const [l, c, h] = oklch;
  return { hex: toHex(oklch), oklch: { l, c, h } };
}

function readObject({ oklch, hex }: JsonObject): Triple | undefined {
  if (!isJsonObject(oklch)) return typeof hex === "string" ? readString(hex) : undefined;
  const { l, c, h } = oklch;
  const isSound =
    typeof l === "number" &&
    l >= 0 &&
    l <= 100 &&
    typeof c === "number" &&
    c >= 0 &&
    typeof h === "number" &&
    h >= 0 &&
    h <= 360;
  return isSound ? [l, c, h] : undefined;
}

const functional = /^(rgb|hsl|oklch)a?\(\s*([^()]{1,60})\)$/;

function readString(text: string): Triple | undefined {
  if (text.length > maxText) return undefined;
  const color = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(color)?.[1];
  if (hex) return fromRgb(parseHex(hex));
  const [, name, list = ""] = functional.exec(color) ?? [];
  const parts = list.split(/[\s,/]+/).filter((part) => part !== "");
  if (!name || parts.length < 3 || parts.length > 4) return undefined;
  const [a, b, c] = parts as [string, string, string];
  if (name === "rgb") return inRange([scaled(a, 255), scaled(b, 255), scaled(c, 255)], [255, 255, 255], fromRgb);
  if (name === "hsl") return inRange([degrees(a), percent(b), percent(c)], [360, 100, 100], fromHsl);
  const lightness = a.endsWith("%") ? percent(a) : percent(a) * 100;
  return inRange([lightness, scaled(b, 0.4), degrees(c)], [100, Number.MAX_VALUE, 360], round);
}

function inRange(values: Triple, max: Triple, convert: (values: Triple) => Triple): Triple | undefined {
  return values.every((value, at) => value >= 0 && value <= (max[at] as number)) ? convert(values) : undefined;
}

/** A percentage is a part of `full`; NaN for anything that is not a number. */
function scaled(text: string, full: number): number {
  return text.endsWith("%") ? (decimal(text.slice(0, -1)) / 100) * full : decimal(text);
}

function percent(text: string): number {
  return decimal(text.replace(/%$/, ""));
}

function degrees(text: string): number {
  return decimal(text.replace(/deg$/, ""));
}

function decimal(text: string): number {
  return /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function parseHex(hex: string): Triple {
  const full = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Triple;
}

function fromHsl([h, s, l]: Triple): Triple {
  const a = (s / 100) * Math.min(l / 100, 1 - l / 100);
  const channel = (n: number): number => {
    const k = (n + h / 30) % 12;
    return 255 * (l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return fromRgb([channel(0), channel(8), channel(4)]);
}

/** sRGB -> linear light -> cone response -> Oklab -> Oklch. */
function fromRgb(rgb: Triple): Triple {
  const [r, g, b] = rgb.map((value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as Triple;
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const c = Math.hypot(a, bb);
  // Greys have no hue; the remaining value is noise.
  const isGrey = c < 0.0001;
  return round([l * 100, isGrey ? 0 : c, isGrey ? 0 : ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360]);
}

function toHex([l, c, h]: Triple): string {
  const angle = (h * Math.PI) / 180;
  const [L, a, b] = [l / 100, c * Math.cos(angle), c * Math.sin(angle)];
  const long = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return `#${channels.map(hexChannel).join("")}`;
}

function hexChannel(linear: number): string {
  const v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, v)) * 255)
    .toString(16)
    .padStart(2, "0");
}

/** Fine enough to restore every 8-bit colour. */
function round([l, c, h]: Triple): Triple {
  return [Number(l.toFixed(3)), Number(c.toFixed(5)), Number(h.toFixed(3))];
}
