// Validates a template: its Liquid, partials and layouts included. Nothing is rendered, no file is read. Templates of pages are
// checked by the engine of pages: a tag or filter that does not exist is a mistake.

import type * as LiquidJs from "liquidjs";
import { lazily } from "#base/lazy.ts";
import { describeError, locateError, parseLiquid } from "./liquid.ts";
import { withNear } from "./template/render.ts";
import { parseTemplate } from "./template/template-store.ts";

const liquidjs = lazily<typeof LiquidJs>("liquidjs");

const pageFolders = ["pages/", "layouts/", "partials/", "forms/"];

let engine: LiquidJs.Liquid | undefined;

/** The problem, with the line; undefined when it is valid. */
export function templateProblem(source: string, id = "", filters?: ReadonlySet<string>): string | undefined {
  const isOfPages = pageFolders.some((folder) => id.startsWith(folder));
  try {
    if (isOfPages) parseTemplate(id, source, true, filters);
    else parseLiquid(plainEngine(), source);
    return undefined;
  } catch (error) {
    if (!isOfPages) return describeError(error);
    const { line, message } = withNear(locateError(error), true);
    return line === 0 ? message : `Line ${line}: ${message.replace(/\.?$/, ".").replace("?.", "?")}`;
  }
}

function plainEngine(): LiquidJs.Liquid {
  engine ??= new (liquidjs().Liquid)({ ownPropertyOnly: true, templates: {} });
  return engine;
}
