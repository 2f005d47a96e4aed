// Watermarks: a small image or a text, laid over the pixels at one of nine positions.
// Text reaches the renderer escaped; a mark is never larger than its image.

import sharp from "sharp";
import { fail } from "#base/errors.ts";
import type { Watermark } from "#files/image-types.ts";
import { applyAlpha, parseColour, transparent } from "./colours.ts";
import { readFontName } from "./fonts.ts";
import type { Size } from "./geometry.ts";
import { layOver, plainPixels } from "./layers.ts";
import { decode, fromPixels, openSource, type Pixels, toPixels } from "./source.ts";

/** Of a drawn text, which is then scaled down. */
const maxSheet = 8_000;
const minSheet = 1_000;
/** For an SVG in its own size; the renderer's limit. */
const svgDensity = 72;
const maxDensity = 100_000;
/** Large enough to be scaled to any width. */
const scalableSize = 500;
/** Default share of the image's width for a text. */
const textShare = 0.9;
/** Largest share of the image's side for padding, so that a mark stays visible. */
const paddingShare = 0.25;

export async function addMark(onto: Pixels, mark: Watermark, maxPixels: number): Promise<Pixels> {
  if (mark.alpha <= 0) return onto;
  const isSized = mark.width !== undefined || mark.height !== undefined;
  const drawn = mark.image
    ? await readMark(mark.image, maxPixels, isSized ? onto : undefined)
    : mark.text && (await drawText(mark.text, sheetSide(onto), isSized));
  if (!drawn) return onto;
  const fitted = await fit(drawn, mark, onto);
  if (mark.alpha < 100) applyAlpha(fitted.data, mark.alpha / 100);
  return layOver(onto, fitted, place(fitted, mark, onto));
}

/** A drawing that will be scaled is drawn as large as its image. */
async function readMark(path: string, maxPixels: number, onto: Size | undefined): Promise<Pixels> {
  const source = await openSource(path, maxPixels);
  const { width, height, header } = source;
  const factor = onto && header.format === "svg" ? Math.min(onto.width / width, onto.height / height) : 1;
  const more = factor > 1 ? { density: Math.min(maxDensity, svgDensity * factor) } : {};
  return toPixels(decode(source, maxPixels, more).autoOrient());
}

/** Several times as large as the image, so that a text that was cut to it is still scaled down, never up. */
function sheetSide({ width, height }: Size): number {
  return Math.min(maxSheet, Math.max(minSheet, 4 * Math.max(width, height)));
}

async function drawText(text: NonNullable<Watermark["text"]>, side: number, isSized: boolean): Promise<Pixels> {
  const lines = text.value.split("\n");
  const longest = Math.max(...lines.map((line) => line.length), 1.5 * lines.length);
  const asked = isSized ? Math.max(text.size, scalableSize) : text.size;
  const size = Math.max(1, Math.min(Math.round(asked), Math.floor(side / longest)));
  const colour = parseColour(text.color);
  const hex = [colour.r, colour.g, colour.b].map((part) => part.toString(16).padStart(2, "0")).join("");
  const font = text.font ? await readFontName(text.font) : "Sans";
  const letters = sharp({
    text: {
      text: `<span foreground="#${hex}">${escapeMarkup(text.value)}</span>`,
      font: `${font} ${size}`,
      ...(text.font && { fontfile: text.font }),
      // Then one point is one pixel.
      dpi: 72,
      rgba: true,
    },
  });
  // Text of only spaces, or without any font, has no ink.
  const ink = await toPixels(letters).catch(() => fail("invalid", "The text of the watermark cannot be drawn."));
  if (colour.alpha < 1) applyAlpha(ink.data, colour.alpha);
  const background = text.background === undefined ? transparent : parseColour(text.background);
  // Padding keeps its share of a text that is drawn larger or smaller than requested.
  const pad = Math.max(0, Math.min(Math.round((text.padding * size) / text.size), Math.round(side / 4)));
  const sheet = await plainPixels({ width: ink.width + 2 * pad, height: ink.height + 2 * pad }, background);
  const lettering = await layOver(sheet, ink, { left: pad, top: pad });
  if (text.angle % 360 === 0) return lettering;
  return toPixels(fromPixels(lettering).rotate(text.angle, { background: transparent }));
}

/** Escapes markup, drops control characters. */
function escapeMarkup(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
  const clean = text.toWellFormed().replace(/[\u0000-\u0009\u000b-\u001f\u007f\ufffe\uffff]/g, " ");
  return clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A requested size is applied, within the available space; otherwise a mark has its own size, or as much of it as fits. */
async function fit(drawn: Pixels, mark: Watermark, onto: Size): Promise<Pixels> {
  const pad = paddingOf(mark, onto);
  const room = { width: onto.width - 2 * pad.x, height: onto.height - 2 * pad.y };
  const width = parseLength(mark.width, onto);
  const height = parseLength(mark.height, onto);
  const asked = { width: width ?? (mark.text ? onto.width * textShare : room.width), height: height ?? room.height };
  const box = { width: shorter(asked.width, room.width), height: shorter(asked.height, room.height) };
  const isOwnSize = width === undefined && height === undefined;
  if (isOwnSize || !mark.fit || mark.fit === "inside" || width === undefined || height === undefined) {
    return toPixels(fromPixels(drawn).resize({ ...box, fit: "inside", withoutEnlargement: isOwnSize }));
  }
  const how = mark.fit === "crop" ? "cover" : mark.fit;
  const fitted = await toPixels(fromPixels(drawn).resize({ ...box, fit: how, background: transparent }));
  if (how !== "outside") return fitted;
  const most = { width: shorter(fitted.width, room.width), height: shorter(fitted.height, room.height) };
  return toPixels(fromPixels(fitted).resize({ ...most, fit: "inside" }));
}

function shorter(wanted: number, most: number): number {
  return Math.max(1, Math.floor(Math.min(Math.round(wanted), most)));
}

function paddingOf({ padding = 0 }: Watermark, { width, height }: Size): { x: number; y: number } {
  return { x: Math.min(padding, width * paddingShare), y: Math.min(padding, height * paddingShare) };
}

/** `120` are pixels, `25w` and `25h` percent of the image's width and height. */
function parseLength(text: string | undefined, { width, height }: Size): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)([wh]?)$/.exec(text ?? "") ?? [];
  if (digits === undefined) return undefined;
  if (unit === "") return Number(digits);
  return ((unit === "w" ? width : height) * Number(digits)) / 100;
}

/** Offsets count from the edge that the position names, inwards. */
function place(size: Size, mark: Watermark, onto: Size): { left: number; top: number } {
  const { position, x = 0, y = 0 } = mark;
  const pad = paddingOf(mark, onto);
  const words = position.split("-");
  const at = (edges: readonly [string, string], room: number, [padding, offset]: readonly [number, number]) => {
    const [isStart, isEnd] = edges.map((edge) => words.includes(edge));
    const wanted = isStart ? padding + offset : isEnd ? room - padding - offset : room / 2 + offset;
    return Math.round(Math.min(room, Math.max(0, wanted)));
  };
  return {
    left: at(["left", "right"], onto.width - size.width, [pad.x, x]),
    top: at(["top", "bottom"], onto.height - size.height, [pad.y, y]),
  };
}
