import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** The colours of the first block that the selector opens. */
function coloursOf(selector: string): Record<string, string> {
  const start = css.indexOf(`${selector} {`);
  ok(start >= 0, `${selector} is missing`);
  const block = css.slice(start, css.indexOf("}", start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

const themes = { light: coloursOf("  :root"), dark: coloursOf('  :root[data-theme="dark"]') };

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG reckons it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Ink, what it stands on, and the least that it needs there: 4.5 for text, 3 for borders of controls. */
const pairs: [ink: string, on: string, least: number][] = [
  ...["ground", "surface", "raised", "sunken"].flatMap((on): [string, string, number][] => [
    ["ink", on, 7],
    ["ink-2", on, 4.5],
    ["ink-3", on, 4.5],
    ["accent", on, 4.5],
    ["accent-strong", on, 4.5],
    ["edge", on, 3],
  ]),
  ...["good", "warn", "bad", "info"].flatMap((tone): [string, string, number][] => [
    [tone, "surface", 4.5],
    [tone, "ground", 4.5],
    [tone, "raised", 4.5],
    [tone, `${tone}-soft`, 4.5],
    ["ink", `${tone}-soft`, 7],
  ]),
  ["ink", "accent-soft", 7],
  ["ink-2", "accent-soft", 4.5],
  ["accent-strong", "accent-soft", 4.5],
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-strong", 4.5],
  // The button that destroys.
  ["surface", "bad", 4.5],
];

for (const [theme, colours] of Object.entries(themes)) {
  test(`ADM-116 every colour of text and of controls has the contrast that it needs, ${theme}`, () => {
    const tooWeak = pairs
      .map(([ink, on, least]) => ({ ink, on, least, is: contrast(colours[ink] ?? "", colours[on] ?? "") }))
      .filter(({ least, is }) => !(is >= least));
    deepEqual(tooWeak, []);
  });
}

test("ADM-116 both themes name the same colours", () => {
  deepEqual(Object.keys(themes.dark).sort(), Object.keys(themes.light).sort());
  equal(Object.keys(themes.light).length, 21);
});

test("ADM-116 the table of the design holds: contrast on surface", () => {
  const table: Record<string, [light: number, dark: number]> = {
    line: [1.5, 1.4],
    edge: [3.8, 4.5],
    ink: [15.9, 14.4],
    "ink-2": [7.9, 9.2],
    "ink-3": [5.8, 6.4],
    accent: [5.8, 8],
    "accent-strong": [7.5, 9.6],
    good: [6.5, 8.3],
    warn: [6.6, 8.7],
    bad: [6.9, 7.6],
    info: [7.1, 8.4],
  };
  for (const [name, [light, dark]] of Object.entries(table)) {
    const found = Object.values(themes).map((colours) => contrast(colours[name] ?? "", colours.surface ?? ""));
    ok(Math.abs((found[0] ?? 0) - light) < 0.11, `${name}, light: ${found[0]}`);
    ok(Math.abs((found[1] ?? 0) - dark) < 0.11, `${name}, dark: ${found[1]}`);
  }
});
