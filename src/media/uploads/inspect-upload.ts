// Inspects every uploaded file, whichever way it came: its type is decided by its bytes, it is converted, cleaned, measured and
// checked against the rules of the field. What comes out is a staged file; what went in is gone, also after a failure.

import { readFile, writeFile } from "node:fs/promises";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkDrawing } from "#files/drawings.ts";
import { cleanFileName } from "#files/file-names.ts";
import type { ImageFacts } from "#files/image-types.ts";
import type { StagedFile } from "#files/port.ts";
import { type FileType, sniffType } from "#files/sniff.ts";
import { stripLocation } from "#files/strip-location.ts";
import { checkRules } from "#media/upload-rules.ts";
import { cleanSvg, findSvg } from "#schemas/html/html.ts";
import { measureHtml } from "#schemas/html/html-measure.ts";
import { extensionOf, isImageName, withExtension } from "#schemas/values/file-values.ts";
import type { Accepted } from "./save-file.ts";

export interface UploadRules {
  /** `pictures`: nothing else passes. `links`: a file with the name of a picture must be one, because it is linked as one. */
  takes: "pictures" | "files" | "links";
  /** Of the field. */
  settings: JsonObject;
}

const heic = new Set(["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"]);
const svg = "image/svg+xml";
const pictures = new Set(["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", svg]);

/** Cleaning runs on the main thread, so a drawing is limited. */
const maxSvg = { bytes: 5_000_000, marks: 50_000, depth: 1_000 };

export interface ArrivedFile {
  staged: StagedFile;
  name: string;
  /** The name was taken from an address: it gets an extension when it has none. */
  isNameGuessed?: true;
}

export async function inspectUpload(
  ctx: Context,
  arrived: ArrivedFile,
  { takes, settings }: UploadRules,
): Promise<Accepted> {
  const { name, type, ...rest } = await sanitizeFile(ctx, arrived.staged, cleanFileName(arrived.name));
  let { staged } = rest;
  try {
    const isPicture = pictures.has(type.mime);
    if (!isPicture && (takes === "pictures" || (takes === "links" && isImageName(name)))) {
      fail("invalid", "The file is not an image that can be shown: JPEG, PNG, GIF, WebP, AVIF, HEIC or SVG.");
    }
    const isShownAsPicture = isPicture && takes !== "files";
    if (isShownAsPicture && type.mime !== svg) staged = await withoutPlace(ctx, staged);
    const image = isShownAsPicture ? await inspect(ctx, staged, settings) : undefined;
    const isShown = takes !== "files" || (arrived.isNameGuessed && extensionOf(name) === "");
    const accepted = { staged, name: isShown ? fittingName(name, type) : name, mime: type.mime, image };
    checkRules(settings, { ...accepted, size: staged.size });
    return accepted;
  } catch (error) {
    await ctx.staging.discard(staged);
    throw error;
  }
}

interface SanitizedFile {
  staged: StagedFile;
  name: string;
  type: FileType;
}

/** As it will be stored: a drawing without scripts, HEIC as JPEG. After an error the staged file is gone. */
async function sanitizeFile(ctx: Context, staged: StagedFile, name: string): Promise<SanitizedFile> {
  const { staging, images } = ctx;
  try {
    const type = await sniffType(staged, name);
    if (type.mime === svg) {
      const cleaned = await remake(ctx, staged, async (path) => writeFile(path, await cleanDrawing(staged)));
      return { staged: cleaned, name, type };
    }
    if (!heic.has(type.mime)) return { staged, name, type };
    const jpeg = await remake(ctx, staged, (path) => images.toJpeg(staged.path, path));
    const jpegName = withExtension(name, "jpg");
    return { staged: jpeg, name: jpegName, type: await sniffType(jpeg, jpegName) };
  } catch (error) {
    await staging.discard(staged);
    throw error;
  }
}

async function remake(
  { staging }: Context,
  staged: StagedFile,
  write: (path: string) => Promise<void>,
): Promise<StagedFile> {
  const path = staging.path("made");
  try {
    await write(path);
    const made = await staging.adopt(path);
    await staging.discard(staged);
    return made;
  } catch (error) {
    await staging.discard({ path });
    throw error;
  }
}

async function cleanDrawing(staged: StagedFile): Promise<string> {
  if (staged.size > maxSvg.bytes) fail("invalid", "The drawing is too large to be cleaned.");
  const bytes = await readFile(staged.path);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
  const drawing = findSvg(text) ?? fail("invalid", "The file is no SVG drawing that can be cleaned.");
  const { marks, depth } = measureHtml(drawing, maxSvg.marks);
  if (marks > maxSvg.marks || depth > maxSvg.depth) fail("invalid", "The drawing holds more than can be cleaned.");
  const cleaned = cleanSvg(drawing);
  checkDrawing(cleaned);
  return cleaned;
}

/** The location of a picture is private by default. */
async function withoutPlace({ settings, staging }: Context, staged: StagedFile): Promise<StagedFile> {
  if (settings.get("imageworks.gatherLocation") || !(await stripLocation(staged.path))) return staged;
  return staging.adopt(staged.path);
}

/** Texts in a picture are untrusted: what cannot be stored or shown is removed. */
async function inspect(ctx: Context, staged: StagedFile, settings: JsonObject): Promise<ImageFacts> {
  const facts = await ctx.images.inspect(staged.path, {
    exif: settings.extractExif !== false,
    palette: settings.extractPalette !== false,
    location: ctx.settings.get("imageworks.gatherLocation"),
  });
  const exif = Object.entries(facts.exif).map(([key, value]) => [
    key,
    typeof value === "string" ? plain(value) : value,
  ]);
  return {
    ...facts,
    title: plain(facts.title),
    description: plain(facts.description),
    keywords: facts.keywords.map(plain).filter(Boolean),
    exif: Object.fromEntries(exif),
  };
}

function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .slice(0, 2_000);
}

/** The file is shown by its extension, so it must fit the bytes. */
function fittingName(name: string, { extension }: FileType): string {
  return extensionOf(name).toLowerCase() === extension ? name : withExtension(name, extension);
}
