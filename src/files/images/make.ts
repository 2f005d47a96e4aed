// One derived image from a recipe. Order: orientation, rotation, crop box, size, tone, flip, sharpen, blur, pixelate,
// letterbox, watermarks, border, background. Plain resizes stay in one pipeline, so that decoders can shrink while they load;
// anything more works on the pixels of the scaled image. The result carries no metadata and is in sRGB.

import type { Kernel, Sharp } from "sharp";
import type { ImageRecipe } from "#files/image-types.ts";
import { applyTone, hasTone, parseColour, type Rgba, transparent, white } from "./colours.ts";
import { encode } from "./encode.ts";
import { type Geometry, planGeometry } from "./geometry.ts";
import type { Made } from "./jobs.ts";
import { layOver, plainPixels } from "./layers.ts";
import { maxBorder, maxMovingFrames } from "./limits.ts";
import { addMark } from "./marks.ts";
import { decode, fromPixels, openSource, type Pixels, type Source, toPixels } from "./source.ts";
import { writeResult } from "./write-result.ts";

interface MakeJob {
  source: string;
  recipe: ImageRecipe;
  target: string;
  maxPixels: number;
}

export async function makeImage(job: MakeJob): Promise<Made> {
  const source = await openSource(job.source, job.maxPixels);
  if (!keepsMoving(source, job.recipe, job.maxPixels)) return render(job, source, false);
  // Where a later frame is damaged, the first one is used, as at upload.
  return render(job, source, true).catch(() => render(job, source, false));
}

async function render(job: MakeJob, source: Source, isMoving: boolean): Promise<Made> {
  const { recipe, maxPixels } = job;
  const geometry = planGeometry(recipe, turned(source, recipe));
  const scaled = scale(decode(source, maxPixels, isMoving ? { animated: true } : {}), recipe, geometry);
  // Grey pixels would turn every background grey.
  const isGreyOnColour = source.header.channels < 3 && recipe.background !== undefined;
  const image =
    needsPixels(recipe) || isGreyOnColour
      ? await finish(await toPixels(scaled), recipe, geometry, maxPixels)
      : letterbox(scaled, recipe, geometry);
  const isClear = canShowThrough(source, recipe, geometry);
  const ready = isClear ? image : image.flatten({ background: solidBackground(recipe) ?? white }).removeAlpha();
  const { data, info } = await encode(ready, recipe, geometry.canvas ?? geometry.scaled).toBuffer({
    resolveWithObject: true,
  });
  await writeResult(job.target, data);
  return { size: data.length, width: info.width, height: info.pageHeight ?? info.height };
}

