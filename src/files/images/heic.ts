// HEIC to JPEG. The libraries inside sharp read the container but not its HEVC pictures; a decoder in WebAssembly does.
// EXIF and colour profile are carried over; the decoder has turned the picture upright, so the orientation is reset.

import { readFile } from "node:fs/promises";
import { all } from "heic-decode";
import sharp, { type Sharp } from "sharp";
import { CairnError, fail } from "#base/errors.ts";
import { uprightExif, withSegments } from "./jpeg-segments.ts";
import { decode, openSource } from "./source.ts";
import { writeResult } from "./write-result.ts";

const quality = 92;

export async function convertToJpeg(job: { source: string; target: string; maxPixels: number }): Promise<void> {
  const source = await openSource(job.source, job.maxPixels);
  const { exif, icc, compression } = source.header;
  const picture = compression === "hevc" ? await decodeHevc(job.source, job.maxPixels) : decode(source, job.maxPixels);
  const jpeg = await picture.autoOrient().flatten({ background: "white" }).jpeg({ quality }).toBuffer();
  // Other pictures come out of sharp in sRGB already.
  const profile = compression === "hevc" ? icc : undefined;
  await writeResult(job.target, withSegments(jpeg, exif && uprightExif(exif), profile));
}

async function decodeHevc(path: string, maxPixels: number): Promise<Sharp> {
  const buffer = await readFile(path);
  try {
    const pictures = await all({ buffer });
    const [first] = pictures;
    // The container's header and the picture inside may disagree.
    if (!first || first.width * first.height > maxPixels) return fail("invalid", "The image is too large.");
    const { data, width, height } = await first.decode();
    pictures.dispose();
    return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels });
  } catch (error) {
    if (error instanceof CairnError) throw error;
    return fail("invalid", "The image cannot be read.");
  }
}
