import assert from "node:assert/strict";
import { test } from "node:test";
import { baseStyles, followSystem, mark } from "./page-styles.ts";

test("ADM-9 the dark tokens of the admin become those of a dark system, and nothing waits for an attribute", () => {
  const css = `/* a */ @layer tokens { :root { --ink: #000; } :root[data-density="compact"] { --row: 34px; }
    :root[data-theme="dark"] { --ink: #fff; }
    @media (prefers-contrast: more) { :root, :root[data-theme="dark"] { --line: red; } } }`;
  assert.equal(
    followSystem(css),
    "@layer tokens{:root{--ink:#000}@media (prefers-color-scheme:dark){:root{--ink:#fff}}@media (prefers-contrast:more){:root{--line:red}}}",
  );
  assert.match(baseStyles, /@media \(prefers-color-scheme:dark\)\{:root\{color-scheme:dark;--ground:#131615/);
  assert.doesNotMatch(baseStyles, /data-|\/\*|<\//);
  assert.match(mark, /^<svg class="mark" [^>]*aria-hidden="true".*<g fill="currentColor">/);
});
