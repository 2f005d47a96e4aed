// Values of images: joined with what the server stored, cropped, read.

import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { cropPosition, isLink, mergeGallery, mergeImage, readTags } from "./image-value.ts";

const image = (name: string, more = {}) => ({ name, alt: "", link: "", tags: [], featured: false, ...more });

test("ADM-421 a replaced picture keeps what was said about the old one and not saved yet", () => {
  const before = image("a.jpg", { alt: "Old", link: "/x" });
  const mine = { ...before, alt: "Mine", focalpoint: { x: 1, y: 1 } };
  const stored = image("b.jpg", { alt: "Old", link: "/x", focalpoint: { x: 50, y: 50 } });
  deepEqual(mergeImage({ mine, before, stored }), { ...stored, alt: "Mine" });
  deepEqual(mergeImage({ mine: null, before, stored }), stored);
});

test("ADM-426 new pictures go to the end of an order that was changed and not saved", () => {
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => image(name)) as [object, object, object, object];
  deepEqual(mergeGallery({ mine: [c, a], before: [a, b, c], stored: [a, b, c, d] }), [c, a, d]);
  deepEqual(mergeGallery({ mine: undefined, before: undefined, stored: [a] }), [a]);
});

test("ADM-423 a crop lies around the focal point, as near as the edges allow", () => {
  const wide = { width: 400, height: 200 };
  deepEqual(cropPosition(wide, 1, { x: 50, y: 50 }), { x: 50, y: 50 });
  deepEqual(cropPosition(wide, 1, { x: 0, y: 90 }), { x: 0, y: 50 });
  deepEqual(cropPosition(wide, 1, { x: 100, y: 0 }), { x: 100, y: 50 });
  deepEqual(cropPosition(wide, 4, { x: 20, y: 100 }), { x: 50, y: 100 });
  deepEqual(cropPosition({ width: 0, height: 0 }, 1, { x: 10, y: 10 }), { x: 50, y: 50 });
});

test("ADM-422 tags are separated by commas, and links are addresses or paths", () => {
  deepEqual(readTags(" hills, huts,, hills "), ["hills", "huts"]);
  deepEqual(["/a", "https://x", "mailto:a@b", "javascript:x", "data:x"].map(isLink), [true, true, true, false, false]);
  equal(isLink(""), true);
});
