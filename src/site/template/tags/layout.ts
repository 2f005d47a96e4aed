// `{% layout %}`, `{% block %}` and `{% render %}`: templates that use others.

import type { ValueToken } from "liquidjs";
import { didYouMean } from "#rules/near-names.ts";
import { type Arguments, CountingEmitter, registerTag, type SiteTag, type TagRun } from "#site/template/define.ts";
import { markup, textOf } from "#site/template/html-value.ts";
import { type BlockFrame, inTemplate, type Rendering } from "#site/template/rendering.ts";
import type { ParsedTemplate } from "#site/template/template-source.ts";
import { templateIdProblem } from "#site/template-files.ts";

export const mainBlock = "main";

export interface LayoutState {
  /** False: none. */
  name: string | false;
}

/** Taken out when a template is parsed; one that is rendered stands in the wrong place. */
export const layoutTag: SiteTag<LayoutState> = {
  parse(source) {
    if (source.take("none")) return { name: false };
    const value = source.readValue() as ValueToken & { content?: unknown };
    if (typeof value.content !== "string") throw new Error('A layout is named by a text: {% layout "base" %}');
    return { name: value.content };
  },
  render() {
    throw new Error("{% layout %} must be the first tag of a template, once");
  },
};

const blockTag: SiteTag<BlockFrame & { name: string }> = {
  parse(source) {
    const name =
      source.tokenizer
        .remaining()
        .trim()
        .replace(/^["']|["']$/g, "") || mainBlock;
    if (!/^[\w-]{1,100}$/.test(name)) throw new Error("The name of a block is letters, digits, _ and -");
    return { name, templates: source.readBody("endblock") };
  },
  *render(frame, run) {
    const { blocks, isStoring } = run.rendering;
    const inner = blocks.get(frame.name) ?? [];
    if (isStoring) blocks.set(frame.name, [...inner, frame]);
    else yield renderBlock(run, [...inner, frame]);
  },
};

function* renderBlock(run: TagRun, [frame, ...outer]: BlockFrame[]): Generator<unknown, void, unknown> {
  if (frame) yield* run.withNames({ block: superOf(run, outer) }, run.body(frame.templates));
}

/** `block.super`: the same block of the next layout. */
function superOf(run: TagRun, [frame, ...outer]: BlockFrame[]): object {
  return Object.assign(Object.create(null), {
    *super() {
      if (!frame) return markup("");
      const emitter = new CountingEmitter(run.rendering);
      yield* run.withNames({ block: superOf(run, outer) }, run.body(frame.templates, { emitter }));
      return markup(emitter.buffer);
    },
  });
}

interface RenderState {
  name: ValueToken;
  /** One template for each element. */
  each?: { list: ValueToken; as: string | undefined };
  with?: { value: ValueToken; as: string | undefined };
  args: Arguments;
}

const renderTag: SiteTag<RenderState> = {
  parse(source) {
    const state: RenderState = { name: source.readValue(), args: { values: [], named: new Map() } };
    const readAs = () => (source.take("as") ? source.readName() : undefined);
    if (source.take("for")) state.each = { list: source.readValue(), as: readAs() };
    else if (source.take("with")) state.with = { value: source.readValue(), as: readAs() };
    state.args = source.readArguments();
    if (state.args.values.length > 0)
      throw new Error('Arguments of a partial have names: {% render "card", post: post %}');
    return state;
  },
  *render({ name: token, each, with: one, args }, run) {
    const { rendering, context } = run;
    const name = textOf(yield* run.value(token));
    const id = partialId(rendering, name);
    const partial = rendering.partials.get(id) ?? ((yield loadPartial(rendering, id)) as ParsedTemplate);
    rendering.recorder.template(id);
    const { named } = yield* run.arguments(args);
    const fallback = name.split("/").at(-1) ?? name;
    if (one) named[one.as ?? fallback] = yield* run.value(one.value);
    const list = each ? toList(yield* run.value(each.list)) : [undefined];
    for (const [index, item] of list.entries()) {
      const scope = each ? { ...named, [each.as ?? fallback]: item, forloop: loopValue(list.length, index) } : named;
      const child = context.spawn();
      Object.assign(child.bottom(), scope);
      const step = { template: partial.id, args: Object.keys(named) };
      // Blocks belong to layouts: a partial prints where it stands.
      const wasStoring = rendering.isStoring;
      rendering.isStoring = false;
      yield inTemplate(rendering, step, run.body(partial.templates, { context: child }));
      rendering.isStoring = wasStoring;
    }
  },
};

function loopValue(length: number, index: number): object {
  const loop = { index: index + 1, index0: index, rindex: length - index, rindex0: length - index - 1, length };
  return Object.assign(Object.create(null), { ...loop, first: index === 0, last: index === length - 1 });
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** From `partials/`, whose name may be left out, or of an extension. */
function partialId({ way, partials }: Rendering, sent: string): string {
  const name = sent.replace(/^partials\//, "");
  const id = name.startsWith("ext/") ? name : `partials/${name}`;
  if (!partials.has(id) && templateIdProblem(id)) throw new Error(`"${name}" is not the name of a partial`);
  const circle = way.findIndex(({ template }) => template === id);
  if (circle < 0) return id;
  const names = [...way.slice(circle).map(({ template }) => template), id];
  throw new Error(`The partials use each other in a circle: ${names.join(" > ")}`);
}

async function loadPartial({ templates, recorder, partials }: Rendering, id: string): Promise<ParsedTemplate> {
  const found = await templates.load(id);
  if (found) {
    partials.set(id, found);
    return found;
  }
  // It may come.
  recorder.template(id);
  const name = partialName(id)[0] ?? id;
  const near = didYouMean(name, (await templates.ids()).flatMap(partialName));
  throw new Error(`There is no partial "${name}".${near}`);
}

function partialName(id: string): string[] {
  return id.startsWith("partials/") ? [id.slice("partials/".length)] : [];
}

/** A partial in place of markup that a tag would print; undefined: there is none. */
export function findPartial({ templates, recorder }: Rendering, name: string): Promise<ParsedTemplate | undefined> {
  recorder.template(`partials/${name}`);
  return templates.load(`partials/${name}`);
}

registerTag("layout", layoutTag);
registerTag("block", blockTag);
registerTag("render", renderTag);
