// The parameters of imageworks: their names and short names, their values, and how they combine.
// Pure. Unknown parameters are ignored, so that they can never make a variant.

import { type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { Fit, ImageFormat } from "#files/image-types.ts";

export interface Focus {
  x: number;
  y: number;
}

export interface ImageParameters {
  format?: ImageFormat | "auto";
  w?: number;
  h?: number;
  dpr?: number;
  fit?: { fit: Fit; focus?: Focus };
  crop?: { w: number; h: number; x: number; y: number };
  quality?: number;
  blur?: number;
  brightness?: number;
  contrast?: number;
  gamma?: number;
  sharpen?: number;
  pixel?: number;
  grayscale?: boolean;
  sepia?: boolean;
  filt?: "grayscale" | "sepia";
  flip?: "h" | "v" | "both";
  or?: 0 | 90 | 180 | 270;
  /** Hex digits, or `palette0` to `palette4`: a colour of the image itself. */
  bg?: string;
  border?: { size: number; color: string; method: "overlay" | "shrink" | "expand" };
  mark?: string;
  markw?: string;
  markh?: string;
  markx?: number;
  marky?: number;
  markpad?: number;
  markpos?: string;
  markfit?: Fit;
  markalpha?: number;
  marktext?: string;
  marktextfont?: string;
  marktextsize?: number;
  marktextcolor?: string;
  marktextbg?: string;
  marktextpad?: number;
  marktextangle?: number;
  marktextpos?: string;
  marktextw?: string;
  marktexth?: string;
  marktextx?: number;
  marktexty?: number;
  marktextfit?: Fit;
  marktextalpha?: number;
}

/** Of a side, before anything is scaled by `dpr`. */
const maxSide = 8_000;
const maxText = 200;

interface Rule<T> {
  /** "must be ..." */
  expected: string;
  /** Undefined for an invalid value. */
  read(text: string): T | undefined;
}

function whole(min: number, max: number): Rule<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (text) => (/^-?\d{1,6}$/.test(text) ? within(Number(text), min, max) : undefined),
  };
}

function decimal(min: number, max: number): Rule<number> {
  return {
    expected: `a number from ${min} to ${max}`,
    read: (text) => (/^-?\d{1,6}(\.\d{1,6})?$/.test(text) ? within(Number(text), min, max) : undefined),
  };
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}

function oneOf<T>(words: Record<string, T>, shown = Object.keys(words)): Rule<T> {
  return {
    expected: `one of ${shown.join(", ")}`,
    read: (text) => (Object.hasOwn(words, text) ? words[text] : undefined),
  };
}

function matching(expected: string, pattern: RegExp): Rule<string> {
  return { expected, read: (text) => (pattern.test(text) ? text : undefined) };
}

const positions: Record<string, Focus> = {
  "top-left": { x: 0, y: 0 },
  top: { x: 50, y: 0 },
  "top-right": { x: 100, y: 0 },
  left: { x: 0, y: 50 },
  center: { x: 50, y: 50 },
  right: { x: 100, y: 50 },
  "bottom-left": { x: 0, y: 100 },
  bottom: { x: 50, y: 100 },
  "bottom-right": { x: 100, y: 100 },
};

const fits: Record<string, { fit: Fit; focus?: Focus }> = {
  ...Object.fromEntries(
    (["crop", "contain", "cover", "fill", "inside", "outside"] as const).map((fit) => [fit, { fit }]),
  ),
  max: { fit: "inside" },
  stretch: { fit: "fill" },
  "crop-focalpoint": { fit: "crop" },
  ...Object.fromEntries(
    Object.entries(positions).map(([at, focus]) => [`crop-${at}`, { fit: "crop" as const, focus }]),
  ),
};

const fit: Rule<{ fit: Fit; focus?: Focus }> = {
  expected: "one of crop, contain, cover, fill, inside, outside",
  read(text) {
    const [, x, y] = /^crop-(\d{1,3})-(\d{1,3})$/.exec(text) ?? [];
    if (x === undefined) return Object.hasOwn(fits, text) ? fits[text] : undefined;
    return Number(x) > 100 || Number(y) > 100 ? undefined : { fit: "crop", focus: { x: Number(x), y: Number(y) } };
  },
};

const format = oneOf<ImageFormat | "auto">(
  { jpg: "jpg", png: "png", webp: "webp", avif: "avif", gif: "gif", auto: "auto", jpeg: "jpg", pjpg: "jpg" },
  ["jpg", "png", "webp", "avif", "gif", "auto"],
);

const hex = "(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})";
const colour = new RegExp(`^(?:${hex}|palette[0-4]?)$`, "i");

/** The same colour, or position in the palette, is the same text. */
function oneSpelling(text: string): string {
  const low = text.toLowerCase();
  if (low.startsWith("palette")) return low === "palette" ? "palette0" : low;
  return low.length === 3 ? low.replace(/./g, "$&$&") : low.replace(/^(.{6})ff$/, "$1");
}

const crop: Rule<NonNullable<ImageParameters["crop"]>> = {
  expected: "w,h,x,y in whole pixels",
  read(text) {
    if (!/^\d{1,5}(,\d{1,5}){3}$/.test(text)) return undefined;
    const [w = 0, h = 0, x = 0, y = 0] = text.split(",").map(Number);
    return w > 0 && h > 0 ? { w, h, x, y } : undefined;
  },
};

