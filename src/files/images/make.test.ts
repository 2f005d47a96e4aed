import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { leastTime } from "#base/patience.fixture.ts";
import type { ImageFormat, ImageRecipe, Watermark } from "#files/image-types.ts";
import { blue, halves, isNear, look, moving, noise, openStudio, plain, red } from "./sample-images.fixture.ts";

const studio = openStudio();
let source: string;
let clear: string;

before(async () => {
  source = await studio.put("halves.png", halves(200, 100));
  clear = await studio.put("clear.png", plain(100, 100, "transparent"));
});
after(() => studio.close());

async function made(recipe: Partial<ImageRecipe>, from = source) {
  return look(await studio.make(from, { format: "png", ...recipe }));
}

const middle = (image: Awaited<ReturnType<typeof look>>) => image.at(image.width >> 1, image.height >> 1);

test("IMG-7 the orientation that the camera noted is applied first", async () => {
  const turned = await studio.put(
    "turned.jpg",
    await halves(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  );
  const image = await made({ w: 50 }, turned);
  assert.deepEqual([image.width, image.height], [50, 100]);
  assert.ok(isNear(image.at(25, 5), red) && isNear(image.at(25, 95), blue));
  const cut = await made({ crop: { w: 100, h: 50, x: 0, y: 150 } }, turned);
  assert.ok(isNear(middle(cut), blue));
});

test("IMG-9 contain letterboxes: in the background, else see-through, and in white where a format knows no such thing", async () => {
  for (const [recipe, expected] of [
    [{ format: "png" }, [0, 0, 0, 0]],
    [{ format: "webp" }, [0, 0, 0, 0]],
    [{ format: "jpg" }, [255, 255, 255, 255]],
    [{ format: "png", background: "#00ff00" }, [0, 255, 0, 255]],
  ] as [Partial<ImageRecipe>, number[]][]) {
    const image = await made({ w: 100, h: 100, fit: "contain", ...recipe });
    assert.deepEqual([image.width, image.height], [100, 100]);
    assert.ok(isNear(image.at(50, 5), expected), `${JSON.stringify(recipe)}: ${image.at(50, 5)}`);
    assert.ok(isNear(image.at(20, 50), red) && isNear(image.at(80, 50), blue));
  }
});

test("IMG-10 crop shows the surroundings of the focal point", async () => {
  const left = await made({ w: 50, h: 50, fit: "crop", focalpoint: { x: 10, y: 50 } });
  const right = await made({ w: 50, h: 50, fit: "crop", focalpoint: { x: 90, y: 50 } });
  assert.ok(isNear(middle(left), red) && isNear(middle(right), blue));
  assert.deepEqual([right.width, right.height], [50, 50]);
});

test("IMG-12 a small image keeps its size", async () => {
  const image = await made({ w: 4000, h: 4000 });
  assert.deepEqual([image.width, image.height], [200, 100]);
});

test("IMG-15 rotate turns clockwise before the resize, flip mirrors after it", async () => {
  const turned = await made({ rotate: 90, w: 50 });
  assert.deepEqual([turned.width, turned.height], [50, 100]);
  assert.ok(isNear(turned.at(25, 10), red) && isNear(turned.at(25, 90), blue));
  const around = await made({ rotate: 180 });
  assert.ok(isNear(around.at(10, 50), blue));
  assert.ok(isNear((await made({ flip: "h" })).at(10, 50), blue));
  assert.ok(isNear((await made({ flip: "v" })).at(10, 50), red));
  const both = await made({ rotate: 90, flip: "both" });
  assert.ok(isNear(both.at(50, 10), blue));
});

test("IMG-16 brightness, contrast and gamma move the tones, and 0, 0 and 1 do not", async () => {
  const level = async (recipe: Partial<ImageRecipe>) =>
    middle(await made(recipe, await studio.put("grey.png", plain(20, 20, [100, 100, 100]))))[0];
  assert.equal(await level({ brightness: 0, contrast: 0, gamma: 1 }), 100);
  assert.equal(await level({ brightness: 20 }), 151);
  assert.equal(await level({ brightness: -100 }), 0);
  assert.ok((await level({ contrast: 50 })) < 90);
  assert.equal(await level({ contrast: -100 }), 128);
  assert.ok((await level({ gamma: 3 })) > 170);
  assert.ok((await level({ gamma: 0.1 })) < 5);
});

test("IMG-17 grayscale takes the colour out, sepia makes it brown", async () => {
  const [r, g, b] = (await made({ grayscale: true })).at(10, 50);
  assert.ok(r === g && g === b && r > 30);
  const [sr, sg, sb] = (await made({ sepia: true })).at(10, 50);
  assert.ok(sr > sg && sg > sb);
});

test("IMG-18 blur, sharpen and pixelate each change what they should", async () => {
  const blurred = await made({ blur: 20 });
  assert.ok(isNear(blurred.at(100, 50), [112, 48, 112], 25));
  const wide = await made({ blur: 100 });
  assert.deepEqual([wide.width, wide.height], [200, 100]);
  assert.ok(!isNear(wide.at(80, 50), red, 20));
  const ramp = await studio.put("ramp.png", halves(200, 100).grayscale().linear(4, -200).blur(2));
  const step = async (recipe: Partial<ImageRecipe>) => {
    const image = await made(recipe, ramp);
    return Math.abs(image.at(99, 50)[0] - image.at(100, 50)[0]);
  };
  assert.ok((await step({ sharpen: 80 })) > (await step({})) + 5);
  const coarse = await made({ pixelate: 40 });
  assert.deepEqual(coarse.at(81, 41), coarse.at(118, 78));
  assert.deepEqual([coarse.width, coarse.height], [200, 100]);
});

test("IMG-19 a background is drawn behind transparent parts", async () => {
  assert.ok(isNear(middle(await made({ background: "ff8800" }, clear)), [255, 136, 0, 255]));
  assert.ok(isNear(middle(await made({ format: "jpg" }, clear)), [255, 255, 255]));
  assert.equal(middle(await made({}, clear))[3], 0);
});

test("IMG-19 a background has its colour behind grey images too", async () => {
  const orange = [255, 136, 0, 255];
  for (const [name, image] of Object.entries({
    "grey.png": plain(100, 50, [90, 90, 90]).removeAlpha().toColourspace("b-w"),
    "grey-clear.png": plain(100, 50, "transparent").toColourspace("b-w"),
    "grey-deep.png": plain(100, 50, "transparent").toColourspace("grey16"),
  })) {
    const path = await studio.put(name, image);
    const boxed = await made({ w: 100, h: 100, fit: "contain", background: "ff8800" }, path);
    assert.ok(isNear(boxed.at(50, 5), orange), name);
    const behind = await made({ background: "ff8800", w: 50 }, path);
    assert.ok(isNear(middle(behind), name === "grey.png" ? [90, 90, 90, 255] : orange), name);
  }
});

test("IMG-19 a background that lets something through does so everywhere, and shows white in JPEG", async () => {
  for (const recipe of [{}, { w: 100, h: 60, fit: "contain" as const }]) {
    const image = await made({ background: "ff000080", ...recipe }, clear);
    assert.ok(isNear(image.at(1, 1), [255, 0, 0, 128]) && isNear(middle(image), [255, 0, 0, 128]));
    const flat = await made({ background: "ff000080", format: "jpg", ...recipe }, clear);
    assert.ok(isNear(flat.at(1, 1), [255, 127, 127, 255]) && isNear(middle(flat), [255, 127, 127, 255]));
  }
});

test("IMG-20 a border that lets something through shows the image under it, or white in JPEG", async () => {
  const border = (method: "overlay" | "expand", format: "png" | "jpg") =>
    made({ format, border: { size: 10, color: "0000ff80", method } });
  assert.ok(isNear((await border("overlay", "png")).at(5, 50), [96, 16, 144, 255]));
  assert.ok(isNear((await border("overlay", "jpg")).at(5, 50), [96, 16, 144, 255]));
  assert.ok(isNear((await border("expand", "png")).at(5, 50), [0, 0, 255, 128]));
  assert.ok(isNear((await border("expand", "jpg")).at(5, 50), [127, 127, 255, 255]));
});

test("IMG-20 a border is drawn over the image, shrinks it, or makes room around it", async () => {
  const border = (method: "overlay" | "shrink" | "expand") => made({ border: { size: 10, color: "00ff00", method } });
  const [overlay, shrink, expand] = [await border("overlay"), await border("shrink"), await border("expand")];
  assert.deepEqual([overlay.width, shrink.width, expand.width], [200, 200, 220]);
  for (const image of [overlay, shrink, expand]) {
    assert.ok(isNear(image.at(5, 50), [0, 255, 0]) && isNear(image.at(15, 50), red));
  }
  const [early, late] = [overlay.at(99, 50), overlay.at(101, 50)];
  assert.ok(isNear(early, red, 60) && isNear(late, blue, 60));
});

test("IMG-21 an image watermark has its place, size and faintness", async () => {
  const image = await studio.put("mark.png", plain(40, 40, [255, 255, 0]));
  const mark: Watermark = { image, position: "bottom-right", width: "10w", padding: 5, alpha: 100 };
  const marked = await made({ watermarks: [mark] });
  assert.ok(isNear(marked.at(185, 85), [255, 255, 0]));
  assert.ok(isNear(marked.at(173, 85), blue) && isNear(marked.at(198, 98), blue));
  const faint = await made({ watermarks: [{ ...mark, alpha: 50 }] });
  assert.ok(isNear(faint.at(185, 85), [144, 160, 96]));
  const corner = await made({ watermarks: [{ ...mark, position: "top-left", x: 30, padding: 0 }] });
  assert.ok(isNear(corner.at(40, 10), [255, 255, 0]) && isNear(corner.at(20, 10), red));
});

test("IMG-21 a watermark larger than the image is made to fit", async () => {
  const image = await studio.put("large.png", plain(900, 900, [255, 255, 0]));
  const marked = await made({ watermarks: [{ image, position: "center", alpha: 100 }] });
  assert.deepEqual([marked.width, marked.height], [200, 100]);
  assert.ok(isNear(middle(marked), [255, 255, 0]) && isNear(marked.at(5, 50), red));
});

test("IMG-21 a size that was asked for is kept to, larger or smaller, and fits as it says", async () => {
  const image = await studio.put("small.png", plain(10, 10, [255, 255, 0]));
  const yellow = [255, 255, 0];
  const mark = (more: object): Watermark => ({ image, position: "top-left", alpha: 100, ...more });
  const own = await made({ watermarks: [mark({})] });
  assert.ok(isNear(own.at(9, 9), yellow) && isNear(own.at(12, 12), red));
  const large = await made({ watermarks: [mark({ width: "25w" })] });
  assert.ok(isNear(large.at(48, 48), yellow) && isNear(large.at(52, 52), red));
  const shape = async (fit: Watermark["fit"]) => {
    const marked = await made({ watermarks: [mark({ width: "80", height: "20", fit })] });
    return [marked.at(40, 10), marked.at(78, 10), marked.at(18, 18), marked.at(40, 60)].map((at) => isNear(at, yellow));
  };
  assert.deepEqual(await shape("inside"), [false, false, true, false]);
  assert.deepEqual(await shape("fill"), [true, true, true, false]);
  assert.deepEqual(await shape("cover"), [true, true, true, false]);
  assert.deepEqual(await shape("contain"), [true, false, false, false]);
  assert.deepEqual(await shape("outside"), [true, true, true, true]);
});

test("IMG-21 a drawing is sharp in whatever size it is asked for", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="2" height="4" fill="#ff0"/></svg>';
  const image = await studio.put("mark.svg", Buffer.from(svg));
  const marked = await made({ watermarks: [{ image, position: "top-left", height: "100h", alpha: 100 }] });
  assert.ok(isNear(marked.at(48, 50), [255, 255, 0]) && isNear(marked.at(51, 50), red));
});

