// Validates a template: its Liquid, partials and layouts included. Nothing is rendered, no file is read.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { describeError, parseLiquid } from "./liquid.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

let engine: LiquidJs.Liquid | undefined;

/** The problem, with the line; undefined when it is valid. */
export function templateProblem(source: string): string | undefined {
  engine ??= new (liquidjs().Liquid)({ ownPropertyOnly: true, templates: {} });
  try {
    parseLiquid(engine, source);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
