// How tags and filters of pages are written and registered. Other parts of the site add theirs before the first page is rendered:
// `registerTag` and `registerFilter`. Nothing here knows a single tag.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { didYouMean } from "#rules/near-names.ts";
import { markup, textOf } from "./html-value.ts";
import { evaluate, isPending } from "./quick-values.ts";
import { countOutput, type Rendering, renderingOf } from "./rendering.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** `"contact", id: "c1"`: values first or between, named ones in any order. */
export interface Arguments {
  values: LiquidJs.ValueToken[];
  named: Map<string, LiquidJs.ValueToken>;
}

export interface Evaluated {
  values: unknown[];
  named: Record<string, unknown>;
}

/** A tag while it is parsed. */
export interface TagSource {
  token: LiquidJs.TagToken;
  tokenizer: LiquidJs.Tokenizer;
  /** Everything up to the end tag. */
  readBody(end: string): LiquidJs.Template[];
  /** `names`: the named ones that exist; others are mistakes. Undefined: any. */
  readArguments(names?: readonly string[]): Arguments;
  /** The next word must be this one. */
  expect(word: string): void;
  readName(): string;
  readValue(): LiquidJs.ValueToken;
  /** A value with its filters. */
  readFiltered(): LiquidJs.Value;
  /** The next word, if it is this one. */
  take(word: string): boolean;
}

/** A tag while it is rendered. Generators are run in turns: `yield` a promise or another generator to get its value. */
export interface TagRun {
  rendering: Rendering;
  context: LiquidJs.Context;
  emitter: LiquidJs.Emitter;
  value(token: LiquidJs.ValueToken): Generator<unknown, unknown, unknown>;
  arguments(args: Arguments): Generator<unknown, Evaluated, unknown>;
  /** Renders templates into the page, or into another emitter. */
  body(templates: LiquidJs.Template[], into?: { context?: LiquidJs.Context; emitter?: LiquidJs.Emitter }): unknown;
  /** Renders templates apart: their text. */
  bodyText(templates: LiquidJs.Template[]): Generator<unknown, string, unknown>;
  /** Prints markup as it is. */
  print(html: string): void;
  /** Prints a value by the rules for values. */
  printValue(value: unknown): void;
  /** Makes a name known to the rest of the template. */
  assign(name: string, value: unknown): void;
  /** Makes names known inside of the work. */
  withNames(names: Record<string, unknown>, work: unknown): Generator<unknown, void, unknown>;
}

export interface SiteTag<S = unknown> {
  parse(source: TagSource): S;
  render(state: S, run: TagRun): unknown;
}

export interface FilterCall {
  rendering: Rendering;
  named: Readonly<Record<string, unknown>>;
}

/** May return a promise. Markup is returned with `markup`; any other text is escaped when it is printed. */
export type SiteFilter = (value: unknown, args: readonly unknown[], call: FilterCall) => unknown;

const tags = new Map<string, SiteTag>();
const filters = new Map<string, SiteFilter>();

export function registerTag<S>(name: string, tag: SiteTag<S>): void {
  tags.set(name, tag as SiteTag);
}

export function registerFilter(name: string, filter: SiteFilter): void {
  filters.set(name, filter);
}

export function installOn(engine: LiquidJs.Liquid): void {
  for (const [name, tag] of tags) engine.registerTag(name, tagClass(tag));
  for (const [name, filter] of filters) engine.registerFilter(name, filterFunction(filter));
  Object.defineProperty(engine, "filters", { value: withAdded(engine.filters) });
}

/** Names of filters of extensions, while a template is parsed: they differ between installations of one process. */
let added: ReadonlySet<string> = new Set();

export function whileAdded<T>(names: ReadonlySet<string>, parse: () => T): T {
  const before = added;
  added = names;
  try {
    return parse();
  } finally {
    added = before;
  }
}