test("IMG-21 padding never makes a mark too small to be seen", async () => {
  const image = await studio.put("pad.png", plain(900, 900, [255, 255, 0]));
  const marked = await made({ watermarks: [{ image, position: "bottom-right", padding: 5_000, alpha: 100 }] });
  assert.ok(isNear(middle(marked), [255, 255, 0]) && isNear(marked.at(190, 90), blue));
});

const lettering = { value: "MMM", size: 60, color: "ffffff", padding: 4, angle: 0 };

async function countWhite(recipe: Partial<ImageRecipe>): Promise<number> {
  const image = await made(recipe);
  let count = 0;
  for (let x = 0; x < image.width; x += 1)
    for (let y = 0; y < image.height; y += 1) count += isNear(image.at(x, y), [255, 255, 255], 60) ? 1 : 0;
  return count;
}

test("IMG-22 a text watermark shows its letters, turned, coloured and on its background", async () => {
  const mark = (more: object): Watermark => ({ text: { ...lettering, ...more }, position: "center", alpha: 100 });
  assert.equal(await countWhite({}), 0);
  assert.ok((await countWhite({ watermarks: [mark({})] })) > 300);
  assert.ok((await countWhite({ watermarks: [mark({ angle: 45 })] })) > 100);
  const backed = await made({ watermarks: [mark({ value: ".", background: "#00ff00", padding: 20 })] });
  assert.ok(isNear(backed.at(100, 35), [0, 255, 0]));
});

