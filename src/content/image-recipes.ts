// From parameters and an image to a recipe: sizes in pixels, colours of the image's own palette, watermarks with their files.

import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Fit, ImageFormat, ImageRecipe, Watermark } from "#files/image-types.ts";
import { withLocalFile } from "#files/local-copies.ts";
import { getCollection } from "./collections.ts";
import { findPlace, listEntries } from "./file-places.ts";
import { type ImageParameters, parse } from "./image-parameters.ts";
import { findServedObject } from "./served-objects.ts";

const maxSide = 8_000;

export function recipeOf(parameters: ImageParameters, format: ImageFormat, image: JsonObject): ImageRecipe {
  const { quality, blur, brightness, contrast, gamma, sharpen, crop, flip, filt } = parameters;
  const { fit, focus } = parameters.fit ?? {};
  const background = colourOf(parameters.bg, image);
  const { border } = parameters;
  return withoutAbsent({
    format,
    ...sizeOf(parameters, image),
    fit,
    focalpoint: fit === "crop" ? (focus ?? focalpointOf(image)) : undefined,
    ...{ crop, quality, blur, brightness, contrast, gamma, sharpen, flip, background },
    grayscale: parameters.grayscale || filt === "grayscale" || undefined,
    sepia: parameters.sepia || filt === "sepia" || undefined,
    pixelate: parameters.pixel,
    rotate: parameters.or,
    border: border && { ...border, color: colourOf(border.color, image) ?? "ffffff" },
  });
}

/** Larger than the image is as large as the image: such sizes are one variant. Only a letterbox has a size of its own. */
function sizeOf(
  { w, h, dpr = 1, fit, crop, or = 0 }: ImageParameters,
  image: JsonObject,
): { w?: number | undefined; h?: number | undefined } {
  const isTurned = or % 180 !== 0;
  const [width, height] = isTurned ? [image.height, image.width] : [image.width, image.height];
  const isFree = crop !== undefined || (fit?.fit === "contain" && w !== undefined && h !== undefined);
  const size = (asked: number | undefined, most: Json | undefined) => {
    if (asked === undefined) return undefined;
    const wanted = Math.max(1, Math.min(maxSide, Math.round(asked * (dpr || 1))));
    return !isFree && typeof most === "number" && most > 0 ? Math.min(wanted, most) : wanted;
  };
  return { w: size(w, width), h: size(h, height) };
}

function focalpointOf({ focalpoint }: JsonObject): { x: number; y: number } {
  const { x, y } = isJsonObject(focalpoint) ? focalpoint : {};
  return { x: typeof x === "number" ? x : 50, y: typeof y === "number" ? y : 50 };
}

