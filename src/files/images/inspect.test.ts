import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA, thumbHashToRGBA } from "thumbhash";
import { uprightExif, withSegments } from "./jpeg-segments.ts";
import { medianCut } from "./palette.ts";
import { blue, halves, heic, isNear, look, moving, openStudio, plain, red } from "./sample-images.fixture.ts";
import { cleanList, cleanText, decimal, shutterSpeed, tagDate } from "./tag-values.ts";

const studio = openStudio();
after(() => studio.close());

const everything = { exif: true, palette: true, location: true };

const tags = {
  IFD0: { Make: "Cairn", Model: "One", Artist: "Ana", Copyright: "2026 Ana", ImageDescription: "A cairn" },
  IFD2: {
    FNumber: "28/10",
    ISOSpeedRatings: "200",
    ExposureTime: "1/125",
    FocalLength: "50/1",
    DateTimeOriginal: "2026:05:01 12:30:00",
    LensModel: "Fifty",
  },
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 30/1 0/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "8/1 15/1 0/1",
    GPSAltitude: "410/1",
    GPSAltitudeRef: "0",
  },
};

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" aux:Lens="Fifty II" photoshop:City="Bern" photoshop:Country="Switzerland">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Stones</rdf:li></rdf:Alt></dc:title>
  <dc:subject><rdf:Bag><rdf:li>stone</rdf:li><rdf:li> alp </rdf:li><rdf:li>stone</rdf:li></rdf:Bag></dc:subject>
  </rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A JPEG with one IPTC block in front. */
