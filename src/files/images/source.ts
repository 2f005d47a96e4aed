// The one way to open an image file in an image process: header first, limits checked, then as few pixels as the job needs.

import { readFile, stat } from "node:fs/promises";
import sharp, { type Metadata, type Sharp, type SharpOptions } from "sharp";
import { fail } from "#base/errors.ts";
import { checkDrawing } from "#files/drawings.ts";
import { kindOf } from "./kind-of.ts";
import { maxSourceFrames, maxSourceSide } from "./limits.ts";

/** libvips must not try other formats: fewer parsers, fewer holes. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff", "Svg"];

export function prepareSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
}

export interface Source {
  /** The decoder's input: a path, or the bytes themselves. */
  input: string | Buffer;
  header: Metadata;
  /** With the orientation applied. */
  width: number;
  height: number;
  frames: number;
}

/** Throws invalid for a file that is not an image, or for one above the limits. */
export async function openSource(path: string, maxPixels: number): Promise<Source> {
  const input = await findInput(path);
  // The limit is checked here, where the error can name it.
  const header = await sharp(input, { limitInputPixels: false }).metadata();
  const { width, height } = header.autoOrient;
  const frames = header.pages ?? 1;
  if (width * height > maxPixels || Math.max(width, height) > maxSourceSide) {
    fail("invalid", `The image is too large: ${width} x ${height} pixels.`);
  }
  if (frames > maxSourceFrames) fail("invalid", `The image has too many frames: ${frames}.`);
  return { input, header, width, height, frames };
}

const maxDrawingBytes = 16_777_216;

/** A drawing that is read by its path may show files beside it; one that is read from bytes cannot. */
async function findInput(path: string): Promise<string | Buffer> {
  const kind = await kindOf(path);
  if (kind === "missing") fail("not-found", "The image is not there.");
  if (kind === "empty") fail("invalid", "The image is empty.");
  if (kind === "picture") return path;
  if ((await stat(path)).size > maxDrawingBytes) fail("invalid", "The image cannot be read.");
  const bytes = await readFile(path);
  checkDrawing(bytes.toString());
  return bytes;
}

export function decode({ input }: Source, maxPixels: number, more: SharpOptions = {}): Sharp {
  return sharp(input, { limitInputPixels: maxPixels, failOn: "error", sequentialRead: true, ...more });
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
