import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { withFieldMark } from "./image-marks.ts";
import { parse, readParameters, withDefaultFormat } from "./image-parameters.ts";
import { recipeOf } from "./image-recipes.ts";

const settings = { defaults: {}, presets: { small: { w: 300, h: 200, fit: "crop" }, bad: { w: 0 } } };

function refusal(query: Record<string, unknown>): string[] {
  try {
    readParameters(query, settings);
    return [];
  } catch (error) {
    assert.ok(error instanceof CairnError && error.status === 400);
    return Object.keys(error.details ?? {});
  }
}

test("IW-4 every bound of the specification holds, at both ends (T38)", () => {
  for (const [name, inside, outside] of [
    ["w", ["1", "8000"], ["0", "8001", "-1", "1e3", "1.5", "", " 1", "0x10", "abc"]],
    ["h", ["1", "8000"], ["0", "100000"]],
    ["quality", ["1", "100"], ["0", "101"]],
    ["blur", ["1", "100"], ["0", "101"]],
    ["brightness", ["-100", "0", "100"], ["-101", "101", "1.5"]],
    ["contrast", ["-100", "100"], ["-101", "101"]],
    ["gamma", ["0.1", "3", "3.0", "1.25"], ["0", "0.09", "3.1", "NaN", "Infinity"]],
    ["sharpen", ["1", "100"], ["0", "101"]],
    ["grayscale", ["true", "false"], ["1", "yes", ""]],
    ["sepia", ["true", "false"], ["TRUE"]],
    ["format", ["jpg", "png", "webp", "avif", "auto"], ["svg", "tiff", "", "constructor"]],
    [
      "fit",
      ["crop", "contain", "cover", "fill", "inside", "outside", "crop-25-75"],
      ["zoom", "crop-101-0", "toString"],
    ],
    ["dpr", ["0", "1.5", "8"], ["9", "-1"]],
    ["flip", ["h", "v", "both"], ["x"]],
    ["or", ["auto", "90"], ["45"]],
    ["bg", ["fff", "A0B0C0", "palette", "palette4"], ["#fff", "palette5", "red"]],
    ["border", ["10", "10,000", "10,000,expand"], ["x", "10,000,wide", "1,2,3,4", "9999"]],
    ["crop", ["10,10,0,0"], ["0,10,0,0", "10,10"]],
  ] as const) {
    for (const value of inside) assert.deepEqual(refusal({ [name]: value }), [], `${name}=${value}`);
    for (const value of outside) assert.deepEqual(refusal({ [name]: value }), [name], `${name}=${value}`);
  }
});

test("IW-5 a parameter that is given twice is refused, also under two names (T38)", () => {
  assert.deepEqual(refusal({ w: ["1", "2"] }), ["w"]);
  assert.deepEqual(refusal({ quality: "80", q: "80" }), ["q"]);
});

test("IW-6 unknown names are nothing, and short names are the long ones", () => {
  assert.deepEqual(readParameters({ utm: "x", v: "1", __x: ["a", "b"] }, settings), {});
  assert.deepEqual(
    parse({ q: "80", fm: "webp", bri: "5", con: "-5", gam: "2", sharp: "3" }),
    parse({ quality: "80", format: "webp", brightness: "5", contrast: "-5", gamma: "2", sharpen: "3" }),
  );
});

test("IW-7 a preset is the base, explicit parameters win, an unknown one is refused", () => {
  assert.deepEqual(readParameters({ p: "small", w: "100" }, settings), { w: 100, h: 200, fit: { fit: "crop" } });
  assert.deepEqual(readParameters({ p: "small" }, { ...settings, defaults: { q: 70, w: 1 } }).quality, 70);
  const habits = { ...settings, defaults: { fm: "webp", q: 70 } };
  assert.deepEqual(readParameters({}, habits), { quality: 70 });
  assert.deepEqual(withDefaultFormat({}, habits), { format: "webp" });
  assert.deepEqual(withDefaultFormat({ format: "png" }, habits), { format: "png" });
  for (const p of ["large", "constructor", ""]) assert.deepEqual(refusal({ p }), ["p"]);
  assert.deepEqual(refusal({ p: ["small", "small"] }), ["p"]);
});

