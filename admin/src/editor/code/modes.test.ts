import { equal } from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./modes.ts";

test("ADM-383 the mode of a schema names a language, by any of its common names", () => {
  const cases = { html: "html", js: "javascript", "text/css": "css", "application/json": "json", YML: "yaml" };
  for (const [mode, language] of Object.entries(cases)) equal(languageOf(mode), language, mode);
  for (const mode of ["cobol", "", undefined, 7]) equal(languageOf(mode), "text", String(mode));
});