test("IMG-22 text and its background may be see-through, lines may be many, and ink there must be", async () => {
  const mark = (more: object): Watermark => ({ text: { ...lettering, ...more }, position: "left", alpha: 100 });
  const backed = await made({ watermarks: [mark({ value: ".", background: "0000ff80", padding: 30 })] });
  assert.ok(isNear(backed.at(10, 50), [96, 16, 144]), `${backed.at(10, 50)}`);
  assert.equal(await countWhite({ watermarks: [mark({ color: "ffffff20" })] }), 0);
  const tall = await made({ watermarks: [mark({ value: "M\n".repeat(99), size: 500 })] });
  assert.deepEqual([tall.width, tall.height], [200, 100]);
  await assert.rejects(made({ watermarks: [mark({ value: "\u2800" })] }), { word: "invalid", message: /watermark/ });
});

test("IMG-22 a text is drawn as wide as it is asked to be", async () => {
  const text = { ...lettering, size: 12, padding: 0 };
  const small = await countWhite({ watermarks: [{ text, position: "center", alpha: 100 }] });
  const wide = await countWhite({ watermarks: [{ text, position: "center", width: "90w", alpha: 100 }] });
  assert.ok(wide > 10 * small, `${small} ${wide}`);
});

test("IMG-22 the text of a watermark is text and nothing else", async () => {
  const value = `<span foreground="red">&lt; & </svg>\u0000\n<image href="file:///etc/passwd"/>`;
  const mark: Watermark = { text: { ...lettering, value, size: 500 }, position: "bottom", alpha: 100 };
  const image = await made({ watermarks: [mark] });
  assert.deepEqual([image.width, image.height], [200, 100]);
});

