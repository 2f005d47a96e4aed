// Whether a template can be read: its Liquid, partials and layouts included. Nothing is rendered, no file is looked up.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { parseLiquid, tell } from "./liquid.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

let engine: LiquidJs.Liquid | undefined;

/** What is wrong, with the line; undefined when it can be read. */
export function templateProblem(source: string): string | undefined {
  engine ??= new (liquidjs().Liquid)({ ownPropertyOnly: true, templates: {} });
  try {
    parseLiquid(engine, source);
    return undefined;
  } catch (error) {
    return tell(error);
  }
}
