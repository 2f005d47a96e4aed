// Images: addresses, `<img>` and `<picture>`. Nothing jumps while they load, and answers can be kept forever: addresses carry the
// hash of the stored image.

import { escapeHtml } from "#base/text.ts";
import { didYouMean } from "#rules/near-names.ts";
import { withPreview } from "#site/template/addresses.ts";
import { type FilterCall, registerFilter } from "#site/template/define.ts";
import { markup, textOf } from "#site/template/html-value.ts";
import { type Rendering, warn } from "#site/template/rendering.ts";

const defaultWidths = [400, 800, 1_200, 1_600];
const maxWidths = 12;
const maxSide = 8_000;

/** All parameters of imageworks. */
const imageParameters = new Set(
  (
    "w h dpr fit crop quality q blur brightness bri contrast con gamma gam sharpen sharp pixel grayscale sepia filt flip or bg " +
    "border mark markw markh markx marky markpad markpos markfit markalpha marktext marktextfont marktextsize marktextcolor " +
    "marktextbg marktextpad marktextangle marktextpos marktextw marktexth marktextx marktexty marktextfit marktextalpha p " +
    "format fm"
  ).split(" "),
);
const tagParameters = new Set(["widths", "sizes", "ratio", "class", "id", "alt", "priority", "style", "art", "title"]);

interface Image {
  /** Without its ending and query. */
  base: string;
  ending: string;
  version: string;
  width: number;
  height: number;
  alt: string;
  colour: string;
}

/** A value of an image, a gallery (its featured one), or nothing. */
export function findImage(value: unknown): Image | undefined {
  if (Array.isArray(value)) return findImage((value as { featured?: unknown }).featured ?? value[0]);
  if (typeof value !== "object" || value === null) return undefined;
  const { url, width, height, alt, colors, palette } = value as Record<string, unknown>;
  if (typeof url !== "string" || !url.startsWith("/imageworks/")) return undefined;
  const [path = "", query = ""] = url.split("?");
  const [, base = path, ending = ""] = /^(.*)\.([A-Za-z0-9]+)$/.exec(path) ?? [];
  return {
    ...{ base, ending, version: new URLSearchParams(query).get("v") ?? "" },
    ...{ width: Number(width) || 0, height: Number(height) || 0, alt: textOf(alt) },
    colour: colourIn(colors) || colourIn(palette),
  };
}

function colourIn(colors: unknown): string {
  const [first] = Array.isArray(colors) ? colors : [colors];
  const text = typeof first === "object" && first !== null ? textOf((first as { hex?: unknown }).hex) : textOf(first);
  return /^#?[0-9a-f]{6}$/i.test(text) ? `#${text.replace("#", "")}` : "";
}

type Named = Readonly<Record<string, unknown>>;

/** Unknown names are mistakes while a site is built. */
function parametersIn(rendering: Rendering, named: Named, isTag: boolean): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(named)) {
    if (imageParameters.has(name)) parameters[name] = textOf(value);
    else if (!isTag || !tagParameters.has(name)) {
      const known = isTag ? [...imageParameters, ...tagParameters] : imageParameters;
      if (rendering.isDevelopment) throw new Error(`Images have no parameter "${name}".${didYouMean(name, known)}`);
    }
  }
  return parameters;
}

export function imageAddress(rendering: Rendering, image: Image, parameters: Record<string, string>): string {
  const { format, fm, ...rest } = parameters;
  const ending = format ?? fm ?? image.ending;
  const query = new URLSearchParams(rest);
  if (image.version !== "") query.set("v", image.version);
  const text = query.toString();
  return withPreview(rendering, `${image.base}${ending === "" ? "" : `.${ending}`}${text === "" ? "" : `?${text}`}`);
}

function imageUrl(value: unknown, args: readonly unknown[], { rendering, named }: FilterCall): unknown {
  const image = findImage(value);
  if (!image) return "";
  const width = args[0] === undefined ? {} : { w: textOf(args[0]) };
  return imageAddress(rendering, image, { ...width, ...parametersIn(rendering, named, false) });
}

