// Reads the facts of an uploaded image. An image that cannot be decoded fails; unreadable metadata does not.

import type { Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import type { ImageFacts } from "#files/image-types.ts";
import { type Metadata, readMetadata } from "./exif.ts";
import type { Wanted } from "./jobs.ts";
import { maxDrawnArea } from "./limits.ts";
import { medianCut } from "./palette.ts";
import { decode, fromPixels, openSource, type Pixels, type Source, toPixels } from "./source.ts";

/** Side of the small image that placeholder and palette are made from. */
const smallSide = 64;
const leastSide = 8;
const colours = 5;

export async function inspectImage(job: { source: string; want: Wanted; maxPixels: number }): Promise<ImageFacts> {
  const { want, maxPixels } = job;
  const source = await openSource(job.source, maxPixels);
  const { header, width, height } = source;
  const image = header.format === "svg" ? await draw(source, maxPixels) : decode(source, maxPixels).autoOrient();
  const small = await toPixels(
    image.resize({ width: smallSide, height: smallSide, fit: "inside", withoutEnlargement: true }),
  );
  const metadata: Metadata = want.exif
    ? await readMetadata(job.source, want.location)
    : { exif: {}, title: "", description: "", keywords: [] };
  return {
    width,
    height,
    mime: header.mediaType ?? `image/${header.format}`,
    ...metadata,
    palette: want.palette ? medianCut(small.data, colours) : [],
    thumbhash: await placeholderOf(small),
  };
}

/**
 * In the size that may be requested later. The time of a drawing depends on it, and must be known at upload, not
 * when it is first shown.
 */
async function draw(source: Source, maxPixels: number): Promise<Sharp> {
  const { width, height } = source;
  const shrink = Math.min(1, Math.sqrt(maxDrawnArea / (width * height)));
  const size = { width: Math.ceil(width * shrink), height: Math.ceil(height * shrink) };
  return fromPixels(await toPixels(decode(source, maxPixels).resize({ ...size, fit: "fill" })));
}

/** The placeholder needs some pixels on either side: a thin image is stretched. */
async function placeholderOf(small: Pixels): Promise<string> {
  const size = { width: Math.max(leastSide, small.width), height: Math.max(leastSide, small.height) };
  const isThin = size.width > small.width || size.height > small.height;
  const { width, height, data } = isThin
    ? await toPixels(fromPixels(small).resize({ ...size, fit: "fill", kernel: "nearest" }))
    : small;
  return Buffer.from(rgbaToThumbHash(width, height, data)).toString("base64");
}
