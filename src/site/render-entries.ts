// Renders entries of a collection through a template, one after the other: a query in HTML.
// Callers that read the entries only because the public may get the templates of one folder: others may be for mail or staff.

import { fail } from "#base/errors.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { renderLiquid } from "./liquid.ts";
import { readTemplateFile, templateIdProblem, templatePlace } from "./template-files.ts";

/** For all entries together; each has a limit of its own. */
const totalLimitMs = 2_000;
const publicFolder = "query/";

export async function renderEntries(
  ctx: Pick<Context, "settings" | "actor">,
  template: string,
  { collection, entries }: { collection: string; entries: readonly JsonObject[] },
): Promise<string> {
  const { folder } = templatePlace(ctx.settings);
  const isShown = template.startsWith(publicFolder) || seesDrafts(ctx, "read", collection);
  const stored = !isShown || templateIdProblem(template) ? undefined : await readTemplateFile(folder, template);
  if (!stored) refuse("There is no such template.");
  const deadline = performance.now() + totalLimitMs;
  const parts: string[] = [];
  for (const object of entries) {
    if (performance.now() > deadline) refuse("The template takes too long.");
    parts.push(await renderLiquid(stored.text, { collection, object }));
  }
  return parts.join("");
}

function refuse(message: string): never {
  fail("invalid", message, { template: [message] });
}