/** `16:9`, `16/9` or a number; undefined: as the original. */
function readRatio(value: unknown): number | undefined {
  const text = textOf(value).trim();
  if (text === "") return undefined;
  const [, width, height = "1"] = /^(\d{1,5}(?:\.\d+)?)(?:\s*[:/]\s*(\d{1,5}(?:\.\d+)?))?$/.exec(text) ?? [];
  const ratio = Number(width) / Number(height);
  if (!(ratio > 0) || !Number.isFinite(ratio)) throw new Error(`"${text}" is not a ratio such as 16:9`);
  return ratio;
}

/** Those above the original are left out, and its own width is added. */
function readWidths(value: unknown, image: Image): number[] {
  const wanted =
    value === undefined
      ? defaultWidths
      : textOf(value)
          .split(",")
          .map((part) => Number(part.trim()));
  if (wanted.some((width) => !Number.isInteger(width) || width < 1 || width > maxSide) || wanted.length > maxWidths)
    throw new Error(`widths are up to ${maxWidths} whole numbers with commas between them`);
  if (image.width === 0) return wanted;
  const fitting = wanted.filter((width) => width < image.width);
  if (fitting.length < wanted.length) fitting.push(Math.min(image.width, maxSide));
  return [...new Set(fitting)].sort((a, b) => a - b);
}

interface Shape {
  ratio: number | undefined;
  widths: number[];
  parameters: Record<string, string>;
}

function sourceSet(rendering: Rendering, image: Image, { ratio, widths, parameters }: Shape): string[] {
  return widths.map((width) => {
    const height = ratio === undefined ? {} : { h: String(Math.round(width / ratio)) };
    const fit = ratio === undefined ? {} : { fit: parameters.fit ?? "cover" };
    return `${imageAddress(rendering, image, { ...parameters, w: String(width), ...height, ...fit })} ${width}w`;
  });
}

/** What was printed for a value, by the arguments. Values of documents are the same for all renderings. */
const printed = new WeakMap<object, Map<string, string>>();
const maxPrinted = 10;

function imageTag(value: unknown, _args: readonly unknown[], { rendering, named }: FilterCall): unknown {
  const key = keyOf(rendering, value, named);
  const known = key === undefined ? undefined : printed.get(value as object)?.get(key);
  if (known !== undefined) return markup(known);
  const image = findImage(value);
  if (!image) return "";
  const made = imgMarkup(rendering, image, named);
  if (key !== undefined) {
    const all = printed.get(value as object) ?? new Map<string, string>();
    if (all.size < maxPrinted) all.set(key, made);
    printed.set(value as object, all);
  }
  return markup(made);
}

/** Undefined: it does more than print, or prints what only this rendering has. */
function keyOf({ isDevelopment, request }: Rendering, value: unknown, named: Named): string | undefined {
  if (isDevelopment || request.preview || named.priority !== undefined || !Object.isFrozen(value)) return undefined;
  let key = "";
  for (const name in named) {
    const given = named[name];
    if (typeof given !== "string" && typeof given !== "number") return undefined;
    key += `${name} ${JSON.stringify(given)} `;
  }
  return key;
}

function imgMarkup(rendering: Rendering, image: Image, named: Named, format?: string): string {
  const parameters = { ...parametersIn(rendering, named, true), ...(format && { format }) };
  const ratio = readRatio(named.ratio);
  const widths = readWidths(named.widths, image);
  const sources = sourceSet(rendering, image, { ratio, widths, parameters });
  const largest = widths.at(-1) ?? image.width;
  const shown = ratio ?? (image.height > 0 ? image.width / image.height : undefined);
  const src = sources.at(-1)?.replace(/ \d+w$/, "") ?? imageAddress(rendering, image, parameters);
  const hasWidths = sources.length > 1;
  const sizes = textOf(named.sizes) || (hasWidths ? "100vw" : "");
  const alt = named.alt === undefined ? image.alt : textOf(named.alt);
  if (alt === "" && named.alt === undefined) warn(rendering, `The image ${image.base} has no alternative text.`);
  const isFirst = named.priority === true;
  if (isFirst) preload(rendering, { src, srcset: hasWidths ? sources.join(", ") : "", sizes });
  return `<img${attributes({
    src,
    srcset: hasWidths ? sources.join(", ") : undefined,
    sizes: hasWidths ? sizes : undefined,
    width: shown === undefined ? undefined : String(largest),
    height: shown === undefined ? undefined : String(Math.round(largest / shown)),
    alt,
    title: named.title,
    class: named.class,
    id: named.id,
    loading: isFirst ? "eager" : "lazy",
    decoding: "async",
    fetchpriority: isFirst ? "high" : undefined,
    style: styleOf(image, named.style),
  })}>`;
}

