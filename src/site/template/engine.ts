// The engines of pages: one for markup, where values are escaped, and one for everything else. Only the tags and filters that are
// listed exist. Output, depth and what filters make are counted here; the library's own limits stay on beside that.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { escapeHtml } from "#base/text.ts";
import { parseLiquid } from "#site/liquid.ts";
import { installOn, whileAdded } from "./define.ts";
import { isJsonValue, isMarkup, textOf } from "./html-value.ts";
import { quickIf, renderQuickly } from "./quick-values.ts";
import { countMade, type Rendering, renderingOf } from "./rendering.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** Kinds of pages whose text is markup. */
const markupKinds: ReadonlySet<string> = new Set(["html", "svg", "xml", "rss"]);

const parseLimit = 600_000;
const maxList = 10_000;

const ownTags = [
  ...["#", "assign", "break", "case", "comment", "continue", "cycle", "decrement", "for", "if", "increment", "liquid"],
  ...["raw", "tablerow", "unless"],
];

const ownFilters = [
  ...[
    "abs",
    "append",
    "array_to_sentence_string",
    "at_least",
    "at_most",
    "base64_decode",
    "base64_encode",
    "capitalize",
  ],
  ...["ceil", "cgi_escape", "compact", "concat", "default", "divided_by", "downcase", "find", "find_index", "first"],
  ...["floor", "has", "join", "last", "lstrip", "map", "minus", "modulo", "normalize_whitespace", "number_of_words"],
  ...["plus", "pop", "prepend", "push", "reject", "remove", "remove_first", "remove_last", "replace", "replace_first"],
  ...["replace_last", "reverse", "round", "rstrip", "sha256", "shift", "size", "slice", "slugify", "sort"],
  ...["sort_natural", "split", "squish", "strip", "strip_newlines", "times", "to_integer", "truncate", "truncatewords"],
  ...["uniq", "unshift", "upcase", "uri_escape", "url_decode", "url_encode", "where"],
];

export function isMarkupKind(kind: string): boolean {
  return markupKinds.has(kind);
}

const noNames: ReadonlySet<string> = new Set();
const engines = new Map<boolean, LiquidJs.Liquid>();

/** Call after all tags and filters are registered. */
export function engineFor(isMarkupText: boolean): LiquidJs.Liquid {
  const known = engines.get(isMarkupText);
  if (known) return known;
  const engine = createEngine(isMarkupText);
  engines.set(isMarkupText, engine);
  return engine;
}

export function parseSiteTemplate(
  text: string,
  {
    id,
    isMarkup: asMarkup,
    filters = noNames,
  }: { id: string; isMarkup: boolean; filters?: ReadonlySet<string> | undefined },
): LiquidJs.Template[] {
  return whileAdded(filters, () => parseLiquid(engineFor(asMarkup), text, id));
}

function createEngine(isMarkupText: boolean): LiquidJs.Liquid {
  const engine = new (liquidjs().Liquid)({
    outputEscape: isMarkupText ? printMarkup : printText,
    ownPropertyOnly: true,
    strictFilters: true,
    relativeReference: false,
    timezoneOffset: 0,
    templates: {},
    parseLimit,
  });
  for (const name of Object.keys(engine.tags)) if (!ownTags.includes(name)) delete engine.tags[name];
  for (const name of Object.keys(engine.filters)) if (!ownFilters.includes(name)) delete engine.filters[name];
  for (const name of ownFilters) countFilter(engine, name);
  installOn(engine);
  engine.registerTag("if", quickIf());
  renderQuickly(engine);
  return engine;
}

type Handler = (this: { context: LiquidJs.Context }, value: unknown, ...args: unknown[]) => unknown;

function printMarkup(this: unknown, value: unknown): string {
  const rendering = renderingOf((this as { context: LiquidJs.Context }).context);
  if (rendering.inCode > 0) return printCode(value);
  if (typeof value === "string") return escapeHtml(value);
  return isMarkup(value) ? value.markup() : escapeHtml(textOf(value));
}

function printCode(value: unknown): string {
  if (isJsonValue(value)) return value.markup();
  throw new Error("Values inside of script and style are printed by the filter json alone: {{ value | json }}");
}

function printText(value: unknown): string {
  return textOf(value);
}

/** Filters that look at all elements at once, and cannot be interrupted. */
function countFilter(engine: LiquidJs.Liquid, name: string): void {
  const filter = engine.filters[name] as Handler;
  engine.registerFilter(name, function (this: { context: LiquidJs.Context }, value: unknown, ...args: unknown[]) {
    const rendering = renderingOf(this.context);
    if (Array.isArray(value) && value.length > maxList)
      throw new Error(`${name} takes lists of at most ${maxList} elements`);
    countMade(rendering, sizeOf(value) + args.reduce<number>((sum, arg) => sum + sizeOf(arg), 0));
    if (name === "replace") countMade(rendering, replacedLength(textOf(value), textOf(args[0]), textOf(args[1])));
    if (name === "join") countMade(rendering, joinedLength(value, args[0]));
    return filter.call(this, value, ...args);
  } as LiquidJs.FilterImplOptions);
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isMarkup(value) ? value.valueOf().length : 1;
}

function replacedLength(text: string, pattern: string, replacement: string): number {
  const count = pattern === "" ? text.length + 1 : text.split(pattern).length - 1;
  return text.length + count * replacement.length;
}

function joinedLength(value: unknown, separator: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.reduce<number>((sum, item) => sum + textOf(item).length, value.length * (textOf(separator).length || 1));
}

/** In place of the library's own: it counts for the page. */
export function limiterOf(rendering: Rendering): { use(count: number): void; check(): void } {
  return { use: (count) => countMade(rendering, count), check() {} };
}
