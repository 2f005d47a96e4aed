// From a recipe and the size of its source to boxes: cut, scale, cut again, canvas. Pure numbers.
// Pixels are never enlarged, and the result is never larger than the limits, whatever the request.

import type { ImageRecipe } from "#files/image-types.ts";
import { maxArea, maxBorder, maxSide } from "./limits.ts";

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  left: number;
  top: number;
}

export interface Geometry {
  /** Cut out of the source. */
  crop?: Box;
  /** To which the cut is scaled. */
  scaled: Size;
  /** Cut out of the scaled image. */
  cut?: Box;
  /** The image is in its middle. */
  canvas?: Size;
}

/** `source` is the size with the orientation applied. */
export function planGeometry(recipe: ImageRecipe, source: Size): Geometry {
  const crop = recipe.crop && cropBox(recipe.crop, source);
  return { ...(crop && { crop }), ...planFit(recipe, crop ?? source) };
}

function planFit(recipe: ImageRecipe, from: Size): Geometry {
  const { w, h, fit = "inside" } = recipe;
  const margin = recipe.border?.method === "expand" ? Math.min(recipe.border.size, maxBorder) : 0;
  if (w === undefined || h === undefined) {
    const factor = Math.min(1, (w ?? from.width) / from.width, (h ?? from.height) / from.height);
    return { scaled: bound(scale(from, factor), margin) };
  }
  const box = bound({ width: w, height: h }, margin);
  const inside = Math.min(1, box.width / from.width, box.height / from.height);
  const outside = Math.min(1, Math.max(box.width / from.width, box.height / from.height));
  switch (fit) {
    case "inside":
      return { scaled: scale(from, inside) };
    case "outside":
      return { scaled: bound(scale(from, outside), margin) };
    case "fill":
      return { scaled: smaller(box, from) };
    case "contain":
      return { scaled: scale(from, inside), canvas: box };
    case "cover":
      return cover(scale(from, outside), box, { x: 50, y: 50 });
    case "crop":
      return cover(scale(from, outside), box, recipe.focalpoint ?? { x: 50, y: 50 });
  }
}

/** The focal point is in the middle of the cut, as near as the edges allow. */
function cover(scaled: Size, box: Size, focus: { x: number; y: number }): Geometry {
  const size = smaller(box, scaled);
  if (size.width === scaled.width && size.height === scaled.height) return { scaled };
  const at = (percent: number, whole: number, part: number) =>
    Math.min(whole - part, Math.max(0, Math.round((percent / 100) * whole - part / 2)));
  const left = at(focus.x, scaled.width, size.width);
  return { scaled, cut: { ...size, left, top: at(focus.y, scaled.height, size.height) } };
}

/** Limited to the image; a box outside becomes its last row or column. */
function cropBox(crop: { w: number; h: number; x: number; y: number }, source: Size): Box {
  const left = Math.min(crop.x, source.width - 1);
  const top = Math.min(crop.y, source.height - 1);
  const width = Math.max(1, Math.min(crop.w, source.width - left));
  return { left, top, width, height: Math.max(1, Math.min(crop.h, source.height - top)) };
}

/** Scaled down until it is within the limits, with a margin around it. */
function bound(size: Size, margin: number): Size {
  const { width, height } = size;
  const bySide = (maxSide - 2 * margin) / Math.max(width, height);
  // (f width + 2 margin) (f height + 2 margin) = maxArea, solved for f.
  const area = width * height;
  const linear = margin * (width + height);
  const byArea = (Math.sqrt(linear ** 2 + area * (maxArea - 4 * margin ** 2)) - linear) / area;
  const factor = Math.min(bySide, byArea);
  if (factor >= 1) return size;
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) };
}

function scale({ width, height }: Size, factor: number): Size {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

function smaller(a: Size, b: Size): Size {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}