test("IMG-22 a font is that of its file, bold or not, and an earlier font of its name is not cached", async () => {
  const folder = "/usr/share/fonts/truetype/dejavu";
  const font = join(studio.folder, "font.ttf");
  const drawn = async (file: string | undefined) => {
    if (file) copyFileSync(join(folder, file), font);
    return countWhite({
      watermarks: [{ text: { ...lettering, ...(file && { font }) }, position: "center", alpha: 100 }],
    });
  };
  const ownInk = await drawn(undefined);
  const plainInk = await drawn("DejaVuSans.ttf");
  assert.ok((await drawn("DejaVuSans-Bold.ttf")) > 1.2 * plainInk);
  assert.equal(await drawn("DejaVuSans.ttf"), plainInk);
  assert.equal(await drawn(undefined), ownInk);
});

test("IMG-22 a font comes from a file; one that is not a font is refused", async () => {
  const font = await studio.put("no.ttf", Buffer.from("this is no font at all"));
  const mark: Watermark = { text: { ...lettering, font }, position: "center", alpha: 100 };
  await assert.rejects(made({ watermarks: [mark] }), { word: "invalid", message: "The font cannot be read." });
});

test("IMG-23 each format comes out as itself, and quality makes it smaller or larger", async () => {
  const photo = await studio.put("noise.jpg", noise(300, 200));
  const formats: Record<ImageFormat, string> = { jpg: "jpeg", png: "png", webp: "webp", avif: "heif", gif: "gif" };
  for (const [format, name] of Object.entries(formats) as [ImageFormat, string][]) {
    const path = await studio.make(photo, { format, w: 100 });
    assert.equal((await sharp(path).metadata()).format, name);
  }
  for (const format of ["jpg", "webp", "avif"] as const) {
    const low = readFileSync(await studio.make(photo, { format, quality: 10 })).length;
    assert.ok(low < readFileSync(await studio.make(photo, { format, quality: 95 })).length / 2, format);
  }
});

