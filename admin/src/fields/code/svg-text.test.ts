import { equal } from "node:assert/strict";
import { test } from "node:test";
import { drawingAddress, hasDrawing } from "./svg-text.ts";

const shown = (text: string) => decodeURIComponent(drawingAddress(text).split(",")[1] ?? "");

test("ADM-388 a drawing becomes the address of a picture, with what a picture needs", () => {
  equal(shown("<svg viewBox='0 0 1 1'/>"), `<svg xmlns="http://www.w3.org/2000/svg" viewBox='0 0 1 1'/>`);
  equal(shown('<?xml version="1.0"?><svg xmlns="x"/>'), '<svg xmlns="x"/>');
  equal(hasDrawing("<?xml?> <svg>"), true);
  for (const text of ["", "a stone", "<svgx>"]) equal(hasDrawing(text), false, text);
});
