// Routes of pages and addresses of objects as patterns: `/about`, `/blog/{id}`, `/{year:\d{4}}/{id}`, `/docs/{path:.*}`. Pure.
// Routes are stored decoded; a path is decoded once, segment by segment, before it is compared.

import { compilePattern, type Pattern } from "#base/pattern.ts";

export interface Placeholder {
  name: string;
  /** As written; undefined: any text. */
  regex?: string | undefined;
}

/** Parts of one segment: texts and placeholders in turn. */
export type Part = string | Placeholder;
export type Segment = readonly Part[];

export interface RoutePattern {
  segments: readonly Segment[];
  /** The name of the last placeholder, when it takes the rest of the path with its slashes. */
  rest?: string | undefined;
  /** The rest must not be empty. */
  needsRest?: boolean | undefined;
  /** The route behind its first slash, where it was parsed and has no placeholder. */
  text?: string | undefined;
}

/** Most routes. Of ten thousand of them nobody asks for the segments. */
class StaticPattern implements RoutePattern {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get segments(): readonly Segment[] {
    return this.text === "" ? [] : this.text.split("/").map((segment) => (segment === "" ? [] : [segment]));
  }
}

export const maxRouteLength = 500;
const nameForm = /^[A-Za-z_][A-Za-z0-9_]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unsafe = /[/\\\u0000-\u001f\u007f]/;

/** Throws an Error that says what is wrong with the route. */
export function parseRoute(route: string): RoutePattern {
  if (route.length > maxRouteLength) throw new Error(`must not be longer than ${maxRouteLength} characters`);
  if (!route.startsWith("/")) throw new Error('must begin with one "/"');
  if (!route.includes("{") && !route.includes("}")) return new StaticPattern(route.slice(1));
  const segments = splitSegments(route.slice(1)).map(parseSegment);
  const names = segments.flat().flatMap((part) => (typeof part === "string" ? [] : [part.name]));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`has the placeholder "${twice}" twice`);
  const last = segments.at(-1);
  const rest = last?.length === 1 && typeof last[0] !== "string" ? last[0] : undefined;
  if (rest?.regex !== ".*" && rest?.regex !== ".+") return { segments };
  return { segments: segments.slice(0, -1), rest: rest.name, needsRest: rest.regex === ".+" };
}

export function isStatic(pattern: RoutePattern): boolean {
  if (pattern.text !== undefined) return true;
  return (
    pattern.rest === undefined && pattern.segments.every((segment) => segment.every((part) => typeof part === "string"))
  );
}

/** A slash inside braces belongs to a pattern, which no segment could match. */
function splitSegments(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let current = "";
  for (const sign of text) {
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (sign === "/" && depth > 0) throw new Error("has a pattern with a slash, which no segment can match");
    if (sign === "/") {
      found.push(current);
      current = "";
    } else current += sign;
  }
  return [...found, current];
}

function parseSegment(text: string): Segment {
  if (text !== "" && !text.includes("{") && !text.includes("}")) return [text];
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    const literal = text.slice(at, open < 0 ? undefined : open);
    if (literal.includes("}")) throw new Error('has a "}" without a "{"');
    if (literal !== "") parts.push(literal);
    if (open < 0) break;
    const close = closingBrace(text, open);
    parts.push(parsePlaceholder(text.slice(open + 1, close)));
    at = close + 1;
  }
  if (parts.filter((part) => typeof part !== "string").length > 1)
    throw new Error("has two placeholders in one segment; put a slash between them");
  return parts;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('has a "{" without a "}"');
}

function parsePlaceholder(text: string): Placeholder {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  if (!nameForm.test(name))
    throw new Error(`has the placeholder "{${text}}", whose name is not made of letters, digits and _`);
  if (colon < 0) return { name };
  const regex = text.slice(colon + 1);
  if (regex === "") throw new Error(`has an empty pattern in "{${text}}"`);
  compilePattern(regex);
  compileWhole(regex);
  return { name, regex };
}

/** It must fit the whole text. */
export function compileWhole(regex: string): Pattern {
  return compilePattern(`^(?:${regex})$`);
}

/** The decoded segments of a path as it was sent; undefined for one that no page can have. */
export function segmentsOf(path: string): string[] | undefined {
  if (path === "/") return [];
  const segments: string[] = [];
  for (const sent of path.slice(1).split("/")) {
    const segment = sent.includes("%") ? decode(sent) : sent;
    if (segment === undefined || segment === "" || segment === "." || segment === ".." || unsafe.test(segment))
      return undefined;
    segments.push(segment.normalize("NFC"));
  }
  return segments;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The address of a route without placeholders. */
export function encodePath(route: string): string {
  return route
    .split("/")
    .map((segment) =>
      encodeURIComponent(segment).replace(/%(?:21|24|26|27|28|29|2A|2B|2C|3A|3B|3D|40)/g, decodeURIComponent),
    )
    .join("/");
}

/** The route with values for its placeholders; undefined when one is missing. */
export function fillRoute(pattern: RoutePattern, params: Readonly<Record<string, string>>): string | undefined {
  const written: string[] = [];
  for (const segment of pattern.segments) {
    let text = "";
    for (const part of segment) {
      const value = typeof part === "string" ? part : params[part.name];
      if (value === undefined || value === "") return undefined;
      text += value;
    }
    written.push(text);
  }
  const rest = pattern.rest === undefined ? "" : (params[pattern.rest] ?? "");
  if (rest !== "") written.push(...rest.split("/"));
  return encodePath(`/${written.join("/")}`);
}
