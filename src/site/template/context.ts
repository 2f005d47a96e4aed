// The library's context, with one rule more: of its own objects (loops, nil) only the members that the language names are read.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { limiterOf } from "./engine.ts";
import type { Rendering } from "./rendering.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

const loopNames: ReadonlySet<unknown> = new Set([
  ...["index", "index0", "rindex", "rindex0", "first", "last", "length", "name"],
  ...["col", "col0", "col_first", "col_last", "row"],
]);

/** `names`: known beside the globals. */
export function createContext(
  rendering: Rendering,
  engine: LiquidJs.Liquid,
  globals: object,
  names: object = Object.create(null),
): LiquidJs.Context {
  const options = { globals, ownPropertyOnly: true };
  const limits = { memoryLimit: limiterOf(rendering) as never, liquid: engine };
  return guard(new (liquidjs().Context)(names, engine.options, options, limits));
}

/** Also those that partials get. */
function guard(context: LiquidJs.Context): LiquidJs.Context {
  const { Drop, toValue } = liquidjs();
  const read = context.readProperty.bind(context);
  const spawn = context.spawn.bind(context);
  context.readProperty = (object, key) => {
    const isOfLibrary = object instanceof Drop && typeof (object as { toLiquid?: unknown }).toLiquid !== "function";
    return isOfLibrary && !loopNames.has(toValue(key)) ? undefined : read(object, key);
  };
  context.spawn = (scope) => guard(spawn(scope));
  return context;
}
