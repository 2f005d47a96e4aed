// Files made to do harm: larger than they look, cut off, or two things at once. Each is refused or made, in good time.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { leastTime } from "#base/patience.fixture.ts";
import type { ImageRecipe, Watermark } from "#files/image-types.ts";
import { bomb, halves, isNear, look, moving, noise, openStudio, red } from "./sample-images.fixture.ts";

const studio = openStudio({ limits: { jobMs: 10_000 } });
after(() => studio.close());

const everything = { exif: true, palette: true, location: true };

/** What becomes of it when it arrives, and when an image is made from it; a word for what was refused. */
async function fate(name: string, bytes: Buffer): Promise<string[]> {
  const path = await studio.put(name, bytes);
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error) => error.word as string,
    );
  return [
    await outcome(studio.images.inspect(path, everything)),
    await outcome(studio.make(path, { format: "webp", w: 60 })),
  ];
}

/** The bytes with the size that a header tells made another. */
function claiming(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const at = bytes.indexOf(from);
  if (at < 0) throw new Error("the header is not where it should be");
  return Buffer.concat([bytes.subarray(0, at), to, bytes.subarray(at + from.length)]);
}

const be16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const le16 = (...values: number[]) => be16(...values).swap16();
const be32 = (...values: number[]) => Buffer.concat(values.map((value) => be16(value >>> 16, value & 65_535)));
const le24 = (...values: number[]) => Buffer.concat(values.map((value) => be32(value).subarray(1).reverse()));

