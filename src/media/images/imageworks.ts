// Requested images: the stored bytes, or a derived one. authorize-file.ts checks the caller's rights.

import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { fail } from "#base/errors.ts";
import type { App, Context } from "#context.ts";
import { type DerivedImage, derivedImage, type HotImage, type WantedImage } from "#files/image-cache.ts";
import type { ImageFormat } from "#files/image-types.ts";
import { imageFormats } from "#files/image-types.ts";
import { authorizeFile, type FileOwner, findOwner, lookAgain, type ServedFile } from "#media/serving/authorize-file.ts";
import { findUpload } from "#media/serving/open-file.ts";
import type { Pass } from "#media/serving/protection.ts";
import { extensionOf } from "#schemas/values/file-values.ts";
import { hasMarks, isImmutable, withFieldMark, withMarks } from "./image-marks.ts";
import { findFormat, type ImageParameters, readParameters, withDefaultFormat } from "./image-parameters.ts";
import { basisOf, type CacheKeyState, findReady, keepPlan } from "./image-plan-cache.ts";
import { recipeOf } from "./image-recipes.ts";
import { type ImageAddress, type PickedImage, pickImage, readAddress } from "./resolve-image.ts";

export interface ImageRequest {
  /** As it was sent. */
  url: string;
  /** The path behind `/imageworks/`, decoded. */
  segments: readonly string[];
  query: Readonly<Record<string, unknown>>;
  /** The header of that name, for `format=auto`. */
  accept: string | undefined;
  pass: Pass;
  /** A preview shows the draft of this object. */
  seesDraft?(collection: string, id: string): Promise<boolean>;
}

export function answerOf({ image, facts }: ReadyImage): ImageAnswer {
  return { ...facts, ...image };
}

