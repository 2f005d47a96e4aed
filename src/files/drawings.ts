// The cost of showing an SVG drawing: a short text can cause endless work, by parts that repeat parts.
// Only what can be counted without drawing is judged here; the rest ends at the limits of the image processes. Pure.

import { fail } from "#base/errors.ts";

/** Drawn elements, each part counted as often as it is shown. */
const maxCost = 100_000;
/** Longest chain of parts that show parts. */
const maxChain = 100;
/** The layout of a word takes time by more than the square of its length. */
const maxWord = 300;
/** A filter works on every pixel, a mask on a separate layer, text is laid out letter by letter. */
const cost = { element: 1, filterStep: 50, mask: 20, text: 10, letter: 0.25 };

interface Element {
  /** The index after its last descendant. */
  end: number;
  own: number;
  /** Corners of a line, each of which may show a marker. */
  corners: number;
  shows: { id: string; how: "once" | "each element" | "each corner" }[];
}

interface Drawing {
  elements: Element[];
  ids: Map<string, number>;
}

/** Throws invalid for a drawing that would take too long. `svg`: its text, cleaned or not. */
export function checkDrawing(svg: string): void {
  const drawing = scan(svg);
  const known = new Map<number, number>();
  if (weigh(drawing, 0, drawing.elements.length, { known, depth: 0 }) > maxCost) tooMuch();
}

function tooMuch(): never {
  fail("invalid", "The drawing repeats its parts too often to be shown.");
}

interface Way {
  /** The cost of elements by their index; 0 while it is being added up, so that cycles end. */
  known: Map<number, number>;
  depth: number;
}

/** Of all elements from one to another. */
function weigh(drawing: Drawing, from: number, to: number, way: Way): number {
  if (way.depth > maxChain) tooMuch();
  let sum = 0;
  for (let at = from; at < to && sum <= maxCost; at += 1) {
    const element = drawing.elements[at] as Element;
    sum += element.own;
    for (const { id, how } of element.shows) {
      const target = drawing.ids.get(id);
      if (target !== undefined) sum += weighPart(drawing, target, way) * timesOf(drawing, at, how);
    }
  }
  return sum;
}

function weighPart(drawing: Drawing, at: number, { known, depth }: Way): number {
  const found = known.get(at);
  if (found !== undefined) return found;
  known.set(at, 0);
  const sum = weigh(drawing, at, (drawing.elements[at] as Element).end, { known, depth: depth + 1 });
  known.set(at, sum);
  return sum;
}

/** Paint and markers apply to everything inside, too. */
function timesOf({ elements }: Drawing, at: number, how: Element["shows"][number]["how"]): number {
  const { end } = elements[at] as Element;
  if (how === "once") return 1;
  if (how === "each element") return end - at;
  let corners = 0;
  for (let inside = at; inside < end; inside += 1) corners += (elements[inside] as Element).corners;
  return corners;
}

const tag = /<(?:!--[\s\S]*?-->|!\[CDATA\[[\s\S]*?\]\]>|([!?/]?)([^\s/>]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>)/g;

function scan(svg: string): Drawing {
  const elements: Element[] = [];
  const ids = new Map<string, number>();
  const open: number[] = [];
  let texts = 0;
  let after = 0;
  for (const found of svg.matchAll(tag)) {
    const [whole, sign, name = "", attributes = ""] = found;
    const at = open.at(-1);
    if (texts > 0 && at !== undefined) (elements[at] as Element).own += weighText(svg.slice(after, found.index));
    after = found.index + whole.length;
    if (sign === undefined || sign === "!" || sign === "?") continue;
    if (sign === "/") {
      const closed = open.pop();
      if (closed !== undefined) (elements[closed] as Element).end = elements.length;
      if (name === "text") texts -= 1;
      continue;
    }
    const index = elements.length;
    const isWhole = attributes.endsWith("/");
    elements.push(readElement(name, attributes, index + 1));
    const id = /\sid\s*=\s*["']([^"']*)/.exec(attributes)?.[1];
    if (id !== undefined && !ids.has(id)) ids.set(id, index);
    if (isWhole) continue;
    open.push(index);
    if (name === "text") texts += 1;
  }
  for (const index of open) (elements[index] as Element).end = elements.length;
  return { elements, ids };
}

function weighText(text: string): number {
  if (text.split(/\s+/).some((word) => word.length > maxWord))
    fail("invalid", "The drawing contains a word that is too long.");
  return text.length * cost.letter;
}

const corner = /\d+(?:\.\d*)?[^\d.]+\d/g;
const reference =
  /([\w:-]+)\s*[:=]\s*(?:["']\s*)?(?:url\(\s*(?:["']|&quot;|&apos;|&#39;)?#([^)"'&]+)|#([\w.:-]+)\s*["'])/g;

function readElement(name: string, attributes: string, end: number): Element {
  const isLine = /^(?:path|line|polyline|polygon)$/.test(name);
  const element: Element = {
    end,
    own: name === "text" ? cost.text : name.startsWith("fe") ? cost.filterStep : cost.element,
    corners: isLine ? (attributes.match(corner)?.length ?? 0) + 1 : 0,
    shows: [],
  };
  if (!attributes.includes("#")) return element;
  for (const [, property = "", url, href] of attributes.matchAll(reference)) {
    if (href !== undefined && !property.endsWith("href")) continue;
    const id = (url ?? href ?? "").trim();
    if (property === "mask") element.own += cost.mask;
    const isPaint = property === "fill" || property === "stroke";
    const how = property.startsWith("marker") ? "each corner" : isPaint ? "each element" : "once";
    element.shows.push({ id, how });
  }
  return element;
}