function withIptc(jpeg: Buffer, records: [number, string][]): Buffer {
  const data = Buffer.concat(
    records.map(([code, text]) => {
      const head = Buffer.from([0x1c, 2, code, 0, 0]);
      head.writeUInt16BE(Buffer.byteLength(text), 3);
      return Buffer.concat([head, Buffer.from(text)]);
    }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const block = Buffer.concat([Buffer.from("Photoshop 3.0\x008BIM\x04\x04\x00\x00", "latin1"), size, data]);
  const even = Buffer.concat([block, Buffer.alloc(data.length % 2)]);
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(even.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, even, jpeg.subarray(2)]);
}

test("IMG-26 size is the upright one, the type is that of the content", async () => {
  const path = await studio.put("liar.png", await halves(200, 100).withMetadata({ orientation: 8 }).jpeg().toBuffer());
  const { width, height, mime } = await studio.images.inspect(path, everything);
  assert.deepEqual({ width, height, mime }, { width: 100, height: 200, mime: "image/jpeg" });
  const mimes = { "a.png": "png", "a.webp": "webp", "a.gif": "gif", "a.avif": "avif", "a.tiff": "tiff" };
  for (const [name, type] of Object.entries(mimes)) {
    const facts = await studio.images.inspect(await studio.put(name, halves(40, 20)), everything);
    assert.deepEqual([facts.mime, facts.width, facts.height], [`image/${type}`, 40, 20]);
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>');
  assert.equal((await studio.images.inspect(await studio.put("a.svg", svg), everything)).mime, "image/svg+xml");
  const gif = await studio.images.inspect(await studio.put("moving.gif", await moving(40, 30, 30)), everything);
  assert.deepEqual([gif.width, gif.height], [40, 30]);
});

test("IMG-26 the palette holds up to five colours, and the placeholder looks like the image", async () => {
  const path = await studio.put("p.png", halves(300, 100));
  const { palette, thumbhash } = await studio.images.inspect(path, everything);
  assert.ok(palette.length >= 2 && palette.length <= 5);
  assert.ok(palette.every((colour) => /^#[0-9a-f]{6}$/.test(colour)));
  const hash = Buffer.from(thumbhash, "base64");
  assert.ok(Math.abs(thumbHashToApproximateAspectRatio(hash) - 3) < 1.2);
  const { r, g, b } = thumbHashToAverageRGBA(hash);
  assert.ok(isNear([r * 255, g * 255, b * 255], [112, 48, 112], 25));
  assert.deepEqual((await studio.images.inspect(path, { ...everything, palette: false })).palette, []);
});

test("IMG-26 the most common colour comes first, and transparent pixels do not count", () => {
  const pixels = (count: number, ...rgba: number[]) => Array(count).fill(rgba).flat();
  const image = [...pixels(60, 10, 20, 30, 255), ...pixels(30, 200, 0, 0, 255), ...pixels(99, 0, 255, 0, 0)];
  assert.deepEqual(medianCut(Uint8Array.from(image), 5), ["#0a141e", "#c80000"]);
  assert.deepEqual(medianCut(Uint8Array.from(pixels(9, 1, 2, 3, 0)), 5), []);
});

test("IMG-26 colours that look alike are one of the palette", () => {
  const many = Array.from({ length: 400 }, (_, at) => [200 + (at % 9), 30 + (at % 7), 30, 255]).flat();
  const rare = Array.from({ length: 20 }, () => [20, 60, 220, 255]).flat();
  const palette = medianCut(Uint8Array.from([...many, ...rare]), 5);
  assert.deepEqual([palette.length, palette[1]], [2, "#143cdc"]);
});

test("IMG-26 the placeholder of a tiny or thin image is plain as well", async () => {
  for (const [width, height] of [
    [1, 1],
    [3_000, 1],
    [1, 3_000],
  ] as const) {
    const path = await studio.put("thin.png", plain(width, height, red));
    const { rgba } = thumbHashToRGBA(Buffer.from((await studio.images.inspect(path, everything)).thumbhash, "base64"));
    for (let at = 0; at < rgba.length; at += 4) assert.ok(isNear([...rgba.subarray(at, at + 3)], red, 30), `${width}`);
  }
});

test("IMG-27 metadata of the camera is kept under few names", async () => {
  const jpeg = await halves(90, 60).withExif(tags).jpeg().toBuffer();
  const { exif, title, description } = await studio.images.inspect(await studio.put("exif.jpg", jpeg), everything);
  assert.deepEqual(exif, {
    aperture: 2.8,
    iso: 200,
    shutterSpeed: "1/125",
    make: "Cairn",
    camera: "Cairn One",
    lens: "Fifty",
    focalLength: 50,
    author: "Ana",
    description: "A cairn",
    copyright: "2026 Ana",
    title: "A cairn",
    date: "2026-05-01T12:30:00",
    longitude: "8.25",
    latitude: "-33.5",
    altitude: "410",
  });
  assert.deepEqual([title, description], ["", "A cairn"]);
});

/** 8 x 8 grey pixels, and a make of five letters. */
function tiff(make: string): Buffer {
  const text = 122;
  const pixels = text + 6;
  const entries = [
    [256, 3, 1, 8],
    [257, 3, 1, 8],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [271, 2, 6, text],
    [273, 4, 1, pixels],
    [278, 3, 1, 8],
    [279, 4, 1, 64],
  ];
  const file = Buffer.alloc(pixels + 64, 0x55);
  file.write("II*\x00\x08\x00\x00\x00", "latin1");
  file.writeUInt16LE(entries.length, 8);
  for (const [at, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    const start = 10 + at * 12;
    file.writeUInt16LE(tag, start);
    file.writeUInt16LE(type, start + 2);
    file.writeUInt32LE(count, start + 4);
    file.writeUInt32LE(value, start + 8);
  }
  file.writeUInt32LE(0, 10 + entries.length * 12);
  file.write(`${make}\x00`, text, "latin1");
  return file;
}

test("IMG-27 EXIF is read from PNG, WebP and TIFF as well", async () => {
  for (const name of ["exif.png", "exif.webp"]) {
    const path = await studio.put(name, halves(90, 60).withExif(tags));
    assert.equal((await studio.images.inspect(path, everything)).exif.camera, "Cairn One", name);
  }
  const facts = await studio.images.inspect(await studio.put("exif.tiff", tiff("Cairn")), everything);
  assert.deepEqual([facts.mime, facts.exif.make], ["image/tiff", "Cairn"]);
});

test("IMG-28 XMP wins over IPTC for the place; without location no key of it is there", async () => {
  const jpeg = await halves(90, 60).withExif(tags).withXmp(xmp).jpeg().toBuffer();
  const both = withIptc(jpeg, [
    [90, "Thun"],
    [95, "Berne"],
    [92, "Old town"],
  ]);
  const path = await studio.put("place.jpg", both);
  const { exif } = await studio.images.inspect(path, everything);
  const { city, state, country, sublocation, lens } = exif;
  assert.deepEqual(
    { city, state, country, sublocation },
    { city: "Bern", state: "Berne", country: "Switzerland", sublocation: "Old town" },
  );
  assert.equal(lens, "Fifty II");
  const without = (await studio.images.inspect(path, { ...everything, location: false })).exif;
  const places = ["longitude", "latitude", "altitude", "country", "state", "city", "sublocation"];
  assert.deepEqual(
    places.filter((key) => key in without),
    [],
  );
  assert.equal(without.make, "Cairn");
});

test("IMG-29 keywords of XMP and IPTC come trimmed, each once, in order", async () => {
  const jpeg = await halves(90, 60).withXmp(xmp).jpeg().toBuffer();
  const path = await studio.put(
    "words.jpg",
    withIptc(jpeg, [
      [25, "stone"],
      [25, "bird "],
      [5, "Title of IPTC"],
    ]),
  );
  const { keywords, title } = await studio.images.inspect(path, everything);
  assert.deepEqual(keywords, ["alp", "bird", "stone"]);
  assert.equal(title, "Stones");
  assert.deepEqual(cleanList(["b", " a ", "b", "", 5, undefined]), ["a", "b"]);
});

test("IMG-30 metadata that is damaged or not wanted leaves an image that is good", async () => {
  const jpeg = await halves(90, 60).jpeg().toBuffer();
  const broken = withSegments(
    jpeg,
    Buffer.from("II*\0\x08\0\0\0\xff\xff garbage that is no directory", "latin1"),
    undefined,
  );
  const facts = await studio.images.inspect(await studio.put("broken.jpg", broken), everything);
  assert.deepEqual([facts.width, facts.exif, facts.keywords], [90, {}, []]);
  const tagged = await studio.put("unread.jpg", halves(90, 60).withExif(tags));
  assert.deepEqual((await studio.images.inspect(tagged, { ...everything, exif: false })).exif, {});
});

test("IMG-30 odd values of tags become nothing", () => {
  assert.deepEqual(
    [decimal([1, 0]), decimal("x"), decimal([28, 10]), decimal(-4)],
    [undefined, undefined, 2.8, undefined],
  );
  assert.deepEqual([shutterSpeed([1, 125]), shutterSpeed([2, 1]), shutterSpeed([0, 1])], ["1/125", "2", undefined]);
  assert.equal(tagDate(["2026:05:01 12:30:00"], ["+02:00"]), "2026-05-01T12:30:00+02:00");
  assert.deepEqual([tagDate("0000:00:00 00:00:00"), tagDate("yesterday"), tagDate(undefined)], ["", "", ""]);
  assert.equal(cleanText(`a\u0000b\ud800 ${"x".repeat(9_000)}`).length, 2_000);
});

test("IMG-31 HEIC becomes an upright JPEG that keeps its metadata (T42)", async () => {
  const target = join(studio.folder, "from-heic.jpg");
  await studio.images.toJpeg(await studio.put("photo.heic", heic), target);
  const image = await look(readFileSync(target));
  assert.deepEqual([image.width, image.height], [96, 64]);
  assert.ok(isNear(image.at(20, 30), red) && isNear(image.at(80, 30), blue));
  const { exif, mime } = await studio.images.inspect(target, everything);
  assert.equal(mime, "image/jpeg");
  assert.deepEqual([exif.camera, exif.latitude], ["Cairn Test", "47.5"]);
});

test("IMG-31 the noted orientation is reset, because the picture was turned, and the colour profile goes along", async () => {
  const jpeg = await halves(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { exif } = await sharp(jpeg).metadata();
  const { icc } = await sharp(await halves(9, 9).withIccProfile("p3").png().toBuffer()).metadata();
  const bare = await plain(40, 20, red).jpeg().toBuffer();
  const dressed = await sharp(withSegments(bare, uprightExif(exif as Buffer), icc)).metadata();
  assert.equal(dressed.orientation, 1);
  assert.deepEqual(dressed.icc, icc);
  assert.equal(uprightExif(Buffer.from("II")), undefined);
});
