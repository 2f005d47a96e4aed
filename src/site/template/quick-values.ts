// Renders what nearly all templates consist of (text, `{{ name.member | filter }}`, `{% if name %}`) without a generator for each
// step of an expression. The result is the library's own; anything else is left to the library.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { isSteps } from "#site/liquid.ts";
import { renderingOf } from "./rendering.ts";
import { findReads } from "./values.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

/** Other requests get their turn after so many. */
const stepsATime = 16;

/** A value that is there only after a `yield`. */
export function isPending(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value instanceof Promise || isSteps(value));
}

/** A name and its members; false: more than that. */
const paths = new WeakMap<object, readonly (string | number)[] | false>();

function findPath(token: LiquidJs.Token): readonly (string | number)[] | false {
  const known = paths.get(token);
  if (known !== undefined) return known;
  const path = readPathOf(token);
  paths.set(token, path);
  return path;
}

function readPathOf(token: LiquidJs.Token): readonly (string | number)[] | false {
  if (token.kind !== liquidjs().TokenKind.PropertyAccess) return false;
  const { variable, props } = token as LiquidJs.PropertyAccessToken;
  if (variable !== undefined) return false;
  const names = props.map((prop) => ("content" in prop ? prop.content : undefined));
  const isPlain = typeof names[0] === "string" && names.every((name) => /^(?:string|number)$/.test(typeof name));
  return isPlain && (names as (string | number)[]);
}

/** The value of a token, or what must be yielded to get it. */
export function evaluate(token: LiquidJs.Token | undefined, context: LiquidJs.Context): unknown {
  if (token === undefined) return undefined;
  if ("content" in token) return token.content;
  const path = findPath(token);
  if (!path) return liquidjs().evalToken(token, context);
  try {
    let value = readName(context, path[0] as string);
    for (let at = 1; ; at += 1) {
      if (isPending(value)) {
        // It may never be waited for, where something else fails first.
        if (value instanceof Promise) value.catch(() => {});
        return readRest(context, { value, path, at, token });
      }
      if (at === path.length) return value;
      value = readMember(context, value, path[at] as string | number);
    }
  } catch (error) {
    throw asUndefined(error, token);
  }
}

interface Rest {
  value: unknown;
  path: readonly (string | number)[];
  at: number;
  token: LiquidJs.Token;
}

function* readRest(context: LiquidJs.Context, { value, path, at, token }: Rest): Generator<unknown, unknown, unknown> {
  try {
    let found = yield value;
    for (const name of path.slice(at)) found = yield readMember(context, found, name);
    return found;
  } catch (error) {
    throw asUndefined(error, token);
  }
}

/** As the library wraps what goes wrong while a name is read: with the place. */
function asUndefined(error: unknown, token: LiquidJs.Token): Error {
  return new (liquidjs().UndefinedVariableError)(error as Error, token);
}

function readName(context: LiquidJs.Context, name: string): unknown {
  const { scopes } = context as unknown as { scopes: Record<string, unknown>[] };
  for (let at = scopes.length - 1; at >= 0; at -= 1) {
    const scope = scopes[at] as Record<string, unknown>;
    if (!(name in scope)) continue;
    const value = Object.hasOwn(scope, name) ? scope[name] : undefined;
    return value === undefined || typeof value === "function" ? context.readProperty(scope, name) : value;
  }
  const { environments } = context;
  return context.readProperty(name in environments ? environments : context.globals, name);
}

function readMember(context: LiquidJs.Context, value: unknown, name: string | number): unknown {
  const reads = typeof name === "string" ? findReads(value) : undefined;
  // These have a meaning of their own for the library.
  if (!reads || name === "size" || name === "first" || name === "last")
    return context.readProperty(value as object, name);
  return reads.read(name as string);
}

/** A value with its filters. */
interface Prepared {
  token: LiquidJs.Token | undefined;
  initial: LiquidJs.Expression;
  filters: readonly LiquidJs.Filter[];
}

const prepared = new WeakMap<LiquidJs.Value, Prepared>();

function prepare(value: LiquidJs.Value): Prepared {
  const known = prepared.get(value);
  if (known) return known;
  const { postfix } = value.initial as unknown as { postfix: LiquidJs.Token[] };
  const made = { token: postfix.length === 1 ? postfix[0] : undefined, initial: value.initial, filters: value.filters };
  prepared.set(value, made);
  return made;
}

function evaluateValue({ token, initial, filters }: Prepared, context: LiquidJs.Context, isPrinted: boolean): unknown {
  const count = isPrinted ? filters.length - 1 : filters.length;
  let value = token === undefined ? initial.evaluate(context, false) : evaluate(token, context);
  for (let at = 0; at < count; at += 1) {
    if (isPending(value)) return filterRest(filters.slice(at, count), value, context);
    value = callFilter(filters[at] as LiquidJs.Filter, value, context);
  }
  return value;
}