test("IMG-24 a result carries no metadata, and its colours are sRGB (T43)", async () => {
  const place = { GPSLatitudeRef: "N", GPSLatitude: "47/1 30/1 0/1" };
  const tagged = noise(300, 200)
    .withExif({ IFD0: { Make: "Secret", Artist: "Somebody" }, IFD3: place })
    .withXmp("<x/>");
  const photo = await studio.put("tagged.jpg", await tagged.withIccProfile("p3").jpeg().toBuffer());
  assert.ok((await sharp(photo).metadata()).exif);
  for (const format of ["jpg", "png", "webp", "avif"] as const) {
    for (const recipe of [{ w: 100 }, { w: 100, blur: 3 }]) {
      const path = await studio.make(photo, { format, ...recipe });
      const { exif, xmp, iptc, icc, space } = await sharp(path).metadata();
      assert.deepEqual([exif, xmp, iptc, icc, space], [undefined, undefined, undefined, undefined, "srgb"], format);
      assert.ok(!readFileSync(path).includes("Secret"));
    }
  }
});

test("IMG-24 grey, 16-bit and print colours come out right", async () => {
  const grey = await studio.put(
    "flat.png",
    await plain(20, 20, [90, 90, 90]).removeAlpha().toColourspace("b-w").png().toBuffer(),
  );
  const deep = await studio.put(
    "deep.png",
    await plain(20, 20, [200, 100, 50]).toColourspace("rgb16").png().toBuffer(),
  );
  const print = await studio.put(
    "print.jpg",
    await plain(20, 20, red).removeAlpha().toColourspace("cmyk").jpeg().toBuffer(),
  );
  for (const recipe of [{}, { flip: "h" as const }]) {
    assert.ok(isNear(middle(await made(recipe, grey)), [90, 90, 90]));
    assert.ok(isNear(middle(await made({ ...recipe, format: "webp" }, deep)), [200, 100, 50]));
    assert.ok(isNear(middle(await made({ ...recipe, format: "jpg" }, print)), red, 60));
  }
});

