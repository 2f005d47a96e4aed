// Images as they are asked for: the stored bytes, or one made from them. Who may see one is decided by served-files.ts.

import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { fail } from "#base/errors.ts";
import { createLru } from "#base/lru.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { type DerivedImage, derivedImage } from "#files/image-cache.ts";
import type { ImageFormat, ImageRecipe } from "#files/image-types.ts";
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
  /** The same as it was sent. */
  queryText: string;
  /** The header of that name, for `format=auto`. */
  accept: string | undefined;
  pass: Pass;
}

type ImageBytes = {
  mime: string;
  size: number;
  /** Fit for a strong ETag. */
  tag: string;
} & (
  | { bytes: Buffer }
  /** To be streamed or closed. */
  | { bytes?: undefined; stream(): Promise<Readable>; close(): Promise<void> }
);

export type ImageAnswer = ImageBytes & {
  /** As it is stored. */
  name: string;
  /** The stored bytes, of whatever type they are. */
  isOriginal: boolean;
  isShared: boolean;
  /** forever: the address names this very version. never: the next request may get another image. */
  keep: "forever" | "a while" | "never";
  /** The format was chosen by what the client accepts. */
  isByAccept: boolean;
};

export async function getImage(ctx: Context, request: ImageRequest): Promise<ImageAnswer> {
  const settings = imageSettings(ctx);
  const asked = readParameters(request.query, settings);
  const address = readAddress(request.segments) ?? missing();
  const found = await findFile(ctx, { ...address, pass: request.pass }, locateImage(ctx, address));
  const parameters = withFieldMark(asked, found.settings);
  const { value } = found.entry;
  const isOriginal = Object.keys(parameters).length === 0 && isStoredFormat(found);
  const facts: ImageFacts = {
    name: value.name,
    isOriginal,
    isShared: found.isShared,
    keep: found.isFickle ? "never" : request.query.v === (value.hash ?? "") ? "forever" : "a while",
    isByAccept: parameters.format === "auto",
  };
  if (isOriginal) return { ...(await openOriginal(ctx, found)), ...facts };
  const making = { parameters, format: formatOf(found, parameters, request.accept) };
  const wanted = hasMarks(parameters) ? undefined : await wantedOf(ctx, found, making);
  if (wanted && facts.isShared && facts.keep !== "never" && !facts.isByAccept) {
    plans.set(request.url, { wanted, facts, settings, ...(await stateOf(ctx, address.collection)) });
  }
  return { ...(await openDerived(ctx, found, making)), ...facts };
}

interface Plan extends State {
  wanted: Parameters<typeof derivedImage>[1];
  facts: ImageFacts;
  settings: ImageSettings;
}

interface State {
  collection: Collection | undefined;
  /** Of its objects. */
  version: number;
}

/** By address: images that everybody may see, and what must not have changed since that was found out. */
const plans = createLru<Plan>(10_000);

/** The short way to what is asked for all the time: at once, or not at all. */
export function findReadyImage(app: App, url: string): ImageAnswer | undefined {
  const plan = plans.get(url);
  if (!plan?.collection) return undefined;
  const { defaults, presets } = imageSettings(app);
  const isCurrent =
    findCollection(app, plan.collection.id) === plan.collection &&
    app.storage.version(`objects:${plan.collection.id}`) === plan.version &&
    plan.settings.defaults === defaults &&
    plan.settings.presets === presets;
  const image = isCurrent ? findHotImage(app.imageCache, plan.wanted) : undefined;
  return image?.bytes && { ...image, ...plan.facts };
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
  format: ImageFormat;
}

/** One that is thrown out between being found and being opened is made again. */
async function openDerived(app: App, found: Found<PickedImage>, making: Making): Promise<ImageBytes> {
  for (let attempt = 0; ; attempt += 1) {
    const image = await deriveImage(app, found, making);
    if (image.bytes) return image;
    const { path, ...facts } = image;
    const handle = await open(path).catch((error) => {
      if (attempt > 2 || error.code !== "ENOENT") throw error;
    });
    if (!handle) continue;
    return { ...facts, stream: async () => handle.createReadStream({ highWaterMark }), close: () => handle.close() };
  }
}

const highWaterMark = 131_072;

/** The parameter wins over the address, and that over the stored image; what cannot be made becomes a JPEG. */
function formatOf({ extension, entry }: PickedImage, { format }: ImageParameters, accept = ""): ImageFormat {
  if (format === "auto") return accept.includes("image/avif") ? "avif" : accept.includes("image/webp") ? "webp" : "jpg";
  return format ?? findFormat(extension) ?? findFormat(extensionOf(entry.value.name)) ?? "jpg";
}

export async function deriveImage(
  app: App,
  { key, entry: { value } }: Pick<Found, "key" | "entry">,
  { parameters, format }: Making,
): Promise<DerivedImage> {
  const recipe = recipeFor(parameters, format, value);
  const sourceTag = typeof value.hash === "string" ? `${value.hash}-${String(value.size)}` : await tagOf(app, key);
  const wanted = { sourceKey: key, sourceTag, recipe };
  if (!hasMarks(parameters)) return derivedImage(app.imageCache, wanted);
  return withMarks(app, parameters, value, (watermarks) =>
    derivedImage(app.imageCache, { ...wanted, recipe: { ...recipe, watermarks } }),
  );
}

/** Made once for an image and its parameters: popular ones are asked for thousands of times. */
const recipes = new WeakMap<JsonObject, WeakMap<ImageParameters, Map<ImageFormat, ImageRecipe>>>();

function recipeFor(parameters: ImageParameters, format: ImageFormat, image: JsonObject): ImageRecipe {
  const ofImage = recipes.get(image) ?? new WeakMap<ImageParameters, Map<ImageFormat, ImageRecipe>>();
  const ofParameters = ofImage.get(parameters) ?? new Map<ImageFormat, ImageRecipe>();
  const known = ofParameters.get(format);
  if (known) return known;
  const recipe = recipeOf(parameters, format, image);
  ofParameters.set(format, recipe);
  ofImage.set(parameters, ofParameters);
  recipes.set(image, ofImage);
  return recipe;
}

async function tagOf({ files }: App, key: string): Promise<string> {
  return ((await files.find(key)) ?? missing()).tag;
}

function missing(): never {
  fail("not-found", "There is no such image.");
}