function withAdded(own: LiquidJs.Liquid["filters"]): LiquidJs.Liquid["filters"] {
  return new Proxy(own, {
    get(target, name) {
      if (typeof name !== "string" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      return added.has(name)
        ? filterFunction((value, args, { rendering }) => rendering.addedFilters?.(name, [value, ...args], rendering))
        : undefined;
    },
  });
}

/** Counts what it is given. */
export class CountingEmitter implements LiquidJs.Emitter {
  buffer = "";
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  write(html: unknown): void {
    const text = typeof html === "string" ? html : textOf(html);
    countOutput(this.#rendering, text.length);
    this.buffer += text;
  }
}

/** Behind a tag of ours, for code that looks at parsed templates. */
export function stateOf(template: LiquidJs.Template): { tag: SiteTag; state: unknown } | undefined {
  return "siteTag" in template
    ? { tag: template.siteTag as SiteTag, state: (template as SiteTagObject).state }
    : undefined;
}

interface SiteTagObject extends LiquidJs.Template {
  siteTag: SiteTag;
  state: unknown;
}

function tagClass(tag: SiteTag): LiquidJs.Liquid["tags"][string] {
  return class extends liquidjs().Tag {
    readonly siteTag = tag;
    readonly state: unknown;

    constructor(
      token: LiquidJs.TagToken,
      rest: LiquidJs.TopLevelToken[],
      engine: LiquidJs.Liquid,
      parser: LiquidJs.Parser,
    ) {
      super(token, rest, engine);
      this.state = tag.parse(sourceOf(token, rest, { engine, parser }));
    }

    render(context: LiquidJs.Context, emitter: LiquidJs.Emitter): unknown {
      return tag.render(this.state, new Run(this.liquid, context, emitter));
    }
  };
}

function sourceOf(
  token: LiquidJs.TagToken,
  rest: LiquidJs.TopLevelToken[],
  { engine, parser }: { engine: LiquidJs.Liquid; parser: LiquidJs.Parser },
): TagSource {
  const { tokenizer } = token;
  const unclear = (): never => {
    throw new Error(`"${token.getText()}" is not written as this tag expects`);
  };
  const readWord = () => {
    tokenizer.skipBlank();
    return tokenizer.readIdentifier().content;
  };
  const source: TagSource = {
    token,
    tokenizer,
    readBody(end) {
      const templates: LiquidJs.Template[] = [];
      for (let next = rest.shift(); next; next = rest.shift()) {
        if (next.kind === liquidjs().TokenKind.Tag && (next as LiquidJs.TagToken).name === end) return templates;
        templates.push(parser.parseToken(next, rest));
      }
      throw new Error(`${token.getText()} is not closed: {% ${end} %} is missing`);
    },
    readArguments(names) {
      const read: Arguments = { values: [], named: new Map() };
      for (;;) {
        tokenizer.skipBlank();
        if (tokenizer.peek() === ",") tokenizer.advance(1);
        tokenizer.skipBlank();
        if (tokenizer.end()) return read;
        const start = tokenizer.p;
        const name = readWord();
        tokenizer.skipBlank();
        if (name !== "" && tokenizer.peek() === ":") {
          tokenizer.advance(1);
          if (names && !names.includes(name))
            throw new Error(`The tag has no argument "${name}".${didYouMean(name, names)}`);
          read.named.set(name, source.readValue());
        } else {
          tokenizer.p = start;
          read.values.push(source.readValue());
        }
      }
    },
    readFiltered: () => new (liquidjs().Value)(tokenizer.readFilteredValue(), engine),
    expect(word) {
      if (!source.take(word)) unclear();
    },
    take(word) {
      const start = tokenizer.p;
      if (readWord() === word) return true;
      tokenizer.p = start;
      return false;
    },
    readName() {
      return readWord() || unclear();
    },
    readValue() {
      tokenizer.skipBlank();
      return (tokenizer.readValue() as LiquidJs.ValueToken | undefined) ?? unclear();
    },
  };
  return source;
}

class Run implements TagRun {
  readonly rendering: Rendering;
  readonly context: LiquidJs.Context;
  readonly emitter: LiquidJs.Emitter;
  readonly #engine: LiquidJs.Liquid;

  constructor(engine: LiquidJs.Liquid, context: LiquidJs.Context, emitter: LiquidJs.Emitter) {
    this.rendering = renderingOf(context);
    this.context = context;
    this.emitter = emitter;
    this.#engine = engine;
  }

  *value(token: LiquidJs.ValueToken): Generator<unknown, unknown, unknown> {
    const found = evaluate(token, this.context);
    return isPending(found) ? yield found : found;
  }

  *arguments({ values, named }: Arguments): Generator<unknown, Evaluated, unknown> {
    const evaluated: Evaluated = { values: [], named: Object.create(null) };
    for (const token of values) evaluated.values.push(yield* this.value(token));
    for (const [name, token] of named) evaluated.named[name] = yield* this.value(token);
    return evaluated;
  }

  body(templates: LiquidJs.Template[], into: Parameters<TagRun["body"]>[1] = {}): unknown {
    return this.#engine.renderer.renderTemplates(templates, into.context ?? this.context, into.emitter ?? this.emitter);
  }

  *bodyText(templates: LiquidJs.Template[]): Generator<unknown, string, unknown> {
    const apart = new CountingEmitter(this.rendering);
    yield this.#engine.renderer.renderTemplates(templates, this.context, apart);
    return apart.buffer;
  }

  print(html: string): void {
    this.emitter.write(html);
  }

  printValue(value: unknown): void {
    const { outputEscape } = this.#engine.options;
    this.print((outputEscape as (this: object, value: unknown) => string).call({ context: this.context }, value));
  }

  assign(name: string, value: unknown): void {
    this.context.bottom()[name] = value;
  }

  *withNames(names: Record<string, unknown>, work: unknown): Generator<unknown, void, unknown> {
    this.context.push(Object.assign(Object.create(null), names));
    yield work;
    this.context.pop();
  }
}

interface HandlerThis {
  context: LiquidJs.Context;
  token: { args: readonly unknown[] };
}

function filterFunction(filter: SiteFilter): LiquidJs.FilterImplOptions {
  return function (this: unknown, value: unknown, ...sent: unknown[]) {
    const { context, token } = this as HandlerThis;
    const named: Record<string, unknown> = Object.create(null);
    const args: unknown[] = [];
    // Named ones come as pairs; only the token knows them from lists.
    for (let at = 0; at < sent.length; at += 1) {
      const arg = sent[at];
      if (Array.isArray(token.args[at])) named[(arg as [string, unknown])[0]] = (arg as [string, unknown])[1];
      else args.push(arg);
    }
    return filter(value, args, { rendering: renderingOf(context), named });
  } as LiquidJs.FilterImplOptions;
}

/** Markup of a tag or filter that is put together from escaped parts. */
export { markup };
