// Colours: reading them from a recipe, and changing those of pixels in place.
// Brightness, contrast and gamma are one table for every channel; grey and sepia mix the channels. Alpha is left alone.

import type { ImageRecipe } from "#files/image-types.ts";

export type Rgba = { r: number; g: number; b: number; alpha: number };

export const transparent: Rgba = { r: 0, g: 0, b: 0, alpha: 0 };
export const white: Rgba = { r: 255, g: 255, b: 255, alpha: 1 };

/** `#rgb`, `#rrggbb` or `#rrggbbaa`, with or without the sign. */
export function parseColour(text: string): Rgba {
  const digits = text.replace(/^#/, "");
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16) || 0;
  return { r: part(0), g: part(2), b: part(4), alpha: long.length >= 8 ? part(6) / 255 : 1 };
}

type Tone = Pick<ImageRecipe, "brightness" | "contrast" | "gamma" | "grayscale" | "sepia">;

export function hasTone(recipe: Tone): boolean {
  const { brightness = 0, contrast = 0, gamma = 1, grayscale = false, sepia = false } = recipe;
  return brightness !== 0 || contrast !== 0 || gamma !== 1 || grayscale || sepia;
}

/** Each row gives one channel from red, green and blue. */
type Matrix = readonly [Row, Row, Row];
type Row = readonly [number, number, number];

const luma: Row = [0.299, 0.587, 0.114];
const grey: Matrix = [luma, luma, luma];
const brown: Matrix = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];

/** `pixels` are RGBA. */
export function applyTone(pixels: Uint8Array, recipe: Tone): void {
  const table = toneTable(recipe);
  const matrix = recipe.sepia ? brown : recipe.grayscale ? grey : undefined;
  for (let at = 0; at < pixels.length; at += 4) {
    const r = table[pixels[at] as number] as number;
    const g = table[pixels[at + 1] as number] as number;
    const b = table[pixels[at + 2] as number] as number;
    pixels[at] = matrix ? mix(matrix[0], r, g, b) : r;
    pixels[at + 1] = matrix ? mix(matrix[1], r, g, b) : g;
    pixels[at + 2] = matrix ? mix(matrix[2], r, g, b) : b;
  }
}

function mix(row: Row, r: number, g: number, b: number): number {
  return Math.min(255, row[0] * r + row[1] * g + row[2] * b + 0.5);
}

function toneTable({ brightness = 0, contrast = 0, gamma = 1 }: Tone): Uint8ClampedArray {
  const steepness = ((100 + contrast) / 100) ** 2;
  return Uint8ClampedArray.from({ length: 256 }, (_, value) => {
    const contrasted = (value / 255 + brightness / 100 - 0.5) * steepness + 0.5;
    return 255 * Math.min(1, Math.max(0, contrasted)) ** (1 / gamma);
  });
}

/** Makes RGBA pixels fainter. */
export function applyAlpha(pixels: Uint8Array, share: number): void {
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = Math.round((pixels[at] as number) * share);
}
