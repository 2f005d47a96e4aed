import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { decodeThumbhash } from "./blur.ts";

test("ADM-420 a thumbhash is drawn in the shape of its picture; any other text is none", () => {
  // From the documentation of the format.
  const drawn = decodeThumbhash("1QcSHQRnh493V4dIh4eXh1h4kJUI");
  deepEqual([drawn?.width, drawn?.height], [23, 32]);
  const [red = 0, green = 0, blue = 0, alpha = 0] = drawn?.pixels ?? [];
  equal(alpha, 255);
  ok([red, green, blue].every((part) => part >= 0 && part <= 255));
  equal(decodeThumbhash("no hash!"), undefined);
  equal(decodeThumbhash("AAAA"), undefined);
});
