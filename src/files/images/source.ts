// The one way to open an image file in an image process: header first, limits checked, then as few pixels as the job needs.

import { existsSync } from "node:fs";
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { fail } from "#base/errors.ts";
import { maxSourceFrames, maxSourceSide } from "./limits.ts";

/** libvips must not guess at formats that nobody asked for: fewer parsers, fewer holes. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff", "Svg"];

export function prepareSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
}

export interface Source {
  path: string;
  header: Metadata;
  /** With the orientation applied. */
  width: number;
  height: number;
  frames: number;
}

/** Throws invalid for what is no image, or for one that is larger than the limits. */
export async function openSource(path: string, maxPixels: number): Promise<Source> {
  const header = await readHeader(path);
  // Of a moving image the height is that of one frame, unless all are opened.
  const { width, height } = header.autoOrient;
  const frames = header.pages ?? 1;
  if (width * height > maxPixels || Math.max(width, height) > maxSourceSide) {
    fail("invalid", `The image is too large: ${width} x ${height} pixels.`);
  }
  if (frames > maxSourceFrames) fail("invalid", `The image has too many frames: ${frames}.`);
  return { path, header, width, height, frames };
}

async function readHeader(path: string): Promise<Metadata> {
  try {
    // The limit is checked by the caller, which can say what is wrong.
    return await sharp(path, { limitInputPixels: false }).metadata();
  } catch (error) {
    if (!existsSync(path)) fail("not-found", "The image is not there.");
    throw error;
  }
}

export function decode(path: string, maxPixels: number, more: SharpOptions = {}): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true, ...more });
}

/** Pixels in memory: 8-bit RGBA, sRGB. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

export async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace("srgb").ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) throw new Error(`expected 4 channels, got ${info.channels}`);
  return { data, width: info.width, height: info.height };
}

export function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false });
}