const border: Rule<NonNullable<ImageParameters["border"]>> = {
  expected: "size,color,method: up to 1000 pixels, hex digits, overlay, shrink or expand",
  read(text) {
    const [size = "", color = "ffffff", method = "overlay", ...more] = text.split(",");
    const isMethod = method === "overlay" || method === "shrink" || method === "expand";
    if (!/^\d{1,4}$/.test(size) || Number(size) > 1_000 || !colour.test(color) || !isMethod) return undefined;
    return more.length > 0 ? undefined : { size: Number(size), color: oneSpelling(color), method };
  },
};

/** A mark has no focal point. */
const markFit: Rule<Fit> = { expected: fit.expected, read: (text) => fit.read(text)?.fit };

const flag = oneOf({ true: true, false: false });
const position = oneOf(Object.fromEntries(Object.keys(positions).map((name) => [name, name])));
const colourText: Rule<string> = {
  expected: "hex digits, or palette0 to palette4",
  read: (text) => (colour.test(text) ? oneSpelling(text) : undefined),
};
const length = matching("pixels, or percent such as 25w and 25h", /^\d{1,4}[wh]?$/);
const name = matching(`text of 1 to ${maxText} characters`, new RegExp(`^[^/\\\\]{1,${maxText}}$`, "u"));
const words: Rule<string> = {
  expected: `text of 1 to ${maxText} characters that can be seen`,
  read: (text) => (/[^\p{Z}\p{Cc}\p{Cf}\p{Cn}]/u.test(text) && text.length <= maxText ? text : undefined),
};

const rules: { [K in keyof Required<ImageParameters>]: Rule<NonNullable<ImageParameters[K]>> } = {
  format,
  w: whole(1, maxSide),
  h: whole(1, maxSide),
  dpr: decimal(0, 8),
  fit,
  crop,
  quality: whole(1, 100),
  blur: whole(1, 100),
  brightness: whole(-100, 100),
  contrast: whole(-100, 100),
  gamma: decimal(0.1, 3),
  sharpen: whole(1, 100),
  pixel: whole(0, 1_000),
  grayscale: flag,
  sepia: flag,
  filt: oneOf({ greyscale: "grayscale", grayscale: "grayscale", sepia: "sepia" }, ["greyscale", "sepia"]),
  flip: oneOf({ h: "h", v: "v", both: "both" }),
  or: oneOf({ auto: 0, "0": 0, "90": 90, "180": 180, "270": 270 }, ["auto", "0", "90", "180", "270"]),
  bg: colourText,
  border,
  mark: name,
  markw: length,
  markh: length,
  markx: whole(0, maxSide),
  marky: whole(0, maxSide),
  markpad: whole(0, maxSide),
  markpos: position,
  markfit: markFit,
  markalpha: whole(0, 100),
  marktext: words,
  marktextfont: name,
  marktextsize: whole(1, 2_000),
  marktextcolor: colourText,
  marktextbg: colourText,
  marktextpad: whole(0, 1_000),
  marktextangle: whole(-360, 360),
  marktextpos: position,
  marktextw: length,
  marktexth: length,
  marktextx: whole(0, maxSide),
  marktexty: whole(0, maxSide),
  marktextfit: markFit,
  marktextalpha: whole(0, 100),
};

const shortNames: Record<string, keyof ImageParameters> = {
  q: "quality",
  fm: "format",
  bri: "brightness",
  con: "contrast",
  gam: "gamma",
  sharp: "sharpen",
};

/** Merges parameters: later ones override. Without the format of the base: the path's takes precedence. */
export function readParameters(query: Readonly<Record<string, unknown>>, settings: ImageSettings): ImageParameters {
  const sent = parse(query);
  const { format: _base, ...defaults } = parse(settings.defaults);
  const preset = query.p;
  if (preset === undefined) return { ...defaults, ...sent };
  const found =
    typeof preset === "string" && Object.hasOwn(settings.presets, preset) ? settings.presets[preset] : undefined;
  if (!isJsonObject(found)) return fail("invalid", "There is no such preset.", { p: ["must be the name of a preset"] });
  return { ...defaults, ...parse(found), ...sent };
}

/** For an address that names no format. */
export function withDefaultFormat(parameters: ImageParameters, { defaults }: ImageSettings): ImageParameters {
  const { format } = parse(defaults);
  return format === undefined || parameters.format !== undefined ? parameters : { ...parameters, format };
}

export interface ImageSettings {
  defaults: JsonObject;
  presets: JsonObject;
}

/** Values from a query are texts; those from settings may be numbers and booleans. */
export function parse(values: Readonly<Record<string, unknown>>): ImageParameters {
  const { found, details } = read(values);
  if (Object.keys(details).length > 0) fail("invalid", "The image parameters are not valid.", details);
  return found;
}

/** The problem of each invalid one. */
export function findBadParameters(values: JsonObject): ErrorDetails {
  return read(values).details;
}

function read(values: Readonly<Record<string, unknown>>): { found: ImageParameters; details: ErrorDetails } {
  const found: Record<string, unknown> = {};
  const details: ErrorDetails = {};
  for (const [name, value] of Object.entries(values)) {
    const known = Object.hasOwn(shortNames, name) ? shortNames[name] : name;
    if (known === undefined || !Object.hasOwn(rules, known)) continue;
    const rule = rules[known as keyof ImageParameters] as Rule<unknown>;
    const read = isScalar(value) ? rule.read(String(value)) : undefined;
    if (Array.isArray(value) || Object.hasOwn(found, known)) details[name] = ["must be given once"];
    else if (read === undefined) details[name] = [`must be ${rule.expected}`];
    else found[known] = read;
  }
  return { found, details };
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Names that the path may end in; undefined for an unknown format. */
export function findFormat(extension: string): ImageFormat | undefined {
  const found = format.read(extension.toLowerCase());
  return found === "auto" ? undefined : found;
}
