// The cache key of a recipe: values that change nothing are left out, and the rest is hashed.
// The key is built from the recipe and the source's tag alone: nothing else of a request can add or poison an entry.

import { createHash } from "node:crypto";
import { version } from "#base/version.ts";
import type { ImageRecipe, Watermark } from "./image-types.ts";
import { defaultQuality } from "./images/encode.ts";

/** Nothing that another version has made is used: its libraries may have made other bytes of the same recipe. */
const makerVersion = `${version} 2`;

type Neutral = { [K in keyof ImageRecipe]?: (value: NonNullable<ImageRecipe[K]>, recipe: ImageRecipe) => boolean };

/** Values that leave the image unchanged. */
const neutral: Neutral = {
  fit: (fit, { w, h }) => fit === "inside" || w === undefined || h === undefined,
  focalpoint: ({ x, y }, { fit, w, h }) =>
    fit !== "crop" || w === undefined || h === undefined || (x === 50 && y === 50),
  quality: (quality, { format }) => quality === defaultQuality[format] || format === "png" || format === "gif",
  brightness: (value) => value === 0,
  contrast: (value) => value === 0,
  gamma: (value) => value === 1,
  blur: (value) => value === 0,
  sharpen: (value) => value === 0,
  pixelate: (value) => value <= 1,
  grayscale: (isOn) => !isOn,
  sepia: (isOn) => !isOn,
  rotate: (angle) => angle === 0,
  border: ({ size }) => size === 0,
  watermarks: (marks) => marks.length === 0,
};

export function normaliseRecipe(recipe: ImageRecipe): ImageRecipe {
  const kept = Object.entries(recipe)
    .filter(([key, value]) => value !== undefined && !neutral[key as keyof Neutral]?.(value as never, recipe))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kept) as ImageRecipe;
}

/** Of a normalised recipe. */
export function recipeKey(recipe: ImageRecipe, sourceTag: string, maker = makerVersion): string {
  const marks = recipe.watermarks?.map(nameless);
  const parts = [maker, sourceTag, marks ? { ...recipe, watermarks: marks } : recipe];
  return createHash("sha256").update(JSON.stringify(parts, sortedKeys)).digest("hex").slice(0, 32);
}

/** The path of a file is temporary and says nothing about it; its tag does. */
function nameless({ image, text, tag, ...mark }: Watermark): unknown {
  return { ...mark, image: tag ?? image, text: text && { ...text, font: tag ?? text.font } };
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
