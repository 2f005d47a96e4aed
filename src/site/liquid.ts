// Liquid templates that editors write (mail, prompts): data in, text out. A template reaches only the data it is
// given: no files, no prototypes, and other templates only in a preview; its time and size are limited, and other requests are
// served meanwhile.
// `raw` keeps HTML, but only what the HTML cleaner would let an editor store.

import type * as LiquidJs from "liquidjs";
import { fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { lazily } from "#base/lazy.ts";
import type { JsonObject } from "#contract/json.ts";
import type { TemplateError, TemplatePreview } from "#contract/templates.ts";
import { cleanHtml, type HtmlRules } from "#schemas/html/html.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** Working time; time given to other requests does not count. */
const renderLimitMs = 500;
const turnMs = 5;
/** The clock is looked at after so many steps. */
const stepsATime = 8;
const parseLimit = 200_000;
const memoryLimit = 3_000_000;

const maxTags = 5_000;
const maxRaw = 100_000;
const maxList = 10_000;
/** Steps within steps: a partial that includes itself would go on until the memory is full. */
const maxSteps = 2_000;
const maxPartials = 100;
const atOnceFilters = ["sort", "sort_natural", "sample", "uniq", "json"];

/** These would read other templates. */
const partialTags = ["include", "render", "layout", "block"];

const rawRules: HtmlRules = {
  enabled: true,
  allowedIframeDomains: [],
  allowedCssProperties: [],
  allowedTags: [],
};

export interface LiquidOptions {
  /** Escapes values for HTML; false where the result is not HTML. Default true. */
  escape?: boolean;
}

const engines = new Map<boolean, LiquidJs.Liquid>();

/** Throws "invalid" with the line of the template. */
export async function renderLiquid(source: string, data: JsonObject, options: LiquidOptions = {}): Promise<string> {
  await loadParts();
  const engine = engineFor(options.escape ?? true);
  try {
    return String(await inTurns(engine._render(parseLiquid(engine, source), data, {})));
  } catch (error) {
    fail("invalid", `The template cannot be used. ${describeError(error)}`);
  }
}

/** Two packages that the first template loads: in a turn each, so that no other request waits for both. */
async function loadParts(): Promise<void> {
  if (areLoaded) return;
  liquidjs();
  await yieldToEventLoop();
  cleanHtml("<p></p>", rawRules);
  await yieldToEventLoop();
  areLoaded = true;
}

let areLoaded = false;

/** The text of a template; undefined when there is none that the caller may read. */
export type ReadPartial = (id: string) => Promise<string | undefined>;

/** The result, or the mistakes of the template with their places. The limits are those of every template. */
export async function previewLiquid(
  source: string,
  data: JsonObject,
  readPartial: ReadPartial,
): Promise<TemplatePreview> {
  await loadParts();
  const engine = createEngine(true, partialOptions(readPartial));
  try {
    return { html: String(await inTurns(engine._render(parseLiquid(engine, source), data, {}))) };
  } catch (error) {
    return { errors: [locateError(error)] };
  }
}

/** Each partial is read and parsed once. */
function partialOptions(readPartial: ReadPartial): LiquidJs.LiquidOptions {
  const texts = new Map<string, string>();
  return {
    ...{ dynamicPartials: true, cache: true, root: [""], extname: "" },
    fs: {
      resolve: (_folder, name) => name,
      exists: async (id) => {
        if (texts.size === maxPartials) throw new Error(`It takes more than ${maxPartials} other templates`);
        const text = await readPartial(id);
        if (text === undefined) throw new Error(`There is no template "${id}"`);
        checkTags(text);
        texts.set(id, text);
        return true;
      },
      readFile: async (id) => texts.get(id) ?? "",
      existsSync: () => false,
      readFileSync: () => "",
    },
  };
}

/** It is parsed at once, by a library whose time grows with the square of the tags. */
export function parseLiquid(engine: LiquidJs.Liquid, source: string, file?: string): LiquidJs.Template[] {
  checkTags(source);
  return engine.parse(source, file);
}

function checkTags(source: string): void {
  const { length } = source.match(/\{[{%]/g) ?? [];
  if (length > maxTags) throw new Error(`It has more than ${maxTags} tags`);
}

/** Runs the library's own steps, with pauses in which other requests are served. */
export async function inTurns(first: Iterator<unknown>): Promise<unknown> {
  const stack = [first];
  let value: unknown;
  let failed: { error: unknown } | undefined;
  let spentMs = 0;
  let turn = performance.now();
  let used = process.threadCpuUsage();
  let steps = 0;
  const endTurn = () => {
    // The limit is for the template's own work, not for a busy machine.
    const { user, system } = process.threadCpuUsage(used);
    spentMs += (user + system) / 1_000;
  };
  const beginTurn = () => {
    turn = performance.now();
    used = process.threadCpuUsage();
  };
  for (let top: Iterator<unknown> | undefined = first; top; top = stack[stack.length - 1]) {
    steps += 1;
    if (steps % stepsATime === 0 && performance.now() - turn > turnMs) {
      endTurn();
      if (spentMs > renderLimitMs) throw new Error("It takes too long");
      await yieldToEventLoop();
      beginTurn();
    }
    try {
      const step = failed ? top.throw?.(failed.error) : top.next(value);
      failed = undefined;
      if (step?.done) stack.pop();
      value = step?.value;
      if (value instanceof Promise) {
        // What others do meanwhile is not this template's work.
        endTurn();
        value = await value.finally(beginTurn);
      }
      if (isSteps(value)) stack.push(value);
      if (stack.length > maxSteps) throw new Error("Its templates include each other too deeply");
    } catch (error) {
      stack.pop();
      value = undefined;
      failed = { error };
    }
  }
  if (failed) throw failed.error;
  return value;
}

/** What `instanceof` finds in generators. */
function Steps() {}
Steps.prototype = Object.getPrototypeOf(noSteps).prototype;

function* noSteps() {}

/** Values of the site are looked at by nobody here: reading a property of theirs would be recorded. */
export function isSteps(value: unknown): value is Iterator<unknown> {
  return value instanceof (Steps as unknown as new () => object);
}

/** The problem of the template, with its line; undefined when it is valid. */
export function checkLiquid(source: string): string | undefined {
  try {
    parseLiquid(engineFor(true), source);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

function engineFor(isHtml: boolean): LiquidJs.Liquid {
  const known = engines.get(isHtml);
  if (known) return known;
  const engine = createEngine(isHtml, { dynamicPartials: false, templates: {} });
  for (const tag of partialTags) delete engine.tags[tag];
  engines.set(isHtml, engine);
  return engine;
}

function createEngine(isHtml: boolean, partials: LiquidJs.LiquidOptions): LiquidJs.Liquid {
  const engine = new (liquidjs().Liquid)({
    ...(isHtml && { outputEscape: "escape" as const }),
    ownPropertyOnly: true,
    strictFilters: true,
    relativeReference: false,
    timezoneOffset: 0,
    parseLimit,
    memoryLimit,
    ...partials,
  });
  // Loaded now, so that it does not use up the time limit of the first template.
  if (isHtml) cleanHtml("<p></p>", rawRules);
  if (isHtml) engine.registerFilter("raw", { raw: true, handler: (value) => cleanRaw(asText(value)) });
  for (const name of atOnceFilters) limitLists(engine, name);
  return engine;
}

/** A filter cannot be interrupted, so input that would take long is refused. */
function limitLists(engine: LiquidJs.Liquid, name: string): void {
  const filter = engine.filters[name] as Exclude<LiquidJs.FilterImplOptions, { handler: unknown }>;
  engine.registerFilter(name, function (value, ...args) {
    const { length } = Array.isArray(value) ? value : [];
    if (length > maxList) throw new Error(`${name} takes lists of at most ${maxList} elements`);
    return filter.call(this, value, ...args);
  });
}

function cleanRaw(html: string): string {
  if (html.length > maxRaw) throw new Error(`raw takes texts of at most ${maxRaw} characters`);
  return cleanHtml(html, rawRules);
}

function asText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

/** Errors of the library, which exports no type for them. */
interface ToldError {
  message: string;
  originalError?: ToldError;
  token?: { file?: string; getPosition?(): [line: number, column: number] };
}

/** The library's own message, without its trace: it quotes only the template's text. */
export function describeError(error: unknown): string {
  const { line, message } = locateError(error);
  return line === 0 ? `${message}.` : `Line ${line}: ${message}.`;
}

export function locateError(error: unknown): TemplateError {
  let told = error as ToldError;
  // A mistake in another template is wrapped by one at the tag that includes it.
  while (told.originalError?.token) told = told.originalError;
  const { message, originalError, token } = told;
  const [line, column] = token?.getPosition?.() ?? [0, 0];
  return {
    ...{ line, column, message: (originalError?.message ?? message).replace(/(, file:.*)?, line:\d+, col:\d+$/, "") },
    ...(token?.file && { template: token.file }),
  };
}