function* filterRest(
  filters: readonly LiquidJs.Filter[],
  value: unknown,
  context: LiquidJs.Context,
): Generator<unknown, unknown, unknown> {
  let found = yield value;
  for (const filter of filters) found = yield callFilter(filter, found, context);
  return found;
}

interface FilterParts {
  args: readonly (LiquidJs.Token | [string, LiquidJs.Token | undefined])[];
  token: unknown;
  liquid: LiquidJs.Liquid;
  handler(this: object, ...args: unknown[]): unknown;
}

function callFilter(filter: LiquidJs.Filter, value: unknown, context: LiquidJs.Context): unknown {
  const { args, token, liquid, handler } = filter as unknown as FilterParts;
  const sent: unknown[] = [value];
  let isWaiting = false;
  for (const arg of args) {
    const isNamed = Array.isArray(arg);
    const found = evaluate(isNamed ? arg[1] : arg, context);
    isWaiting ||= isPending(found);
    sent.push(isNamed ? [arg[0], found] : found);
  }
  const self = { context, token, liquid };
  return isWaiting ? callLater({ args, token, liquid, handler }, sent, self) : handler.apply(self, sent);
}

function* callLater(
  { args, handler }: FilterParts,
  sent: unknown[],
  self: object,
): Generator<unknown, unknown, unknown> {
  for (const [at, arg] of args.entries()) {
    if (Array.isArray(arg)) sent[at + 1] = [arg[0], yield (sent[at + 1] as [string, unknown])[1]];
    else sent[at + 1] = yield sent[at + 1];
  }
  return yield handler.apply(self, sent);
}

/** One of these; what is neither is a tag. */
interface Step {
  template: LiquidJs.Template;
  text?: string;
  output?: Prepared;
}

const knownSteps = new WeakMap<readonly LiquidJs.Template[], readonly Step[]>();

function stepsOf(templates: readonly LiquidJs.Template[], print: unknown): readonly Step[] {
  const known = knownSteps.get(templates);
  if (known) return known;
  const steps = templates.map((template): Step => {
    const { token, str } = template as unknown as { token?: LiquidJs.Token; str?: unknown };
    if (token?.kind === liquidjs().TokenKind.HTML && typeof str === "string") return { template, text: str };
    if (!(template instanceof liquidjs().Output)) return { template };
    const { filters } = template.value;
    const isPrinted = (filters.at(-1) as unknown as FilterParts | undefined)?.handler === print;
    return isPrinted ? { template, output: prepare(template.value) } : { template };
  });
  knownSteps.set(templates, steps);
  return steps;
}

type Print = (this: { context: LiquidJs.Context }, value: unknown) => string;

/** In place of the library's loop through templates. */
export function renderQuickly({ renderer, options }: LiquidJs.Liquid): void {
  const print = options.outputEscape as Print;
  renderer.renderTemplates = function* (templates, context, emitter) {
    if (!emitter) throw new Error("Templates of pages are rendered into an emitter");
    const rendering = renderingOf(context);
    let quick = 0;
    for (const { template, text, output } of stepsOf(templates, print)) {
      // In development a warning names the line of the tag or value that is rendered.
      if (rendering.isDevelopment)
        rendering.at = "token" in template ? (template.token as typeof rendering.at) : undefined;
      try {
        if (text !== undefined) emitter.write(text);
        else if (output) {
          const value = evaluateValue(output, context, true);
          emitter.write(print.call({ context }, isPending(value) ? yield value : value));
        } else {
          const html = yield template.render(context, emitter);
          if (html) emitter.write(html);
          if (context.breakCalled || context.continueCalled) break;
          continue;
        }
      } catch (error) {
        throw liquidjs().LiquidError.is(error) ? error : new (liquidjs().RenderError)(error as Error, template);
      }
      quick += 1;
      if (quick % stepsATime === 0) yield undefined;
    }
    return (emitter as unknown as { buffer: string }).buffer;
  };
}

/** `{% if %}` whose conditions are names needs no further generator. */
export function quickIf(): LiquidJs.Liquid["tags"][string] {
  const { IfTag, isTruthy, toValue } = liquidjs();
  return class extends IfTag {
    override *render(context: LiquidJs.Context, emitter: LiquidJs.Emitter): Generator<unknown, void, unknown> {
      const { renderer } = this.liquid;
      for (const { value, templates } of this.branches) {
        const found = evaluateValue(prepare(value), context, false);
        const plain = toValue(isPending(found) ? yield found : found);
        if (!isTruthy(isPending(plain) ? yield plain : plain, context)) continue;
        yield renderer.renderTemplates(templates, context, emitter);
        return;
      }
      if (this.elseTemplates) yield renderer.renderTemplates(this.elseTemplates, context, emitter);
    }
  };
}
