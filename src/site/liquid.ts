// Liquid templates that editors write (mail, prompts): data in, text out. A template reaches nothing but the data it is
// given: no files, no other templates, no prototypes; it may not run long or grow large.
// `raw` lets HTML through, but only what the HTML cleaner would let an editor store.

import type * as LiquidJs from "liquidjs";
import { fail } from "#base/errors.ts";
import { lazily } from "#base/lazy.ts";
import { cleanHtml, type HtmlRules } from "#content/html.ts";
import type { JsonObject } from "#contract/json.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** Nobody else is served meanwhile; yet a machine that is busy for a moment must not make a good template fail. */
const renderLimitMs = 200;
const parseLimit = 200_000;
const memoryLimit = 3_000_000;

/** These would read other templates. */
const partialTags = ["include", "render", "layout", "block"];

const rawRules: HtmlRules = {
  enabled: true,
  allowedIframeDomains: [],
  allowedCssProperties: [],
  allowedTags: [],
};

export interface LiquidOptions {
  /** Values are put out as HTML text; false where the result is no HTML. Default true. */
  escape?: boolean;
}

const engines = new Map<boolean, LiquidJs.Liquid>();

/** Throws "invalid" with the line of the template. */
export async function renderLiquid(source: string, data: JsonObject, options: LiquidOptions = {}): Promise<string> {
  const engine = engineFor(options.escape ?? true);
  try {
    return String(await engine.render(engine.parse(source), data));
  } catch (error) {
    fail("invalid", `The template cannot be used. ${tell(error)}`);
  }
}

/** What is wrong with the template, with its line; undefined when it can be read. */
export function checkLiquid(source: string): string | undefined {
  try {
    engineFor(true).parse(source);
    return undefined;
  } catch (error) {
    return tell(error);
  }
}

function engineFor(isHtml: boolean): LiquidJs.Liquid {
  const known = engines.get(isHtml);
  if (known) return known;
  const engine = new (liquidjs().Liquid)({
    ...(isHtml && { outputEscape: "escape" as const }),
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    timezoneOffset: 0,
    parseLimit,
    renderLimit: renderLimitMs,
    memoryLimit,
  });
  for (const tag of partialTags) delete engine.tags[tag];
  // Loaded now: the first template that needs it must not run out of time by it.
  if (isHtml) cleanHtml("<p></p>", rawRules);
  if (isHtml) engine.registerFilter("raw", { raw: true, handler: (value) => cleanHtml(asText(value), rawRules) });
  engines.set(isHtml, engine);
  return engine;
}

function asText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

/** What the library throws, of which it names no type. */
interface ToldError {
  message: string;
  originalError?: Error;
  token?: { getPosition?(): [line: number, column: number] };
}

/** The library's own message, without its trail: it names nothing but the template's text. */
export function tell(error: unknown): string {
  const { message, originalError, token } = error as ToldError;
  const line = token?.getPosition?.()[0];
  const told = (originalError?.message ?? message).replace(/, line:\d+, col:\d+$/, "");
  return line === undefined ? `${told}.` : `Line ${line}: ${told}.`;
}
