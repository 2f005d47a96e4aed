import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { directionOf, localesOf, nameOf } from "./locales.ts";

test("ADM-276 the languages are those of the site, those that a value has besides, or English", () => {
  deepEqual(localesOf(["en", "de"], { fr: "x", de: "y" }), ["en", "de", "fr"]);
  deepEqual(localesOf([], { it: "x" }), ["it"]);
  deepEqual(localesOf([], undefined), ["en"]);
});

test("ADM-276 a language is called by its own name and has its direction", () => {
  deepEqual(["en", "de", "fr"].map(nameOf), ["English", "Deutsch", "Français"]);
  equal(nameOf("de_CH").startsWith("Schweizer") || nameOf("de_CH").startsWith("Deutsch"), true);
  equal(nameOf("not a locale"), "not a locale");
  deepEqual(["he", "ar_SA", "de_DE"].map(directionOf), ["rtl", "rtl", "ltr"]);
});