function styleOf({ colour }: Image, style: unknown): string | undefined {
  const own = textOf(style);
  const background = colour === "" ? "" : `background-color:${colour}`;
  return [background, own].filter(Boolean).join(";") || undefined;
}

/** Undefined ones are left out. */
export function attributes(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(textOf(value))}"`))
    .join("");
}

/** As a header: browsers begin before they have read the page. */
function preload(
  { headers, isMarkup }: Rendering,
  { src, srcset, sizes }: { src: string; srcset: string; sizes: string },
): void {
  if (!isMarkup) return;
  const quote = (text: string) => text.replace(/[^\x20-\x7e]|["\\]/g, "");
  const more = srcset === "" ? "" : `; imagesrcset="${quote(srcset)}"; imagesizes="${quote(sizes)}"`;
  const link = `<${quote(src).replace(/[<>]/g, "")}>; rel=preload; as=image; fetchpriority=high${more}`;
  const others = headers.link;
  if (others !== undefined && others.length + link.length > 4_000) return;
  headers.link = others === undefined ? link : `${others}, ${link}`;
}

/** `<source>` for newer formats, and for other shapes of narrow screens. */
function pictureTag(value: unknown, _args: readonly unknown[], { rendering, named }: FilterCall): unknown {
  const image = findImage(value);
  if (!image) return "";
  const parameters = parametersIn(rendering, named, true);
  const isDrawn = image.ending === "svg" || image.ending === "gif";
  const formats = isDrawn ? [] : ["avif", "webp"].filter((format) => format !== image.ending);
  const sizes = textOf(named.sizes) || "100vw";
  const widths = readWidths(named.widths, image);
  const art = readArt(named.art);
  const plain = { ratio: readRatio(named.ratio), media: undefined };
  const sources: string[] = [];
  for (const { ratio, media } of [...art, plain]) {
    const wanted = media === undefined ? formats : [...formats, ""];
    for (const format of wanted) {
      const shape = { ratio, widths, parameters: { ...parameters, ...(format !== "" && { format }) } };
      const srcset = sourceSet(rendering, image, shape).join(", ");
      const type = format === "" ? undefined : `image/${format}`;
      const largest = widths.at(-1) ?? 0;
      const height = ratio === undefined ? undefined : Math.round(largest / ratio);
      const size = media === undefined || height === undefined ? {} : { width: largest, height };
      sources.push(`<source${attributes({ media, type, srcset, sizes, ...size })}>`);
    }
  }
  const { art: _art, ...rest } = named;
  return markup(`<picture>${sources.join("")}${imgMarkup(rendering, image, rest)}</picture>`);
}

/** `(max-width: 40rem) 1:1`, several with semicolons. */
function readArt(value: unknown): { media: string; ratio: number | undefined }[] {
  const parts = textOf(value)
    .split(";")
    .map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const [, media, ratio] = /^(\(.*\))\s+([\d.:/]+)$/.exec(part) ?? [];
    if (media === undefined) throw new Error(`"${part}" is not a condition and a ratio such as (max-width: 40rem) 1:1`);
    return { media, ratio: readRatio(ratio) };
  });
}

function imageColors(value: unknown): unknown {
  const one = Array.isArray(value) ? ((value as { featured?: unknown }).featured ?? value[0]) : value;
  if (typeof one !== "object" || one === null) return [];
  const { colors, palette } = one as Record<string, unknown>;
  return colors ?? palette ?? [];
}

registerFilter("image_url", imageUrl);
registerFilter("image_tag", imageTag);
registerFilter("picture_tag", pictureTag);
registerFilter("image_colors", imageColors);