test("IW-8 sizes beyond the image are one recipe, unless the image is letterboxed", () => {
  const image = { width: 1000, height: 500, focalpoint: { x: 20, y: 30 }, palette: ["#112233"] };
  const recipe = (query: Record<string, string>) => recipeOf(parse(query), "jpg", image);
  assert.deepEqual(recipe({ w: "4000" }), recipe({ w: "1000" }));
  assert.deepEqual(recipe({ w: "300", dpr: "2" }), recipe({ w: "600" }));
  assert.deepEqual(recipe({ w: "300", dpr: "0" }), recipe({ w: "300" }));
  assert.deepEqual(recipe({ w: "2000", h: "2000", fit: "contain" }), {
    format: "jpg",
    w: 2000,
    h: 2000,
    fit: "contain",
  });
  assert.deepEqual(recipe({ w: "800", or: "90" }).w, 500);
  assert.deepEqual(recipe({ fit: "crop", w: "10", h: "10" }).focalpoint, { x: 20, y: 30 });
  assert.deepEqual(recipe({ fit: "crop-top-left", w: "10", h: "10" }).focalpoint, { x: 0, y: 0 });
  assert.equal(recipe({ bg: "palette" }).background, "112233");
  assert.equal(recipe({ bg: "palette3" }).background, undefined);
});

test("IW-6 spellings of one colour are one variant (T39)", () => {
  const image = { width: 10, height: 10, palette: ["#aabbcc"] };
  const recipe = (query: Record<string, string>) => recipeOf(parse(query), "jpg", image);
  for (const bg of ["abc", "ABC", "AaBbCc", "aabbccff", "palette", "PALETTE0"])
    assert.equal(recipe({ bg }).background, "aabbcc", bg);
  assert.deepEqual(recipe({ border: "5,FFF" }), recipe({ border: "5" }));
  assert.deepEqual(parse({ marktextcolor: "FFFFFF80" }), { marktextcolor: "ffffff80" });
});

test("IW-9 the focal point turns with the image, and is kept in a box that is cut out", () => {
  const image = { width: 1200, height: 800, focalpoint: { x: 75, y: 40 } };
  const focus = (query: Record<string, string>) =>
    recipeOf(parse({ w: "10", h: "10", fit: "crop", ...query }), "jpg", image).focalpoint;
  assert.deepEqual(focus({}), { x: 75, y: 40 });
  assert.deepEqual(focus({ or: "90" }), { x: 60, y: 75 });
  assert.deepEqual(focus({ or: "180" }), { x: 25, y: 60 });
  assert.deepEqual(focus({ or: "270" }), { x: 40, y: 25 });
  assert.deepEqual(focus({ crop: "600,400,600,200" }), { x: 50, y: 30 });
  assert.deepEqual(focus({ crop: "100,100,0,0" }), { x: 100, y: 100 });
  assert.deepEqual(focus({ crop: "99999,99999,600,200" }), { x: 50, y: 20 });
  assert.deepEqual(focus({ crop: "600,400,600,200", fit: "crop-10-20" }), { x: 10, y: 20 });
});

const marked = (
  query: Record<string, string>,
  { edition = "pro", width = 1000, height = 500, limit = 400 as number | null } = {},
) =>
  withFieldMark({ settings: { get: () => edition } } as never, parse(query), {
    image: { width, height },
    settings: { watermark: { marktext: "Cairn", limit } },
  });

test("IW-16 the field's watermark overrides the request, above its limit", () => {
  assert.equal(marked({ w: "400" }).marktext, undefined);
  assert.equal(marked({ w: "401" }).marktext, "Cairn");
  assert.equal(marked({ w: "300", dpr: "2" }).marktext, "Cairn");
  assert.equal(marked({}).marktext, "Cairn");
  assert.equal(marked({ w: "100" }, { limit: null }).marktext, "Cairn");
  const asked = { marktext: "mine", marktextalpha: "0", markalpha: "0", markfit: "fill", w: "500" };
  assert.deepEqual(marked(asked), { w: 500, marktext: "Cairn" });
});

test("IW-16 the limit is compared with the result, and pieces of an image are marked whatever their size", () => {
  const wide = { width: 6000, height: 300 };
  assert.equal(marked({ h: "300" }, wide).marktext, "Cairn");
  assert.equal(marked({ w: "1", h: "300", fit: "outside" }, wide).marktext, "Cairn");
  assert.equal(marked({ h: "20" }, wide).marktext, undefined);
  assert.equal(marked({ w: "400", crop: "400,400,0,0" }).marktext, "Cairn");
  assert.equal(marked({ w: "400", h: "401", fit: "contain" }).marktext, "Cairn");
  assert.equal(marked({ w: "300", or: "90" }).marktext, "Cairn");
});

test("EDI-5 below the Standard edition there are no watermarks, asked for or set", () => {
  const asked = { w: "500", marktext: "mine", mark: "stamp", markw: "20" };
  assert.deepEqual(marked(asked, { edition: "lite" }), { w: 500 });
  for (const edition of ["standard", "pro"])
    assert.deepEqual(marked(asked, { edition }), { w: 500, marktext: "Cairn" }, edition);
});
