// Watermarks: a small image or a text, laid over the pixels at one of nine places.
// Text reaches the renderer escaped; a mark is never larger than the image it is laid on.

import sharp from "sharp";
import type { Watermark } from "#files/image-types.ts";
import { applyAlpha, parseColour, transparent } from "./colours.ts";
import { readFontFamily } from "./fonts.ts";
import type { Size } from "./geometry.ts";
import { decode, fromPixels, openSource, type Pixels, toPixels } from "./source.ts";

const maxTextWidth = 8_000;
/** Share of the image's width that a text may take when nothing else is said. */
const textShare = 0.9;

export async function addMark(onto: Pixels, mark: Watermark, maxPixels: number): Promise<Pixels> {
  const drawn = mark.image ? await readMark(mark.image, maxPixels) : mark.text && (await drawText(mark.text));
  if (!drawn || mark.alpha <= 0) return onto;
  const fitted = await fit(drawn, mark, onto);
  if (mark.alpha < 100) applyAlpha(fitted.data, mark.alpha / 100);
  const { data, width, height } = fitted;
  const raw = { width, height, channels: 4 as const };
  return toPixels(fromPixels(onto).composite([{ input: data, raw, ...place(fitted, mark, onto) }]));
}

async function readMark(path: string, maxPixels: number): Promise<Pixels> {
  return toPixels(decode(await openSource(path, maxPixels), maxPixels).autoOrient());
}

async function drawText(text: NonNullable<Watermark["text"]>): Promise<Pixels> {
  const longest = Math.max(1, ...text.value.split("\n").map((line) => line.length));
  const size = Math.max(1, Math.min(Math.round(text.size), Math.floor(maxTextWidth / longest)));
  const colour = parseColour(text.color);
  const hex = [colour.r, colour.g, colour.b].map((part) => part.toString(16).padStart(2, "0")).join("");
  const family = text.font ? await readFontFamily(text.font) : "Sans";
  const letters = sharp({
    text: {
      text: `<span foreground="#${hex}">${escapeMarkup(text.value)}</span>`,
      font: `${family} ${size}`,
      ...(text.font && { fontfile: text.font }),
      // One point is then one pixel.
      dpi: 72,
      rgba: true,
    },
  });
  const background = text.background === undefined ? transparent : parseColour(text.background);
  const pad = Math.max(0, Math.round(text.padding));
  const padded = fromPixels(await toPixels(letters)).extend({
    left: pad,
    right: pad,
    top: pad,
    bottom: pad,
    background,
  });
  const lettering = fromPixels(await toPixels(background.alpha === 0 ? padded : padded.flatten({ background })));
  return toPixels(text.angle % 360 === 0 ? lettering : lettering.rotate(text.angle, { background: transparent }));
}

/** Characters that markup knows get replaced, those that no text holds are dropped. */
function escapeMarkup(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
  const clean = text.toWellFormed().replace(/[\u0000-\u0009\u000b-\u001f\u007f\ufffe\uffff]/g, " ");
  return clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function fit(drawn: Pixels, mark: Watermark, onto: Size): Promise<Pixels> {
  const pad = 2 * (mark.padding ?? 0);
  const width = parseLength(mark.width, onto) ?? (mark.text ? onto.width * textShare : onto.width);
  const height = parseLength(mark.height, onto) ?? onto.height;
  const box = {
    width: Math.max(1, Math.round(Math.min(width, onto.width - pad))),
    height: Math.max(1, Math.round(Math.min(height, onto.height - pad))),
  };
  return toPixels(fromPixels(drawn).resize({ ...box, fit: "inside", withoutEnlargement: true }));
}

/** `120` are pixels, `25w` and `25h` percent of the image's width and height. */
function parseLength(text: string | undefined, { width, height }: Size): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([wh]?)$/.exec(text ?? "") ?? [];
  if (digits === undefined) return undefined;
  if (unit === "") return Number(digits);
  return ((unit === "w" ? width : height) * Number(digits)) / 100;
}

/** Offsets count from the edge that the position names, inwards. */
function place(mark: Size, { position, padding = 0, x = 0, y = 0 }: Watermark, onto: Size) {
  const at = (isStart: boolean, isEnd: boolean, room: number, offset: number) => {
    const wanted = isStart ? padding + offset : isEnd ? room - padding - offset : room / 2 + offset;
    return Math.round(Math.min(room, Math.max(0, wanted)));
  };
  const words = position.split("-");
  return {
    left: at(words.includes("left"), words.includes("right"), onto.width - mark.width, x),
    top: at(words.includes("top"), words.includes("bottom"), onto.height - mark.height, y),
  };
}
