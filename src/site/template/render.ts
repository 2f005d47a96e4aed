// Renders a page: its template, its layouts around it. Pure but for what the reader does: the same code runs in tests without a
// database.

import type * as LiquidJs from "liquidjs";
import { CairnError } from "#base/errors.ts";
import { inTurns, locateError } from "#site/liquid.ts";
import { templateIdProblem } from "#site/template-files.ts";
import "./all.ts";
import { didYouMean } from "#rules/near-names.ts";
import { createContext } from "./context.ts";
import { CountingEmitter } from "./define.ts";
import { engineFor, isMarkupKind } from "./engine.ts";
import { linesAround, PageEnd, SiteTemplateError } from "./errors.ts";
import { makeGlobals } from "./globals.ts";
import type { Rendered } from "./render-page.ts";
import type { Rendering } from "./rendering.ts";
import { mainBlock } from "./tags/layout.ts";
import type { ParsedTemplate } from "./template-source.ts";

const maxLayouts = 5;

export type RenderingInput = Pick<
  Rendering,
  "values" | "request" | "recorder" | "reader" | "site" | "templates" | "isDevelopment" | "fragments" | "addedFilters"
>;

export function startRendering(input: RenderingInput): Rendering {
  return {
    ...input,
    isMarkup: isMarkupKind(input.values.kind),
    inCode: 0,
    partials: new Map(),
    blocks: new Map(),
    isStoring: false,
    way: [],
    headers: {},
    scripts: new Set(),
    styles: new Set(),
    warnings: [],
    parameters: new Map(),
    later: new Map(),
    used: { queries: 0, objects: 0, output: 0, made: 0 },
  };
}

export async function render(rendering: Rendering): Promise<Rendered> {
  const { values } = rendering;
  const engine = engineFor(rendering.isMarkup);
  const emitter = new CountingEmitter(rendering);
  try {
    const context = createContext(rendering, engine, makeGlobals(rendering));
    await inTurns(renderPage({ engine, rendering, context, emitter }, values.template));
  } catch (error) {
    const end = findEnd(error);
    if (end) return end.end;
    throw await explain(rendering, error);
  }
  const { headers, scripts, styles, warnings } = rendering;
  const body = [...rendering.later].reduce((text, [mark, make]) => text.replaceAll(mark, make), emitter.buffer);
  return { kind: "page", body, headers, scripts: [...scripts], styles: [...styles], warnings };
}

interface Work {
  engine: LiquidJs.Liquid;
  rendering: Rendering;
  context: LiquidJs.Context;
  emitter: CountingEmitter;
}

function* renderPage(work: Work, id: string): Generator<unknown, void, unknown> {
  const { engine, rendering, context, emitter } = work;
  const { renderer } = engine;
  let template = (yield load(rendering, id)) as ParsedTemplate;
  for (let depth = 0; ; depth++) {
    if (depth > maxLayouts) throw new Error(`Layouts may have layouts to a depth of ${maxLayouts}`);
    rendering.way.push({ template: template.id });
    rendering.recorder.template(template.id);
    const layout = (yield findLayout(rendering, template, depth)) as ParsedTemplate | undefined;
    if (!layout) {
      rendering.isStoring = false;
      yield renderer.renderTemplates(template.templates, context, emitter);
      return;
    }
    rendering.isStoring = true;
    const outside = new CountingEmitter(rendering);
    yield renderer.renderTemplates(template.templates, context, outside);
    // What a page prints outside of blocks is its main block.
    if (depth === 0 && !rendering.blocks.has(mainBlock) && outside.buffer.trim() !== "")
      rendering.blocks.set(mainBlock, [{ templates: [textTemplate(outside.buffer)] }]);
    template = layout;
  }
}

function textTemplate(text: string): LiquidJs.Template {
  return {
    render: (_context: LiquidJs.Context, emitter: LiquidJs.Emitter) => emitter.write(text),
  } as unknown as LiquidJs.Template;
}

/** Pages in HTML without the tag have the layout `default`, if there is one. */
async function findLayout(
  { templates, values }: Rendering,
  { id: template, layout }: ParsedTemplate,
  depth: number,
): Promise<ParsedTemplate | undefined> {
  if (layout === false) return undefined;
  if (layout === undefined)
    return depth === 0 && values.kind === "html" && template.startsWith("pages/")
      ? templates.load("layouts/default")
      : undefined;
  const id = layout.startsWith("layouts/") || layout.startsWith("ext/") ? layout : `layouts/${layout}`;
  const found = templateIdProblem(id) ? undefined : await templates.load(id);
  if (found) return found;
  const names = (await templates.ids()).filter((one) => one.startsWith("layouts/"));
  throw new Error(
    `There is no layout "${layout}".${didYouMean(
      layout,
      names.map((one) => one.slice("layouts/".length)),
    )}`,
  );
}

async function load({ templates }: Rendering, id: string): Promise<ParsedTemplate> {
  const found = templateIdProblem(id) ? undefined : await templates.load(id);
  if (found) return found;
  throw new Error(`There is no template "${id}".${didYouMean(id, await templates.ids())}`);
}

function findEnd(error: unknown): PageEnd | undefined {
  for (let at = error; at instanceof Error; at = (at as { originalError?: unknown }).originalError)
    if (at instanceof PageEnd) return at;
  return undefined;
}

/** Errors of the service (a busy database) stay what they are; everything else is a mistake of the template. */
async function explain(rendering: Rendering, error: unknown): Promise<unknown> {
  for (let at = error; at instanceof Error; at = (at as { originalError?: unknown }).originalError)
    if (at instanceof CairnError && at.word !== "invalid") return at;
  if (!(error instanceof Error)) return error;
  const told = withNear(locateError(error), rendering.isMarkup);
  const { way, templates } = rendering;
  const id = told.template ?? way.at(-1)?.template ?? "";
  const source = await templates.load(id).catch(() => undefined);
  return new SiteTemplateError(
    { ...told, template: id },
    { way: [...way], lines: linesAround(source?.text ?? "", told.line) },
  );
}

/** Names of tags and filters that come near. */
export function withNear<T extends { message: string }>(told: T, isMarkup: boolean): T {
  const [, filter] = /^undefined filter: (\S+)$/.exec(told.message) ?? [];
  const [, tag] = /^tag "([^"]*)" not found$/.exec(told.message) ?? [];
  const engine = engineFor(isMarkup);
  if (filter)
    return { ...told, message: `There is no filter "${filter}".${didYouMean(filter, Object.keys(engine.filters))}` };
  if (tag) return { ...told, message: `There is no tag "${tag}".${didYouMean(tag, Object.keys(engine.tags))}` };
  return told;
}