/** An image without such a colour has none. */
function colourOf(text: string | undefined, { palette }: JsonObject): string | undefined {
  const [, at] = /^palette([0-4]?)$/i.exec(text ?? "") ?? [];
  if (at === undefined) return text;
  const colour = Array.isArray(palette) ? palette[Number(at)] : undefined;
  return typeof colour === "string" ? colour.replace(/^#/, "") : undefined;
}

function withoutAbsent(recipe: { format: ImageFormat; fit?: Fit | undefined } & Record<string, unknown>): ImageRecipe {
  return Object.fromEntries(Object.entries(recipe).filter(([, value]) => value !== undefined)) as never;
}

/** What the field's setting says lies over what was asked, so that nobody asks it away; up to its limit it does not hold. */
export function withFieldMark(parameters: ImageParameters, { watermark }: JsonObject): ImageParameters {
  if (!isJsonObject(watermark)) return parameters;
  const { limit } = watermark;
  const { w, h, dpr = 1 } = parameters;
  const asked = Math.max(w ?? 0, h ?? 0) * (dpr || 1);
  if (typeof limit === "number" && asked > 0 && asked <= limit) return parameters;
  const own = Object.entries(parameters).filter(([name]) => !name.startsWith("mark"));
  return { ...Object.fromEntries(own), ...parse(watermark) };
}

export function hasMarks({ mark, marktext }: ImageParameters): boolean {
  return mark !== undefined || marktext !== undefined;
}

/** Does the work with the watermarks that the parameters name; their files lie on this machine meanwhile. */
export async function withMarks<T>(
  app: App,
  parameters: ImageParameters,
  image: JsonObject,
  work: (marks: Watermark[]) => Promise<T>,
): Promise<T> {
  const { mark, marktext, marktextfont } = parameters;
  const gallery = app.settings.get("imageworks.watermarksGallery");
  const depot = app.settings.get("imageworks.watermarkFontsDepot");
  const drawn =
    mark === undefined ? undefined : await findAsset(app, { collection: "gallery", id: gallery, name: mark }, "mark");
  const font =
    marktextfont === undefined
      ? undefined
      : await findAsset(app, { collection: "depot", id: depot, name: marktextfont }, "marktextfont");
  return withAsset(app, drawn, (imagePath) =>
    withAsset(app, font, (fontPath) =>
      work([
        ...(imagePath === undefined ? [] : [imageMark(parameters, imagePath, (drawn as Asset).tag)]),
        ...(marktext === undefined ? [] : [textMark(parameters, marktext, { image, fontPath })]),
      ]),
    ),
  );
}

interface Asset {
  key: string;
  tag: string;
}

/** A file of the site itself, whoever asks: by its name, or its name without the extension. */
async function findAsset(
  app: App,
  at: { collection: string; id: string; name: string },
  parameter: string,
): Promise<Asset> {
  const collection = await getCollection(app, at.collection);
  const object = await findServedObject(app, collection, at.id);
  const place = object && findPlace(collection.schema, object.document, [at.collection]);
  const entries = place ? listEntries(place) : [];
  const found =
    entries.find(({ value }) => value.name === at.name) ??
    entries.find(({ value }) => value.name.replace(/\.[^.]*$/, "") === at.name);
  if (!found)
    return fail("invalid", "There is no such watermark or font.", {
      [parameter]: ["must be the name of a stored file"],
    });
  return { key: [at.collection, at.id, ...found.path].join("/"), tag: `${at.name} ${String(found.value.hash)}` };
}

function withAsset<T>(app: App, asset: Asset | undefined, work: (path?: string) => Promise<T>): Promise<T> {
  return asset ? withLocalFile(app, asset.key, work) : work();
}

function imageMark(parameters: ImageParameters, image: string, tag: string): Watermark {
  const { markw = "100w", markh, markx, marky, markpad, markpos = "bottom-right", markalpha = 100 } = parameters;
  return {
    image,
    tag,
    position: markpos,
    width: markw,
    ...(markh !== undefined && { height: markh }),
    ...(markx !== undefined && { x: markx }),
    ...(marky !== undefined && { y: marky }),
    ...(markpad !== undefined && { padding: markpad }),
    alpha: markalpha,
  };
}

function textMark(
  parameters: ImageParameters,
  value: string,
  { image, fontPath }: { image: JsonObject; fontPath: string | undefined },
): Watermark {
  const { marktextw, marktexth, marktextx, marktexty, marktextpos = "center", marktextalpha = 100 } = parameters;
  const background = colourOf(parameters.marktextbg, image);
  return {
    text: {
      value,
      size: parameters.marktextsize ?? 500,
      color: colourOf(parameters.marktextcolor, image) ?? "ffffff",
      ...(background !== undefined && { background }),
      padding: parameters.marktextpad ?? 10,
      angle: parameters.marktextangle ?? 0,
      ...(fontPath !== undefined && { font: fontPath }),
    },
    position: marktextpos,
    ...(marktextw !== undefined && { width: marktextw }),
    ...(marktexth !== undefined && { height: marktexth }),
    ...(marktextx !== undefined && { x: marktextx }),
    ...(marktexty !== undefined && { y: marktexty }),
    alpha: marktextalpha,
  };
}
