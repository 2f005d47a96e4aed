import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageRecipe } from "#files/image-types.ts";
import { type Geometry, planGeometry } from "./geometry.ts";

const source = { width: 800, height: 600 };
const size = (width: number, height: number) => ({ width, height });

function plan(recipe: Partial<ImageRecipe>, from = source): Geometry {
  return planGeometry({ format: "webp", ...recipe }, from);
}

test("IMG-8 without a fit the image goes inside the box, in its own ratio", () => {
  assert.deepEqual(plan({ w: 400, h: 400 }), { scaled: size(400, 300) });
  assert.deepEqual(plan({ w: 400 }), { scaled: size(400, 300) });
  assert.deepEqual(plan({ h: 300 }), { scaled: size(400, 300) });
  assert.deepEqual(plan({ h: 300, fit: "cover" }), { scaled: size(400, 300) });
  assert.deepEqual(plan({}), { scaled: source });
});

test("IMG-9 contain gives the exact box, also for a small image, with the image in its middle", () => {
  assert.deepEqual(plan({ w: 400, h: 400, fit: "contain" }), { scaled: size(400, 300), canvas: size(400, 400) });
  assert.deepEqual(plan({ w: 1000, h: 900, fit: "contain" }), { scaled: source, canvas: size(1000, 900) });
});

test("IMG-10 cover fills the box and cuts off the rest, around the middle", () => {
  assert.deepEqual(plan({ w: 300, h: 300, fit: "cover" }), {
    scaled: size(400, 300),
    cut: { left: 50, top: 0, ...size(300, 300) },
  });
});

test("IMG-10 crop cuts around the focal point, as far as the edges allow", () => {
  const cut = (x: number, y: number) => plan({ w: 300, h: 300, fit: "crop", focalpoint: { x, y } }).cut;
  assert.deepEqual(cut(50, 50), { left: 50, top: 0, ...size(300, 300) });
  assert.deepEqual(cut(0, 0), { left: 0, top: 0, ...size(300, 300) });
  assert.deepEqual(cut(100, 100), { left: 100, top: 0, ...size(300, 300) });
  assert.deepEqual(cut(60, 10), { left: 90, top: 0, ...size(300, 300) });
});

test("IMG-11 fill stretches, outside covers the box without cutting", () => {
  assert.deepEqual(plan({ w: 300, h: 300, fit: "fill" }), { scaled: size(300, 300) });
  assert.deepEqual(plan({ w: 300, h: 300, fit: "outside" }), { scaled: size(400, 300) });
});

test("IMG-12 no fit enlarges the pixels", () => {
  for (const fit of ["inside", "outside", "fill", "cover", "crop"] as const) {
    assert.deepEqual(plan({ w: 4000, h: 4000, fit }), { scaled: source }, fit);
  }
  assert.deepEqual(plan({ w: 1000, h: 300, fit: "cover" }).cut, { left: 0, top: 150, ...size(800, 300) });
  assert.deepEqual(plan({ w: 1000, h: 300, fit: "fill" }).scaled, size(800, 300));
});

test("IMG-13 whatever is asked, the result has at most 8,000 pixels a side and 40 million in all (T37)", () => {
  const huge = size(20_000, 16_000);
  const border = { size: 1_000, color: "000000", method: "expand" } as const;
  for (const fit of ["inside", "outside", "fill", "cover", "crop", "contain"] as const) {
    for (const recipe of [{}, { w: 100_000 }, { w: 8_000, h: 8_000 }, { w: 100_000, h: 10 }, { h: 7_999, w: 20_000 }]) {
      for (const margin of [0, 1_000]) {
        const { scaled, cut, canvas } = plan({ ...recipe, fit, ...(margin && { border }) }, huge);
        const { width, height } = canvas ?? cut ?? scaled;
        const out = size(width + 2 * margin, height + 2 * margin);
        assert.ok(
          out.width <= 8_000 && out.height <= 8_000,
          `${fit} ${JSON.stringify(recipe)}: ${JSON.stringify(out)}`,
        );
        assert.ok(out.width * out.height <= 40_000_000, `${fit} ${JSON.stringify(recipe)}: ${JSON.stringify(out)}`);
        assert.ok(width >= 1 && height >= 1);
      }
    }
  }
});

test("IMG-14 the crop box is cut out before the resize, and ends at the image's edges", () => {
  assert.deepEqual(plan({ crop: { w: 400, h: 300, x: 100, y: 50 }, w: 200 }), {
    crop: { left: 100, top: 50, ...size(400, 300) },
    scaled: size(200, 150),
  });
  assert.deepEqual(plan({ crop: { w: 900, h: 900, x: 700, y: 590 } }).crop, { left: 700, top: 590, ...size(100, 10) });
  assert.deepEqual(plan({ crop: { w: 5, h: 5, x: 9000, y: 9000 } }).crop, { left: 799, top: 599, ...size(1, 1) });
});
