// Images as they are asked for: the stored bytes, or one made from them. Who may see one is decided by served-files.ts.

import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import { type DerivedImage, derivedImage } from "#files/image-cache.ts";
import type { ImageFormat } from "#files/image-types.ts";
import { extensionOf } from "./file-values.ts";
import { findFormat, type ImageParameters, type ImageSettings, readParameters } from "./image-parameters.ts";
import { type ImageAddress, type PickedImage, pickImage, readAddress } from "./image-places.ts";
import { hasMarks, recipeOf, withFieldMark, withMarks } from "./image-recipes.ts";
import type { Pass } from "./protection.ts";
import { locateUpload } from "./sent-files.ts";
import { type Found, findFile, type Locate } from "./served-files.ts";

export interface ImageRequest {
  /** The path behind `/imageworks/`, decoded. */
  segments: readonly string[];
  query: Readonly<Record<string, unknown>>;
  /** The header of that name, for `format=auto`. */
  accept: string | undefined;
  pass: Pass;
}

interface ImageBytes {
  mime: string;
  size: number;
  /** Fit for a strong ETag. */
  tag: string;
  /** Small ones are at hand. */
  bytes?: Buffer;
  stream(): Promise<Readable>;
  /** For one that is not streamed after all. */
  close(): Promise<void>;
}

export interface ImageAnswer extends ImageBytes {
  /** As it is stored. */
  name: string;
  isShared: boolean;
  /** forever: the address names this very version. never: the next request may get another image. */
  keep: "forever" | "a while" | "never";
  /** The format was chosen by what the client accepts. */
  isByAccept: boolean;
}

export async function getImage(ctx: Context, request: ImageRequest): Promise<ImageAnswer> {
  const asked = readParameters(request.query, imageSettings(ctx));
  const address = readAddress(request.segments) ?? missing();
  const found = await findFile(ctx, { ...address, pass: request.pass }, locateImage(ctx, address));
  const parameters = withFieldMark(asked, found.settings);
  const { value } = found.entry;
  const isOriginal = Object.keys(parameters).length === 0 && isStoredFormat(found);
  const image = isOriginal ? await openOriginal(ctx, found) : await openDerived(ctx, found, { parameters, ...request });
  const isVersion = value.hash !== undefined && request.query.v === value.hash;
  return {
    ...image,
    name: value.name,
    isShared: found.isShared,
    keep: found.isFickle ? "never" : isVersion ? "forever" : "a while",
    isByAccept: parameters.format === "auto",
  };
}

export function imageSettings({ settings }: Pick<App, "settings">): ImageSettings {
  return { defaults: settings.get("imageworks.defaults"), presets: settings.get("imageworks.presets") };
}

function locateImage(app: App, address: ImageAddress): Locate<PickedImage> {
  if (!address.isUpload) return ({ schema }, { document }) => known(pickImage(schema, document, address.path));
  const locate = locateUpload(app, address);
  return async (collection, object) => {
    const found = await locate(collection, object);
    const isImage = found?.uploadMime?.startsWith("image/");
    return found && isImage ? { ...found, extension: "", isFickle: false } : undefined;
  };
}

/** An extension that is neither a format to make nor the image's own belongs to no image. */
function known(picked: PickedImage | undefined): PickedImage | undefined {
  if (!picked || picked.extension === "" || findFormat(picked.extension)) return picked;
  return isStoredFormat(picked) ? picked : undefined;
}

function isStoredFormat({ extension, entry }: PickedImage): boolean {
  const own = extensionOf(entry.value.name).toLowerCase();
  const asked = extension.toLowerCase();
  return asked === "" || asked === own || (findFormat(asked) !== undefined && findFormat(asked) === findFormat(own));
}

async function openOriginal({ files }: App, { key, entry, uploadMime }: Found<PickedImage>): Promise<ImageBytes> {
  const file = await files.open(key);
  const mime = uploadMime ?? (typeof entry.value.mime === "string" ? entry.value.mime : "application/octet-stream");
  return { mime, size: file.size, tag: file.tag, stream: () => file.stream(), close: () => file.close() };
}

interface Making {
  parameters: ImageParameters;
  accept: string | undefined;
}

/** One that is thrown out between being found and being opened is made again. */
async function openDerived(app: App, found: Found<PickedImage>, making: Making): Promise<ImageBytes> {
  for (let attempt = 0; ; attempt += 1) {
    const { path, bytes, ...facts } = await deriveImage(app, found, making.parameters, formatOf(found, making));
    if (bytes) return { ...facts, bytes, stream: () => fail("internal"), close: async () => {} };
    const handle = await open(path as string).catch((error) => {
      if (attempt > 2 || error.code !== "ENOENT") throw error;
    });
    if (handle)
      return { ...facts, stream: async () => handle.createReadStream({ highWaterMark }), close: () => handle.close() };
  }
}

const highWaterMark = 131_072;

/** The parameter wins over the address, and that over the stored image; what can not be made becomes a JPEG. */
function formatOf({ extension, entry }: PickedImage, { parameters, accept = "" }: Making): ImageFormat {
  const { format } = parameters;
  if (format === "auto") return accept.includes("image/avif") ? "avif" : accept.includes("image/webp") ? "webp" : "jpg";
  return format ?? findFormat(extension) ?? findFormat(extensionOf(entry.value.name)) ?? "jpg";
}

export async function deriveImage(
  app: App,
  { key, entry }: Pick<Found, "key" | "entry">,
  parameters: ImageParameters,
  format: ImageFormat,
): Promise<DerivedImage> {
  const { value } = entry;
  const recipe = recipeOf(parameters, format, value);
  const sourceTag = typeof value.hash === "string" ? `${value.hash}-${String(value.size)}` : await tagOf(app, key);
  const wanted = { sourceKey: key, sourceTag, recipe };
  if (!hasMarks(parameters)) return derivedImage(app.imageCache, wanted);
  return withMarks(app, parameters, value, (watermarks) =>
    derivedImage(app.imageCache, { ...wanted, recipe: { ...recipe, watermarks } }),
  );
}

async function tagOf({ files }: App, key: string): Promise<string> {
  return ((await files.find(key)) ?? missing()).tag;
}

function missing(): never {
  fail("not-found", "There is no such image.");
}
