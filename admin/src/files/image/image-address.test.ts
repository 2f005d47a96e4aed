import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { type AddressChoice, isCount, liquidOf, parametersOf, previewUrl } from "./image-address.ts";

const none: AddressChoice = { width: "", height: "", fit: "inside", format: "", quality: "" };
const url = "https://example.org/imageworks/blog/a/image.jpg?v=12ab";

test("ADM-425 an address carries what was chosen, after the version of the file", () => {
  equal(previewUrl(url, none), "/imageworks/blog/a/image.jpg?v=12ab");
  const choice = { ...none, width: "400", height: "300", fit: "crop", format: "webp", quality: "70" };
  deepEqual(parametersOf(choice), { w: "400", h: "300", fit: "crop", format: "webp", quality: "70" });
  equal(
    previewUrl(url, choice, { x: 20, y: 80 }),
    "/imageworks/blog/a/image.jpg?v=12ab&w=400&h=300&fit=crop-20-80&format=webp&quality=70",
  );
  equal(liquidOf("image", choice), "{{ object.image.url }}&w=400&h=300&fit=crop&format=webp&quality=70");
  equal(liquidOf("image", none), "{{ object.image.url }}");
});

test("ADM-425 a fit needs both sides, and a side is a whole number", () => {
  deepEqual(parametersOf({ ...none, width: "400", fit: "crop" }), { w: "400" });
  deepEqual(
    ["", "1", "8000", "0", "8001", "1.5", "x"].map((text) => isCount(text, 8_000)),
    [true, true, true, false, false, false, false],
  );
});
