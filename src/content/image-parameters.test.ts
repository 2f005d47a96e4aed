import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { parse, readParameters } from "./image-parameters.ts";
import { recipeOf, withFieldMark } from "./image-recipes.ts";

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

test("IW-16 the field's watermark lies over what was asked, above its limit", () => {
  const field = { watermark: { marktext: "Cairn", limit: 400 } };
  assert.equal(withFieldMark(parse({ w: "400" }), field).marktext, undefined);
  assert.equal(withFieldMark(parse({ w: "401" }), field).marktext, "Cairn");
  assert.equal(withFieldMark(parse({ w: "300", dpr: "2" }), field).marktext, "Cairn");
  assert.equal(withFieldMark({}, field).marktext, "Cairn");
  const asked = parse({ marktext: "mine", marktextalpha: "0", markalpha: "0", w: "500" });
  assert.deepEqual(withFieldMark(asked, field), { w: 500, marktext: "Cairn" });
});
