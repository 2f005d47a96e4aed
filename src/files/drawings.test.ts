import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import { checkDrawing } from "./drawings.ts";

const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${body}</svg>`;
const verdict = (body: string) => {
  try {
    checkDrawing(svg(body));
    return "shown";
  } catch (error) {
    return (error as Error).message;
  }
};
const tooOften = "The drawing repeats its parts too often to be shown.";
const levels = (count: number, level: (at: number) => string) => Array.from({ length: count }, (_, at) => level(at));

test("IMG-39 a drawing whose parts repeat parts is judged by the drawn result (T42)", () => {
  const leaf = '<g id="l0"><rect width="9" height="9"/></g>';
  const uses = (name: string) =>
    levels(9, (at) => `<g id="l${at + 1}">${`<use ${name}="#l${at}"/>`.repeat(10)}</g>`).join("");
  const bombs: Record<string, string> = {
    use: `${leaf}${uses("href")}<use href="#l9"/>`,
    xlink: `${uses("xlink:href")}${leaf}<use xlink:href="#l9"/>`,
    patterns: levels(8, (at) => `<pattern id="p${at + 1}">${`<rect fill="url(#p${at})"/>`.repeat(10)}</pattern>`).join(
      "",
    ),
    styles: levels(8, (at) => `<mask id='m${at + 1}'>${`<g style="mask: url('#m${at}')"/>`.repeat(10)}</mask>`).join(
      "",
    ),
    escaped: levels(
      8,
      (at) => `<mask id="m${at + 1}">${`<g mask="url(&quot;#m${at}&quot;)"/>`.repeat(10)}</mask>`,
    ).join(""),
    inherited: `<pattern id="p">${"<rect/>".repeat(500)}</pattern><g fill="url(#p)">${"<rect/>".repeat(500)}</g>`,
    markers: `<marker id="m">${"<rect/>".repeat(500)}</marker><g marker-mid="url(#m)"><path d="M0 0${"L1 1".repeat(500)}"/></g>`,
    filters: `<filter id="f">${"<feOffset/>".repeat(100)}</filter>${'<rect filter="url(#f)"/>'.repeat(100)}`,
    chain: levels(500, (at) => `<g id="c${at}"><use href="#c${at + 1}"/></g>`).join(""),
    comments: `<!-- > -->${leaf}${uses("href")}`,
  };
  for (const [name, body] of Object.entries(bombs)) assert.equal(verdict(body), tooOften, name);
});

test("IMG-39 an endless word is refused, and so is endless text (T42)", () => {
  assert.equal(verdict(`<text>${"a".repeat(301)}</text>`), "The drawing contains a word that is too long.");
  assert.equal(
    verdict(`<text><tspan>${"a".repeat(301)}</tspan></text>`),
    "The drawing contains a word that is too long.",
  );
  assert.equal(verdict(`<text>${"a word ".repeat(60_000)}</text>`), tooOften);
});

test("IMG-39 real drawings are accepted", () => {
  const icon = `<symbol id="icon">${"<path d='M0 0L9 9'/>".repeat(30)}</symbol>`;
  const drawings: Record<string, string> = {
    icons: `${icon}${'<use href="#icon" x="4"/>'.repeat(2_000)}`,
    gradient: `<linearGradient id="g"><stop/><stop/></linearGradient>${'<rect fill="url(#g)"/>'.repeat(10_000)}`,
    shadows: `<filter id="f"><feGaussianBlur/><feOffset/><feMerge/></filter>${'<g filter="url(#f)"/>'.repeat(500)}`,
    arrows: `<marker id="a"><path d="M0 0L1 1"/></marker>${'<path marker-end="url(#a)" d="M0 0L5 5"/>'.repeat(2_000)}`,
    circle: '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    missing: '<use href="#nothing"/><rect fill="#fff" stroke="#a0b0c0"/>',
    text: `<text>${'<tspan x="0">some words of a line</tspan>'.repeat(500)}</text>`,
    data: `<path d="${"M10.5 20l3-4z".repeat(20_000)}"/>`,
    broken: '<g id="x" <use href="#x"',
  };
  for (const [name, body] of Object.entries(drawings)) assert.equal(verdict(body), "shown", name);
});

test("IMG-39 the judgement is quick, whatever the text", async () => {
  const bodies = ["<g>".repeat(100_000), "<".repeat(20_000), `<a ${'x="'.repeat(20_001)}`, "<!--".repeat(20_000)];
  const took = await leastTime(5_000, () => bodies.map(verdict));
  assert.ok(took < 5_000, `${took} ms`);
});