test("IMG-5 a small file that claims to be large is refused from its header, in every format (T36)", async () => {
  const picture = () => halves(120, 80);
  const bombs: Record<string, Buffer> = {
    "a.png": await bomb(16_000, 16_000),
    "a.jpg": claiming(await picture().jpeg().toBuffer(), be16(80, 120), be16(65_000, 65_000)),
    "a.gif": claiming(
      claiming(await moving(120, 80, 2), le16(120, 80), le16(65_000, 65_000)),
      Buffer.concat([Buffer.from(",\0\0\0\0", "latin1"), le16(120, 80)]),
      Buffer.concat([Buffer.from(",\0\0\0\0", "latin1"), le16(65_000, 65_000)]),
    ),
    "a.webp": claiming(
      await sharp(await moving(120, 80, 2), { animated: true })
        .webp()
        .toBuffer(),
      le24(119, 79),
      le24(16_000, 16_000),
    ),
    "a.avif": claiming(await picture().avif().toBuffer(), be32(120, 80), be32(30_000, 30_000)),
    "a.tiff": claiming(
      await picture().tiff().toBuffer(),
      Buffer.concat([le16(80, 0), le16(0x0102)]),
      Buffer.concat([le16(65_000, 0), le16(0x0102)]),
    ),
    "a.svg": Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="31000" height="31000"><rect width="31000" height="31000"/></svg>',
    ),
    "b.svg": gzipSync(
      Buffer.concat([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><!--'), Buffer.alloc(20_000_000, 65)]),
    ),
  };
  await studio.make(await studio.put("warm.png", picture()), { format: "webp" });
  for (const [name, bytes] of Object.entries(bombs)) {
    const refuse = async () => assert.deepEqual(await fate(name, bytes), ["invalid", "invalid"], name);
    assert.ok((await leastTime(1_000, refuse)) < 1_000, name);
  }
});

test("IMG-30 metadata that unpacks to much more does no harm (T42)", async () => {
  const packed = deflateSync(Buffer.alloc(20_000_000, 65));
  const withChunk = async (type: string, head: string) => {
    const bytes = await halves(60, 40).png().toBuffer();
    const body = Buffer.concat([Buffer.from(type + head, "latin1"), packed]);
    return Buffer.concat([bytes.subarray(0, 33), be32(body.length - 4), body, be32(crc32(body)), bytes.subarray(33)]);
  };
  for (const [type, head] of [
    ["zTXt", "Raw profile type exif\0\0"],
    ["iTXt", "XML:com.adobe.xmp\0\x01\0\0\0"],
    ["iCCP", "icc\0\0"],
  ] as const) {
    const bytes = await withChunk(type, head);
    const take = async () => assert.deepEqual(await fate(`${type}.png`, bytes), ["done", "done"], type);
    assert.ok((await leastTime(3_000, take)) < 3_000, type);
  }
});

test("IMG-3 a JPEG of scans without end is refused (T42)", async () => {
  const bytes = await halves(2_000, 1_500).jpeg({ progressive: true }).toBuffer();
  const scan = bytes.subarray(bytes.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const endless = Buffer.concat([bytes.subarray(0, -2), ...Array(3_000).fill(scan), bytes.subarray(-2)]);
  assert.deepEqual(await fate("scans.jpg", endless), ["invalid", "invalid"]);
});

test("IMG-30 an image that ends too early is refused, whatever its format (T42)", async () => {
  for (const format of ["jpeg", "png", "webp", "avif", "gif", "tiff"] as const) {
    const whole = await noise(90, 60)[format]().toBuffer();
    for (const share of [0.9, 0.5, 0.1]) {
      const part = whole.subarray(0, Math.floor(whole.length * share));
      assert.deepEqual(await fate(`cut.${format}`, part), ["invalid", "invalid"], `${format} ${share}`);
    }
  }
});

test("IMG-6 only the formats that are meant are read: no other parser is reached (T42)", async () => {
  for (const [name, bytes] of Object.entries({
    "a.ppm": `P6\n10 10\n255\n${"a".repeat(300)}`,
    "a.hdr": "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x80\x80\x80",
    "a.mvg": "push graphic-context\nimage over 0,0 0,0 'https://127.0.0.1/x'\npop graphic-context",
    "a.csv": "1 2 3\n4 5 6\n",
    "a.v": "\x08\xf2\xa6\xb6".padEnd(200, "\0"),
    "a.exr": "\x76\x2f\x31\x01\x02\0\0\0",
    "a.bmp": "BM:\0\0\0\0\0\0\x006\0\0\0(\0\0\0",
    "a.ico": "\0\0\x01\0\x01\0\x01\x01\0\0",
    "a.gif": "GIF89a/*\0\0\0\0*/=1;alert(1)",
    "a.xml": '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>',
  }))
    assert.deepEqual(await fate(name, Buffer.from(bytes, "latin1")), ["invalid", "invalid"], name);
});

test("IMG-24 of a file that is two things at once only the picture is left (T42)", async () => {
  const script = Buffer.from("<script>alert(document.domain)</script>");
  for (const format of ["jpeg", "png", "webp", "gif"] as const) {
    const whole = await halves(60, 40).toFormat(format).toBuffer();
    const path = await studio.put(`poly.${format}`, Buffer.concat([whole, script]));
    for (const made of ["jpg", "png", "webp", "gif"] as const) {
      const result = await studio.make(path, { format: made, w: 50 });
      assert.ok(!readFileSync(result).includes("script"), `${format} ${made}`);
      assert.ok(isNear((await look(result)).at(5, 5), red, 20));
    }
  }
});

const lettered = (text: Partial<NonNullable<Watermark["text"]>>, more: Partial<Watermark> = {}): Watermark => ({
  text: { value: "x", size: 500, color: "fff", padding: 1_000, angle: 0, ...text },
  position: "top",
  alpha: 1,
  ...more,
});

test("IMG-13 absurd recipes give a bounded image, whatever the source (T37)", async () => {
  const sources = [halves(1, 1), halves(1, 3_000), halves(3_000, 1)];
  const extremes: Partial<ImageRecipe>[] = [
    { w: 8_000, h: 1, fit: "cover" },
    { w: 1, h: 8_000, fit: "outside" },
    { w: 1, h: 1, fit: "fill" },
    { w: 8_000, h: 3, fit: "contain", background: "00000001" },
    { crop: { w: 1, h: 1, x: 99_999, y: 99_999 }, w: 8_000 },
    { blur: 100, sharpen: 100, pixelate: 1_000, brightness: -100, contrast: 100, gamma: 0.1 },
    { border: { size: 1_000, color: "f00", method: "shrink" }, flip: "both", rotate: 90 },
    { border: { size: 1_000, color: "ff000010", method: "expand" } },
    { watermarks: [lettered({ size: 2_000, angle: 45 })] },
    { watermarks: [lettered({ size: 1 }, { width: "100w" })] },
    { watermarks: [lettered({ value: "M".repeat(200) }), lettered({ value: "x\n".repeat(100) })] },
  ];
  for (const [at, source] of sources.entries()) {
    const path = await studio.put(`tiny-${at}.png`, source);
    for (const recipe of extremes) {
      const { width = 0, height = 0 } = await sharp(await studio.make(path, { format: "png", ...recipe })).metadata();
      assert.ok(width >= 1 && height >= 1 && width <= 8_000 && height <= 8_000, JSON.stringify(recipe));
      assert.ok(width * height <= 40_000_000, JSON.stringify(recipe));
    }
  }
});
