// Images for tests, made on the spot; the one HEIC file is here in full, because nothing installed can write HEVC.

import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { createLog } from "#base/log.ts";
import type { ImageMaker, ImageRecipe } from "#files/image-types.ts";
import { openImages } from "./open-images.ts";

export type Colour = [r: number, g: number, b: number];
export const red: Colour = [192, 32, 32];
export const blue: Colour = [32, 64, 192];

/** Left half red, right half blue. */
export function halves(width: number, height: number): Sharp {
  const middle = Math.round(width / 2);
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="${middle}" height="${height}" fill="rgb(${red})"/>
        <rect x="${middle}" width="${width - middle}" height="${height}" fill="rgb(${blue})"/>
      </svg>`,
    ),
  ).removeAlpha();
}

export function plain(width: number, height: number, colour: Colour | "transparent"): Sharp {
  const [r, g, b] = colour === "transparent" ? [0, 0, 0] : colour;
  const alpha = colour === "transparent" ? 0 : 1;
  return sharp({ create: { width, height, channels: 4, background: { r, g, b, alpha } } });
}

/** Coarse in a large image, because noise is slow to make. */
export function noise(width: number, height: number): Sharp {
  const grain = Math.max(1, Math.round(width / 500));
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  return sharp({
    create: {
      width: Math.ceil(width / grain),
      height: Math.ceil(height / grain),
      channels: 3,
      background: "grey",
      noise,
    },
  }).resize(width, height, { kernel: "nearest", fit: "fill" });
}

/** A GIF whose frames differ. */
export async function moving(width: number, height: number, frames: number): Promise<Buffer> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, at) =>
      plain(width, height, [(at * 37) % 256, (at * 91) % 256, at % 256])
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: frames > 0 ? Array(frames).fill(100) : [] })
    .toBuffer();
}

/** A PNG of the size that holds no pixels at all: only its header is true. */
export async function bomb(width: number, height: number): Promise<Buffer> {
  const bytes = await plain(1, 1, red).png().toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

/** 96 x 64, halves like above, with EXIF: make "Cairn", model "Test", and a place. */
export const heic = Buffer.from(
  [
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAYBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAA",
    "AAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAGkAAEAAAAAAAAAMgACAAAAAAHWAAEAAAAAAAABTgAAADhpaW5mAAAAAAACAAAAFWluZmUCAAAA",
    "AAEAAGh2YzEAAAAAFWluZmUCAAABAAIAAEV4aWYAAAAAv2lwcnAAAAChaXBjbwAAAHVodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGE",
    "ABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQAoQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAA",
    "ABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQ",
    "AAAYhtZGF0AAAALigBr1gF6AYYqZJf//LhX/9G0kPjyxPF2p+xI1bdStxu2QBHmNeqMGUWyrOD0rgAAAAASUkqAAgAAAAJAA8BAgAGAAAAkAAA",
    "ABABAgAFAAAAigAAABIBAwABAAAAAQAAABoBBQABAAAAegAAABsBBQABAAAAggAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAGmHBAABAAAAlg",
    "AAACWIBAABAAAA5AAAAAAAAABIAAAAAQAAAEgAAAABAAAAVGVzdAAAQ2Fpcm4ABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAx",
    "MDABoAMAAQAAAP//AAACoAQAAQAAAGAAAAADoAQAAQAAAEAAAAAAAAAABAABAAIAAgAAAE4AAAACAAUAAwAAADIBAAADAAIAAgAAAEUAAAAEAA",
    "UAAwAAABoBAAAAAAAACAAAAAEAAAAPAAAAAQAAAAAAAAABAAAALwAAAAEAAAAeAAAAAQAAAAAAAAABAAAA",
  ].join(""),
  "base64",
);

/** Pixels of an image, for looking at single ones. */
export async function look(bytes: Buffer | string) {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return {
    width: info.width,
    height: info.height,
    at: (x: number, y: number) => at(x, y) as [number, number, number, number],
  };
}

export function isNear(pixel: readonly number[], colour: readonly number[], distance = 12): boolean {
  return colour.every((part, at) => Math.abs(part - (pixel[at] as number)) <= distance);
}

export interface Studio {
  images: ImageMaker;
  folder: string;
  /** Writes a file of the folder; its path. */
  put(name: string, content: Sharp | Buffer): Promise<string>;
  /** Makes an image and returns the path of the result. */
  make(source: string, recipe: ImageRecipe): Promise<string>;
  close(): Promise<void>;
}

/** An image maker with a folder to work in. */
export function openStudio(options: Partial<Parameters<typeof openImages>[0]> = {}): Studio {
  const folder = mkdtempSync(join(tmpdir(), "cairn-images-"));
  const images = openImages({ log: createLog("silent"), maxPixels: () => 100_000_000, ...options });
  let made = 0;
  return {
    images,
    folder,
    async put(name, content) {
      const path = join(folder, name);
      await writeFile(path, Buffer.isBuffer(content) ? content : await content.toFormat(formatOf(name)).toBuffer());
      return path;
    },
    async make(source, recipe) {
      made += 1;
      const target = join(folder, `made-${made}.${recipe.format}`);
      await images.make(source, recipe, target);
      return target;
    },
    async close() {
      await images.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function formatOf(name: string): "jpeg" | "png" | "webp" | "avif" | "gif" | "tiff" {
  const ending = name.split(".").at(-1) as string;
  return ending === "jpg" ? "jpeg" : (ending as "png");
}
