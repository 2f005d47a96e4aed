// Lays pixels over pixels, with alpha blending.

import sharp from "sharp";
import type { Rgba } from "./colours.ts";
import type { Size } from "./geometry.ts";
import { fromPixels, type Pixels, toPixels } from "./source.ts";

export async function plainPixels({ width, height }: Size, background: Rgba): Promise<Pixels> {
  return toPixels(sharp({ create: { width, height, channels: 4, background }, limitInputPixels: false }));
}

/** `upper` is not larger than `under`. */
export async function layOver(under: Pixels, upper: Pixels, at = { left: 0, top: 0 }): Promise<Pixels> {
  const { data, width, height } = upper;
  return toPixels(fromPixels(under).composite([{ input: data, raw: { width, height, channels: 4 }, ...at }]));
}
