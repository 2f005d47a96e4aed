// The place is taken out of pictures of every kind, and nothing else of them.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import ExifReader from "exifreader";
import sharp from "sharp";
import { stripLocation } from "./strip-location.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-place-"));
after(() => rmSync(folder, { recursive: true }));

const exif = {
  IFD0: { Make: "Cairn", Model: "One", Copyright: "2026 Ana" },
  IFD2: { FNumber: "28/10", LensModel: "Fifty" },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 51/1 30/1", GPSLongitudeRef: "E", GPSLongitude: "2/1 17/1 40/1" },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
    exif:GPSLatitude="48,51.5N" dc:format="image/jpeg"><exif:GPSLongitude>2,17.6667E</exif:GPSLongitude>
  </rdf:Description></rdf:RDF></x:xmpmeta>`;

const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

for (const format of ["jpeg", "png", "webp", "avif"] as const) {
  test(`PF-65 a ${format} loses its place, and no other byte moves`, async () => {
    const path = join(folder, `a.${format}`);
    const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: "#4080c0" } });
    const sent = await picture.withExif(exif).withXmp(xmp).toFormat(format).toBuffer();
    writeFileSync(path, sent);
    assert.equal(ExifReader.load(sent, { expanded: true }).gps?.Latitude?.toFixed(3), "48.858");
    assert.equal(await stripLocation(path), true);
    const stored = readFileSync(path);
    assert.equal(stored.length, sent.length);
    const { gps, exif: kept } = ExifReader.load(stored, { expanded: true });
    assert.equal(gps?.Latitude ?? gps?.Longitude, undefined);
    assert.equal(kept?.Model?.description, "One");
    assert.equal(kept?.LensModel?.description, "Fifty");
    assert.doesNotMatch(stored.toString("latin1"), /48,51\.5N|2,17\.6667E/);
    assert.deepEqual(await pixels(stored), await pixels(sent));
    assert.equal(await stripLocation(path), false);
  });
}

test("PF-65 data that only looks like metadata is left alone, and costs little", async () => {
  const path = join(folder, "hostile.jpg");
  const heads = Buffer.alloc(4_000_000, "II*\0", "latin1");
  const texts = Buffer.alloc(4_000_000, ':GPSa="', "latin1");
  const damaged = Buffer.from("4d4d002a00000008ffff88250004000000010000000c", "hex");
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), heads, damaged, texts.subarray(0, 7_001)]);
  writeFileSync(path, bytes);
  await stripLocation(path);
  assert.deepEqual(readFileSync(path).subarray(0, heads.length), bytes.subarray(0, heads.length));
  writeFileSync(path, "");
  assert.equal(await stripLocation(path), false);
});
