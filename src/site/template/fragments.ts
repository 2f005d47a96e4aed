// Parts of pages that are kept on their own. A fragment is rendered apart, with a record of what it reads; names of the page that
// hold plain values become part of its key. A fragment that reads anything else of its page is not kept: it may differ on the next.

import type * as LiquidJs from "liquidjs";
import { createContext } from "./context.ts";
import { CountingEmitter } from "./define.ts";
import { engineFor } from "./engine.ts";
import { makeGlobals } from "./globals.ts";
import type { Recorder } from "./recorder.ts";
import type { FragmentText, Rendering } from "./rendering.ts";

/** What a fragment may look at without being different on another page. */
const sharedOfRequest = new Set<PropertyKey>(["locale", "preview", "notes", "sentForm"]);
/** `data` is of templates that are tried, and of those nothing is kept. */
const sharedOfValues = new Set<PropertyKey>(["kind", "template", "data"]);

interface Apart {
  rendering: Rendering;
  context: LiquidJs.Context;
  /** Names of the page that were read, with their plain values. */
  names: Map<string, string>;
  isShared(): boolean;
}

interface Asked {
  key: string;
  body: LiquidJs.Template[];
  outer: LiquidJs.Context;
}

export function* renderFragment(rendering: Rendering, asked: Asked): Generator<unknown, string, unknown> {
  const { fragments, recorder } = rendering;
  if (!fragments || rendering.isStoring || rendering.request.preview || rendering.request.sentForm) {
    const plain = renderApart(rendering, recorder, asked);
    return (yield* print(plain, asked.body)).text;
  }
  const kept = (yield fragments.find(asked.key, (name) => plainOf(findName(asked.outer, name)))) as
    | FragmentText
    | undefined;
  if (kept) {
    if (kept.record) recorder.include(kept.record);
    add(rendering, kept);
    return kept.text;
  }
  const { recorder: own, finish } = fragments.begin();
  const apart = renderApart(rendering, both(recorder, own), asked);
  const made = yield* print(apart, asked.body);
  if (apart.isShared()) fragments.keep(asked.key, { ...made, names: [...apart.names] }, finish());
  add(rendering, made);
  return made.text;
}

function* print({ rendering, context }: Apart, body: LiquidJs.Template[]): Generator<unknown, FragmentText, unknown> {
  const emitter = new CountingEmitter(rendering);
  yield engineFor(rendering.isMarkup).renderer.renderTemplates(body, context, emitter);
  const { headers, scripts, styles } = rendering;
  return { text: emitter.buffer, headers, scripts: [...scripts], styles: [...styles], names: [] };
}

/** What a fragment adds to its page beside its text. */
function add(rendering: Rendering, { headers, scripts, styles }: FragmentText): void {
  Object.assign(rendering.headers, headers);
  for (const hash of scripts) rendering.scripts.add(hash);
  for (const hash of styles) rendering.styles.add(hash);
}

function renderApart(rendering: Rendering, recorder: Recorder, { outer }: Asked): Apart {
  let isOfPage = false;
  const ofPage = () => {
    isOfPage = true;
  };
  const names = new Map<string, string>();
  const marks = rendering.later.size;
  const apart: Rendering = {
    ...rendering,
    recorder,
    request: watched(rendering.request, sharedOfRequest, ofPage),
    values: watched(rendering.values, sharedOfValues, ofPage),
    get blocks() {
      ofPage();
      return rendering.blocks;
    },
    headers: {},
    scripts: new Set(),
    styles: new Set(),
  };
  const context = createContext(
    apart,
    engineFor(rendering.isMarkup),
    makeGlobals(apart),
    namesOf(outer, names, ofPage),
  );
  return { rendering: apart, context, names, isShared: () => !isOfPage && rendering.later.size === marks };
}

function watched<T extends object>(value: T, shared: ReadonlySet<PropertyKey>, ofPage: () => void): T {
  return new Proxy(value, {
    get(target, name) {
      if (!shared.has(name)) ofPage();
      return Reflect.get(target, name);
    },
  });
}

/** Names that the page has made, as the fragment sees them. */
function namesOf(outer: LiquidJs.Context, names: Map<string, string>, ofPage: () => void): object {
  const read = (name: string | symbol): unknown => {
    if (typeof name === "symbol") return undefined;
    const value = findName(outer, name);
    const plain = plainOf(value);
    if (plain === undefined) ofPage();
    else names.set(name, plain);
    return value;
  };
  return new Proxy(Object.create(null) as Record<string, unknown>, {
    has: (_target, name) => read(name) !== undefined,
    get: (_target, name) => read(name),
    getOwnPropertyDescriptor(_target, name) {
      const value = read(name);
      return value === undefined ? undefined : { value, configurable: true, enumerable: true, writable: false };
    },
    /** Counters of `increment` go on for the whole page. */
    set(_target, name, value) {
      ofPage();
      return Reflect.set(outer.environments as object, name, value);
    },
  });
}

function findName(context: LiquidJs.Context, name: string): unknown {
  const { scopes, environments } = context as unknown as { scopes: Record<string, unknown>[]; environments: object };
  const scope = scopes.findLast((one) => name in one) ?? (environments as Record<string, unknown>);
  return name in scope ? scope[name] : undefined;
}

/** Undefined: it is no plain value. */
function plainOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "nil";
  return /^(?:string|number|boolean)$/.test(typeof value) ? JSON.stringify(value) : undefined;
}

/** What a fragment reads, its page has read as well. */
function both(page: Recorder, own: Recorder): Recorder {
  return new Proxy(page, {
    get(_target, name: keyof Recorder) {
      return (...args: unknown[]) => {
        for (const recorder of [page, own]) (recorder[name] as (...args: unknown[]) => void)(...args);
      };
    },
  });
}
