// From parameters and an image to a recipe: sizes in pixels, colours of the image's own palette. Pure.

import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { ImageFormat, ImageRecipe } from "#files/image-types.ts";
import type { ImageParameters } from "./image-parameters.ts";

const maxSide = 8_000;

export function recipeOf(parameters: ImageParameters, format: ImageFormat, image: JsonObject): ImageRecipe {
  const { quality, blur, brightness, contrast, gamma, sharpen, crop, flip, filt } = parameters;
  const { fit, focus } = parameters.fit ?? {};
  const background = colourOf(parameters.bg, image);
  const { border } = parameters;
  return withoutAbsent<ImageRecipe>({
    format,
    ...sizeOf(parameters, image),
    fit,
    focalpoint: fit === "crop" ? (focus ?? focalpointOf(image, parameters)) : undefined,
    ...{ crop, quality, blur, brightness, contrast, gamma, sharpen, flip, background },
    grayscale: parameters.grayscale || filt === "grayscale" || undefined,
    sepia: parameters.sepia || filt === "sepia" || undefined,
    pixelate: parameters.pixel,
    rotate: parameters.or,
    border: border && { ...border, color: colourOf(border.color, image) ?? "ffffff" },
  });
}

/** Sizes above the image are cut to the image, so they are one variant. Only a letterbox has a size of its own. */
function sizeOf(
  { w, h, dpr = 1, fit, crop, or = 0 }: ImageParameters,
  image: JsonObject,
): { w?: number | undefined; h?: number | undefined } {
  const { width, height } = turnedSize(image, or);
  const isFree = crop !== undefined || (fit?.fit === "contain" && w !== undefined && h !== undefined);
  const size = (asked: number | undefined, most: number) => {
    if (asked === undefined) return undefined;
    const wanted = Math.max(1, Math.min(maxSide, Math.round(asked * (dpr || 1))));
    return !isFree && most > 0 ? Math.min(wanted, most) : wanted;
  };
  return { w: size(w, width), h: size(h, height) };
}

type Point = { x: number; y: number };

/** The stored one is a point of the upright image: it rotates with the image, and is moved into a box that is cut out. */
function focalpointOf(image: JsonObject, { or = 0, crop }: ImageParameters): Point {
  const stored = isJsonObject(image.focalpoint) ? image.focalpoint : {};
  const [x, y] = [stored.x, stored.y].map((part) => (typeof part === "number" ? part : 50)) as [number, number];
  const at = { 0: { x, y }, 90: { x: 100 - y, y: x }, 180: { x: 100 - x, y: 100 - y }, 270: { x: y, y: 100 - x } }[or];
  const { width, height } = turnedSize(image, or);
  return crop && width && height
    ? { x: within(at.x, width, crop.x, crop.w), y: within(at.y, height, crop.y, crop.h) }
    : at;
}

function within(percent: number, whole: number, start: number, length: number): number {
  const part = Math.max(1, Math.min(length, whole - start));
  return Math.round(Math.min(100, Math.max(0, (((percent / 100) * whole - start) / part) * 100)));
}

/** The size of an editor's image is unknown: 0. */
export function turnedSize({ width, height }: JsonObject, or: number): { width: number; height: number } {
  const [w, h] = [width, height].map((side) => (typeof side === "number" ? side : 0)) as [number, number];
  return or % 180 === 0 ? { width: w, height: h } : { width: h, height: w };
}

/** An image without such a colour has none. */
export function colourOf(text: string | undefined, { palette }: JsonObject): string | undefined {
  const [, at] = /^palette([0-4]?)$/i.exec(text ?? "") ?? [];
  if (at === undefined) return text;
  const colour = Array.isArray(palette) ? palette[Number(at)] : undefined;
  return typeof colour === "string" ? colour.replace(/^#/, "") : undefined;
}

/** Without the keys that have no value. */
export function withoutAbsent<T extends object>(record: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