export interface ImageFacts {
  /** As it is stored. */
  name: string;
  /** The stored bytes, of whatever type they are. */
  isOriginal: boolean;
  isShared: boolean;
  /** forever: the address names this very version. never: the next request may get another image. */
  keep: "forever" | "a while" | "never";
  /** The format was chosen by what the client accepts. */
  isByAccept: boolean;
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

export type ImageAnswer = ImageFacts & ImageBytes;

/** An image that everybody may see and that is at hand, under an address without a credential; the others take `withImage`. */
export function findReadyImage(app: App, url: string): ReadyImage | undefined {
  return findReady<ImageFacts>(app, url);
}

export interface ReadyImage {
  image: HotImage;
  facts: ImageFacts;
}

/** `use` is called again where the store lost the image after it was opened. */
export async function withImage<T>(
  ctx: Context,
  request: ImageRequest,
  use: (image: ImageAnswer) => T | Promise<T>,
): Promise<T> {
  const address = readAddress(request.segments) ?? noImage();
  const basis = await basisOf(ctx, address.collection);
  const asked = readParameters(request.query, basis.settings);
  const seesDraft = await request.seesDraft?.(address.collection, address.id);
  for (let tries = 1; ; tries += 1) {
    const owner = await findOwner(ctx, address, seesDraft);
    const picked = await findImage(ctx, owner, address);
    const file = await authorizeFile(ctx, owner, picked?.entry, request.pass);
    if (picked?.problem !== undefined) fail("not-found", picked.problem);
    try {
      return await use(await openImage(ctx, request, { file, picked: picked as PickedImage, basis, asked }));
    } catch (error) {
      lookAgain(ctx, owner, error, tries);
    }
  }
}

interface FoundImage {
  file: ServedFile;
  picked: PickedImage;
  basis: CacheKeyState;
  asked: ImageParameters;
}

async function openImage(
  ctx: Context,
  request: ImageRequest,
  { file, picked, basis, asked }: FoundImage,
): Promise<ImageAnswer> {
  const { value } = file.entry;
  const formed = picked.extension === "" ? withDefaultFormat(asked, basis.settings) : asked;
  const parameters = withFieldMark(ctx, formed, { image: value, settings: file.settings });
  const isOriginal = Object.keys(parameters).length === 0 && isStoredFormat(picked);
  const isVersion = value.hash !== undefined && request.query.v === value.hash && isImmutable(parameters);
  const facts: ImageFacts = {
    name: value.name,
    isOriginal,
    isShared: file.isShared,
    keep: picked.isRandom ? "never" : isVersion ? "forever" : "a while",
    isByAccept: parameters.format === "auto",
  };
  if (isOriginal) return { ...(await openOriginal(ctx, file)), ...facts };
  const wanted = await wantedOf(ctx, file, parameters, formatOf(picked, parameters, request.accept));
  const isStable = facts.isShared && !picked.isRandom && !facts.isByAccept && !hasMarks(parameters) && !hasKey(request);
  const opened = await openDerived(ctx, () => derive(ctx, { wanted, parameters, image: value }));
  if (isStable) keepPlan(ctx, request.url, { basis, wanted, facts });
  return { ...opened, ...facts };
}

/** Each request that sends a credential is judged by it, also where everybody may see the image. */
function hasKey({ query }: ImageRequest): boolean {
  return (query.api_key ?? query.access_token) !== undefined;
}

async function findImage(
  app: App,
  { collection, object }: FileOwner,
  address: ImageAddress,
): Promise<PickedImage | undefined> {
  if (!collection || !object) return undefined;
  if (!address.isUpload) return known(pickImage(collection.schema, object.document, address.path));
  const entry = await findUpload(app, collection.schema, address);
  return entry?.uploadMime?.startsWith("image/") ? { entry, extension: "", isRandom: false } : undefined;
}

/** An extension that is neither a format to make nor the image's own belongs to no image. */
function known(picked: PickedImage | undefined): PickedImage | undefined {
  if (!picked || picked.extension === "" || findFormat(picked.extension)) return picked;
  if (isStoredFormat(picked)) return picked;
  const problem = `There is no such file: images are made as ${imageFormats.join(", ")}, not as ${picked.extension}.`;
  return { ...picked, problem };
}

function isStoredFormat({ extension, entry }: PickedImage): boolean {
  const own = extensionOf(entry.value.name).toLowerCase();
  const asked = extension.toLowerCase();
  return asked === "" || asked === own || (findFormat(asked) !== undefined && findFormat(asked) === findFormat(own));
}

async function openOriginal({ files }: App, { key, entry }: ServedFile): Promise<ImageBytes> {
  const file = await files.open(key);
  const { value, uploadMime } = entry;
  const mime = uploadMime ?? (typeof value.mime === "string" ? value.mime : "application/octet-stream");
  return { mime, size: file.size, tag: file.tag, stream: () => file.stream(), close: () => file.close() };
}

const readSize = 131_072;

/** One that is thrown out between being found and being opened is made again. */
async function openDerived(app: App, make: () => Promise<DerivedImage>): Promise<ImageBytes> {
  for (let attempt = 0; ; attempt += 1) {
    const image = await make();
    if (image.bytes) return image;
    const { path, ...facts } = image;
    const handle = await open(path).catch((error) => {
      if (attempt > 2 || error.code !== "ENOENT") throw error;
      app.log.debug({ path }, "a derived image is made again");
    });
    if (!handle) continue;
    const stream = async () => handle.createReadStream({ highWaterMark: readSize });
    return { ...facts, stream, close: () => handle.close() };
  }
}

/** The parameter wins over the address, and that over the stored image; what cannot be made becomes a JPEG. */
function formatOf({ extension, entry }: PickedImage, { format }: ImageParameters, accept = ""): ImageFormat {
  if (format === "auto") return accept.includes("image/avif") ? "avif" : accept.includes("image/webp") ? "webp" : "jpg";
  return format ?? findFormat(extension) ?? findFormat(extensionOf(entry.value.name)) ?? "jpg";
}

/** Without watermarks. The value's own hash identifies its version; where there is none, the store does. */
async function wantedOf(
  { files }: App,
  { key, entry: { value } }: Pick<ServedFile, "key" | "entry">,
  parameters: ImageParameters,
  format: ImageFormat,
): Promise<WantedImage> {
  const recipe = recipeOf(parameters, format, value);
  const sourceTag =
    typeof value.hash === "string" ? `${value.hash}-${value.size}` : ((await files.find(key)) ?? noImage()).tag;
  return { sourceKey: key, sourceTag, recipe };
}

interface Making {
  wanted: WantedImage;
  parameters: ImageParameters;
  image: ServedFile["entry"]["value"];
}

function derive(app: App, { wanted, parameters, image }: Making): Promise<DerivedImage> {
  if (!hasMarks(parameters)) return derivedImage(app.imageCache, wanted);
  return withMarks(app, parameters, image, (watermarks) =>
    derivedImage(app.imageCache, { ...wanted, recipe: { ...wanted.recipe, watermarks } }),
  );
}

/** Makes it, or finds that it is made. */
export async function deriveImage(
  app: App,
  file: Pick<ServedFile, "key" | "entry">,
  parameters: ImageParameters,
  format: ImageFormat,
): Promise<void> {
  const wanted = await wantedOf(app, file, parameters, format);
  await derive(app, { wanted, parameters, image: file.entry.value });
}

function noImage(): never {
  fail("not-found", "There is no such image.");
}
