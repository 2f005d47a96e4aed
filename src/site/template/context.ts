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

/** Made once the library is there. Also of partials. */
function makeClass() {
  const { Context, Drop, toValue } = liquidjs();
  return class SiteContext extends Context {
    override readProperty(object: LiquidJs.Scope, key: unknown): unknown {
      const isOfLibrary = object instanceof Drop && typeof (object as { toLiquid?: unknown }).toLiquid !== "function";
      return isOfLibrary && !loopNames.has(toValue(key)) ? undefined : super.readProperty(object, key as string);
    }

    override spawn(scope: object = Object.create(null)): LiquidJs.Context {
      const { globals, ownPropertyOnly, renderLimit, memoryLimit, liquid } = this;
      const limits = { renderLimit, memoryLimit, liquid } as ConstructorParameters<typeof Context>[3];
      return new SiteContext(scope, this.opts, { globals, ownPropertyOnly }, limits);
    }
  };
}

let contextClass: ReturnType<typeof makeClass> | undefined;

/** `names`: known beside the globals. */
export function createContext(
  rendering: Rendering,
  engine: LiquidJs.Liquid,
  globals: object,
  names: object = Object.create(null),
): LiquidJs.Context {
  const options = { globals, ownPropertyOnly: true };
  const limits = { memoryLimit: limiterOf(rendering) as never, liquid: engine };
  contextClass ??= makeClass();
  return new contextClass(names, engine.options, options, limits);
}
