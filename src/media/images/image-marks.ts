// Watermarks: those that were asked for, those that a field is set to, and the files of the site that they are made of.

import { hasWatermarks } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { Watermark } from "#files/image-types.ts";
import { planGeometry } from "#files/images/geometry.ts";
import { withLocalFile } from "#files/local-copies.ts";
import { findServedObject } from "#media/serving/file-owner-cache.ts";
import { listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import { type ImageParameters, parse } from "./image-parameters.ts";
import { colourOf, recipeOf, turnedSize, withoutAbsent } from "./image-recipes.ts";

/** For an unknown size: a large square. */
const unknownSide = 8_000;

/** The field's watermark overrides the request, so it cannot be removed by a parameter. An edition without marks drops all. */
export function withFieldMark(
  app: Pick<App, "settings">,
  parameters: ImageParameters,
  { image, settings }: { image: JsonObject; settings: JsonObject },
): ImageParameters {
  const { watermark } = settings;
  if (!hasWatermarks(app)) return withoutMarks(parameters);
  if (!isJsonObject(watermark) || isSmall(parameters, image, watermark.limit)) return parameters;
  return { ...withoutMarks(parameters), ...parse(watermark) };
}

function withoutMarks(parameters: ImageParameters): ImageParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith("mark")));
}

/** Whether a size was asked for that gives nothing above the limit. Pieces are not small: together they are the whole image. */
function isSmall(parameters: ImageParameters, image: JsonObject, limit: unknown): boolean {
  const { w, h, crop, or = 0 } = parameters;
  if (typeof limit !== "number" || crop || (w === undefined && h === undefined)) return false;
  const { width, height } = turnedSize(image, or);
  const source = { width: width || unknownSide, height: height || unknownSide };
  const { scaled, cut = scaled, canvas = cut } = planGeometry(recipeOf(parameters, "jpg", image), source);
  return Math.max(canvas.width, canvas.height) <= limit;
}

export function hasMarks({ mark, marktext }: ImageParameters): boolean {
  return mark !== undefined || marktext !== undefined;
}

/** Whether the stored bytes and the parameters decide all of the image: neither a mark nor the focal point may change it. */
export function isImmutable(parameters: ImageParameters): boolean {
  const { fit, focus } = parameters.fit ?? {};
  return !hasMarks(parameters) && (fit !== "crop" || focus !== undefined);
}

/** Does the work with the watermarks that the parameters name; their files lie on this machine meanwhile. */
export async function withMarks<T>(
  app: App,
  parameters: ImageParameters,
  image: JsonObject,
  work: (marks: Watermark[]) => Promise<T>,
): Promise<T> {
  const { mark, marktext, marktextfont } = parameters;
  const gallery = app.settings.get("imageworks.watermarksGallery");
  const depot = app.settings.get("imageworks.watermarkFontsDepot");
  const drawn =
    mark === undefined ? undefined : await findAsset(app, { collection: "gallery", id: gallery, name: mark }, "mark");
  const font =
    marktextfont === undefined
      ? undefined
      : await findAsset(app, { collection: "depot", id: depot, name: marktextfont }, "marktextfont");
  return withAsset(app, drawn, (imagePath) =>
    withAsset(app, font, (fontPath) =>
      work([
        ...(imagePath === undefined ? [] : [imageMark(parameters, imagePath, (drawn as Asset).tag)]),
        ...(marktext === undefined ? [] : [textMark(parameters, marktext, { image, fontPath, tag: font?.tag })]),
      ]),
    ),
  );
}

interface Asset {
  key: string;
  tag: string;
}

/** A file of the site itself, for every caller: by its name, or its name without the extension. */
async function findAsset(
  app: App,
  at: { collection: string; id: string; name: string },
  parameter: string,
): Promise<Asset> {
  const collection = await getCollection(app, at.collection);
  const object = await findServedObject(app, collection, at.id);
  const place = object && resolvePlace(collection.schema, object.document, [at.collection]);
  const entries = place ? listEntries(place) : [];
  const found =
    entries.find(({ value }) => value.name === at.name) ??
    entries.find(({ value }) => value.name.replace(/\.[^.]*$/, "") === at.name);
  if (!found)
    return fail("invalid", "There is no such watermark or font.", {
      [parameter]: ["must be the name of a stored file"],
    });
  return { key: [at.collection, at.id, ...found.stored].join("/"), tag: `${at.name} ${String(found.value.hash)}` };
}

function withAsset<T>(app: App, asset: Asset | undefined, work: (path?: string) => Promise<T>): Promise<T> {
  return asset ? withLocalFile(app, asset.key, work) : work();
}

function imageMark(parameters: ImageParameters, image: string, tag: string): Watermark {
  const { markw, markh, markfit, markx, marky, markpad, markpos = "bottom-right", markalpha = 100 } = parameters;
  const size = { width: markw, height: markh, fit: markfit };
  return withoutAbsent<Watermark>({
    ...{ image, tag, ...size },
    ...{ position: markpos, x: markx, y: marky, padding: markpad, alpha: markalpha },
  });
}

function textMark(
  parameters: ImageParameters,
  value: string,
  { image, fontPath, tag }: { image: JsonObject; fontPath: string | undefined; tag: string | undefined },
): Watermark {
  const { marktextpos = "center", marktextx, marktexty, marktextalpha = 100 } = parameters;
  const { marktextw, marktexth, marktextfit } = parameters;
  const size = { width: marktextw, height: marktexth, fit: marktextfit };
  const text = withoutAbsent<NonNullable<Watermark["text"]>>({
    value,
    size: parameters.marktextsize ?? 500,
    color: colourOf(parameters.marktextcolor, image) ?? "ffffff",
    background: colourOf(parameters.marktextbg, image),
    padding: parameters.marktextpad ?? 10,
    angle: parameters.marktextangle ?? 0,
    font: fontPath,
  });
  return withoutAbsent<Watermark>({
    ...{ text, tag, ...size },
    ...{ position: marktextpos, x: marktextx, y: marktexty, alpha: marktextalpha },
  });
}