/** The size that the numbers of a recipe refer to. */
function turned({ width, height }: Source, { rotate = 0 }: ImageRecipe): { width: number; height: number } {
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

const plainKeys = new Set<string>([
  "format",
  "w",
  "h",
  "fit",
  "focalpoint",
  "quality",
  "background",
] satisfies (keyof ImageRecipe)[]);

/** Frames are kept for a plain resize only, and when all of them together are within the limits. */
function keepsMoving({ frames, width, height, header }: Source, recipe: ImageRecipe, maxPixels: number): boolean {
  if (frames < 2 || frames > maxMovingFrames || frames * width * height > maxPixels) return false;
  if ((header.format !== "gif" && header.format !== "webp") || needsPixels(recipe)) return false;
  return (
    (recipe.format === "gif" || recipe.format === "webp") && Object.keys(recipe).every((key) => plainKeys.has(key))
  );
}

function needsPixels(recipe: ImageRecipe): boolean {
  const { flip, sharpen, blur, pixelate = 0, watermarks = [], border } = recipe;
  const isMore = hasTone(recipe) || flip || sharpen || blur || pixelate > 1 || watermarks.length > 0 || border;
  return Boolean(isMore || tintOf(recipe));
}

function scale(image: Sharp, { rotate }: ImageRecipe, { crop, scaled, cut }: Geometry): Sharp {
  let result = image.autoOrient();
  if (rotate) result = result.rotate(rotate);
  if (crop) result = result.extract(crop);
  result = result.resize(scaled.width, scaled.height, { fit: "fill" });
  return cut ? result.extract(cut) : result;
}

/** The steps after the scaling, each on the result of the previous one. */
async function finish(from: Pixels, recipe: ImageRecipe, geometry: Geometry, maxPixels: number): Promise<Sharp> {
  const { flip, sharpen, blur, pixelate = 0, watermarks = [], border } = recipe;
  let pixels = from;
  const step = async (change: (image: Sharp) => Sharp) => {
    pixels = await toPixels(change(fromPixels(pixels)));
  };
  if (hasTone(recipe)) applyTone(pixels.data, recipe);
  if (flip === "h" || flip === "both") await step((image) => image.flop());
  if (flip === "v" || flip === "both") await step((image) => image.flip());
  if (sharpen) await step((image) => image.convolve(contour(sharpen / 2)));
  if (blur) pixels = await soften(pixels, blur / 2);
  if (pixelate > 1) pixels = await coarsen(pixels, pixelate);
  if (geometry.canvas) await step((image) => letterbox(image, recipe, geometry));
  for (const mark of watermarks) pixels = await addMark(pixels, mark, maxPixels);
  if (border) pixels = await addBorder(pixels, border);
  const tint = tintOf(recipe);
  if (tint) pixels = await layOver(await plainPixels(pixels, tint), pixels);
  return fromPixels(pixels);
}

/** Takes from each pixel some percent of each of its neighbours, and makes up for it: edges stand out. */
function contour(percent: number): Kernel {
  const around = -percent;
  const kernel = [around, around, around, around, 100 - 8 * around, around, around, around, around];
  return { width: 3, height: 3, scale: 100, kernel };
}

/** A wide blur of many pixels is the same as a narrow one of few: it is made on a smaller image. */
async function soften(pixels: Pixels, sigma: number): Promise<Pixels> {
  const { width, height } = pixels;
  const shrink = Math.max(1, Math.min(sigma / 4, Math.min(width, height) / 16));
  if (shrink < 2) return toPixels(fromPixels(pixels).blur(sigma));
  const size = { width: Math.round(width / shrink), height: Math.round(height / shrink) };
  const small = await toPixels(fromPixels(pixels).resize({ ...size, fit: "fill" }));
  const soft = await toPixels(fromPixels(small).blur(sigma / shrink));
  return toPixels(fromPixels(soft).resize({ width, height, fit: "fill", kernel: "cubic" }));
}

/** Squares of one colour, from the top left corner. */
async function coarsen(pixels: Pixels, square: number): Promise<Pixels> {
  const { width, height } = pixels;
  const across = Math.ceil(width / square);
  const down = Math.ceil(height / square);
  const side = Math.min(square, Math.max(width, height));
  const coarse = await toPixels(fromPixels(pixels).resize(across, down, { fit: "fill", kernel: "linear" }));
  return toPixels(
    fromPixels(coarse)
      .resize(across * side, down * side, { fit: "fill", kernel: "nearest" })
      .extract({ left: 0, top: 0, width, height }),
  );
}

function letterbox(image: Sharp, recipe: ImageRecipe, { scaled, canvas }: Geometry): Sharp {
  if (!canvas) return image;
  const left = Math.floor((canvas.width - scaled.width) / 2);
  const top = Math.floor((canvas.height - scaled.height) / 2);
  return image.extend({
    left,
    top,
    right: canvas.width - scaled.width - left,
    bottom: canvas.height - scaled.height - top,
    background: solidBackground(recipe) ?? (recipe.format === "jpg" && !tintOf(recipe) ? white : transparent),
  });
}

async function addBorder(pixels: Pixels, border: NonNullable<ImageRecipe["border"]>): Promise<Pixels> {
  const { width, height } = pixels;
  const background = parseColour(border.color);
  const framed = (middle: Pixels, size: number) =>
    toPixels(fromPixels(middle).extend({ left: size, right: size, top: size, bottom: size, background }));
  if (border.method === "expand") return framed(pixels, Math.min(border.size, maxBorder));
  const size = Math.max(0, Math.min(border.size, Math.floor((Math.min(width, height) - 1) / 2)));
  const inner = { width: width - 2 * size, height: height - 2 * size };
  if (border.method === "overlay") return layOver(pixels, await framed(await plainPixels(inner, transparent), size));
  return framed(await toPixels(fromPixels(pixels).resize({ ...inner, fit: "fill" })), size);
}

/** An opaque background. */
function solidBackground({ background }: ImageRecipe): Rgba | undefined {
  const colour = background === undefined ? undefined : parseColour(background);
  return colour?.alpha === 1 ? colour : undefined;
}

/** A transparent background. */
function tintOf({ background }: ImageRecipe): Rgba | undefined {
  const colour = background === undefined ? undefined : parseColour(background);
  return colour && colour.alpha > 0 && colour.alpha < 1 ? colour : undefined;
}

/** Whether the result needs an alpha channel. */
function canShowThrough({ header }: Source, recipe: ImageRecipe, { canvas }: Geometry): boolean {
  const { format, border } = recipe;
  if (format === "jpg" || solidBackground(recipe)) return false;
  const hasClearFrame = border !== undefined && border.method !== "overlay" && parseColour(border.color).alpha < 1;
  return header.hasAlpha || canvas !== undefined || hasClearFrame;
}