test("IMG-25 a moving image stays one for a plain resize, up to 20 frames", async () => {
  const frames = async (path: string) => (await sharp(path).metadata()).pages ?? 1;
  const twenty = await studio.put("twenty.gif", await moving(40, 40, 20));
  for (const format of ["gif", "webp"] as const) {
    const path = await studio.make(twenty, { format, w: 20, h: 10, fit: "cover" });
    const { pages, width, height } = await sharp(path).metadata();
    assert.deepEqual([pages, width, height], [20, 20, 10]);
  }
  assert.equal(await frames(await studio.make(twenty, { format: "jpg", w: 20 })), 1);
  assert.equal(await frames(await studio.make(twenty, { format: "gif", w: 20, blur: 2 })), 1);
  const more = await studio.put("more.gif", await moving(40, 40, 21));
  assert.equal(await frames(await studio.make(more, { format: "gif", w: 20 })), 1);
});

test("IMG-25 a moving image with a damaged later frame is shown by its first (T42)", async () => {
  const bytes = await moving(60, 40, 3);
  const frame = Buffer.from(",\0\0\0\0", "latin1");
  const second = bytes.indexOf(frame, bytes.indexOf(frame) + 1);
  bytes.fill(201, second + 23, second + 100);
  await assert.rejects(sharp(bytes, { animated: true, failOn: "error" }).webp().toBuffer());
  const damaged = await studio.put("damaged.gif", bytes);
  const { width } = await studio.images.inspect(damaged, { exif: false, palette: false, location: false });
  assert.equal(width, 60);
  const { pages = 1, height } = await sharp(await studio.make(damaged, { format: "webp", w: 30 })).metadata();
  assert.deepEqual([pages, height], [1, 20]);
});

test("IMG-6 an SVG draws nothing from outside (T35)", async () => {
  let hits = 0;
  const canary = createServer((_, response) => {
    hits += 1;
    response.end();
  }).listen(0);
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x.png`;
  const yellow = await studio.put("yellow.png", plain(50, 50, [255, 255, 0]));
  const drawing = (content: string, head = "") => `<?xml version="1.0"?>${head}
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">
    <rect width="200" height="100" fill="rgb(${red})"/>${content}</svg>`;
  const attacks = [
    ...["file://", ""].map((start) => drawing(`<image xlink:href="${start}${yellow}" width="50" height="50"/>`)),
    drawing(`<image href="${url}" width="50" height="50"/><style>@import url(${url});</style>`),
    drawing(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${yellow}" parse="text"/>`),
    drawing("<text>&x;</text>", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${yellow}">]>`),
    drawing(
      `<foreignObject width="99" height="99"><img src="${url}"/></foreignObject><script>fetch("${url}")</script>`,
    ),
  ];
  let drawn = 0;
  for (const [at, svg] of attacks.entries()) {
    const path = await studio.put(`attack-${at}.svg`, Buffer.from(svg));
    const image = await made({ w: 100 }, path).catch((error) => assert.equal(error.word, "invalid"));
    if (!image) continue;
    drawn += 1;
    assert.ok(isNear(image.at(5, 5), red) && isNear(image.at(20, 20), red), svg);
  }
  canary.close();
  assert.ok(drawn >= 3);
  assert.equal(hits, 0);
});

test("IMG-6 an SVG of entities that grow without end is refused (T35)", async () => {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(12)}">`).join("");
  const svg = `<!DOCTYPE svg [<!ENTITY a0 "aaaa">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a12;</text></svg>`;
  const path = await studio.put("entities.svg", Buffer.from(svg));
  const refuse = () => assert.rejects(made({}, path), { word: "invalid" });
  assert.ok((await leastTime(3_000, refuse)) < 3_000);
});

test("IMG-13 a wide blur of a large image ends in time (T37)", async () => {
  const photo = await studio.put("large.jpg", noise(4000, 3000));
  const blur = () => studio.make(photo, { format: "webp", w: 8000, blur: 100 });
  assert.ok((await leastTime(6_000, blur)) < 6_000);
});
