// The metadata that a camera or an editor left in a file: EXIF, IPTC and XMP, as the few keys an image value keeps.
// All of it is foreign text: it is cleaned and cut to size here, and nothing in it can make an upload fail.

import { open } from "node:fs/promises";
import ExifReader, { type ExpandedTags } from "exifreader";
import type { ImageFacts } from "#files/image-types.ts";
import { cleanList, cleanText, decimal, degrees, shutterSpeed, tagDate } from "./tag-values.ts";

export type Metadata = Pick<ImageFacts, "exif" | "title" | "description" | "keywords">;

/** In JPEG files metadata comes first; in others it may be anywhere. */
const headBytes = 1_048_576;
const wholeBytes = 67_108_864;

export async function readMetadata(path: string, withLocation: boolean): Promise<Metadata> {
  try {
    return gather(ExifReader.load(await readStart(path), { expanded: true }), withLocation);
  } catch {
    return { exif: {}, title: "", description: "", keywords: [] };
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const magic = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isJpeg = magic.buffer.readUInt16BE() === 0xffd8;
    const bytes = Buffer.alloc(Math.min(size, isJpeg ? headBytes : wholeBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Tags have many shapes, and files are often wrong about them: every value is checked before it is used. */
type Tags = Record<string, { value?: unknown; description?: unknown } | undefined>;

function gather(found: ExpandedTags, withLocation: boolean): Metadata {
  const exif = (found.exif ?? {}) as Tags;
  const iptc = (found.iptc ?? {}) as Tags;
  const xmp = (found.xmp ?? {}) as unknown as Tags;
  const title = firstText(xmp.title, iptc["Object Name"], xmp.Headline, iptc.Headline);
  const description = firstText(xmp.description, iptc["Caption/Abstract"], exif.ImageDescription);
  return {
    exif: presentExif({
      ...camera(exif, xmp),
      author: firstText(exif.Artist, xmp.creator, iptc["By-line"]),
      description: firstText(exif.ImageDescription, exif.UserComment, xmp.description, iptc["Caption/Abstract"]),
      copyright: firstText(exif.Copyright, xmp.rights, iptc["Copyright Notice"]),
      title: title || firstText(exif.DocumentName, exif.ImageDescription),
      date: tagDate(exif.DateTimeOriginal?.value, exif.OffsetTimeOriginal?.value) || tagDate(exif.DateTime?.value),
      ...(withLocation && location(found, iptc, xmp)),
    }),
    title,
    description,
    keywords: cleanList([
      ...values(xmp.subject),
      ...values(iptc.Keywords),
      ...values(iptc["Supplemental Category(s)"]),
    ]),
  };
}

type ExifValues = Record<string, string | number | undefined>;

/** Only keys with a value. */
function presentExif(found: ExifValues): ImageFacts["exif"] {
  const kept: ImageFacts["exif"] = {};
  for (const [key, value] of Object.entries(found)) if (value !== undefined && value !== "") kept[key] = value;
  return kept;
}

function camera(exif: Tags, xmp: Tags): ExifValues {
  const make = firstText(exif.Make);
  const model = firstText(exif.Model);
  return {
    aperture: decimal(exif.FNumber?.value),
    iso: decimal(exif.ISOSpeedRatings?.value),
    shutterSpeed: shutterSpeed(exif.ExposureTime?.value),
    make,
    camera: model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`.trim(),
    lens: firstText(xmp.Lens, xmp.LensModel, exif.LensModel, exif.LensSpecification),
    focalLength: decimal(exif.FocalLength?.value),
  };
}

function location({ gps }: ExpandedTags, iptc: Tags, xmp: Tags): ExifValues {
  return {
    longitude: degrees(gps?.Longitude, 180),
    latitude: degrees(gps?.Latitude, 90),
    altitude: degrees(gps?.Altitude, 100_000),
    country: firstText(xmp.Country, iptc["Country/Primary Location Name"]),
    state: firstText(xmp.State, iptc["Province/State"]),
    city: firstText(xmp.City, iptc.City),
    sublocation: firstText(xmp.Location, iptc["Sub-location"]),
  };
}

function firstText(...tags: Tags[string][]): string {
  for (const tag of tags) {
    const text = cleanText(tag?.description);
    if (text) return text;
  }
  return "";
}

/** The texts of a tag that may have several. */
function values(tag: Tags[string] | Tags[string][]): unknown[] {
  if (Array.isArray(tag)) return tag.flatMap(values);
  return Array.isArray(tag?.value) && typeof tag.value[0] === "object" ? tag.value.flatMap(values) : [tag?.description];
}
