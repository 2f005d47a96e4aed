// A template that is being written, tried on an object or on data of its author. Nothing is stored. Objects and other templates are
// read with the rights of the caller.

import { allow, allowTarget, isAllowed } from "#access/allow.ts";
import { keyAllows } from "#access/key-scope.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { getObject } from "#content/objects/objects.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { TemplatePreview } from "#contract/templates.ts";
import { previewLiquid, type ReadPartial } from "./liquid.ts";
import { isOfSite, tryOnSite } from "./previews/try-template.ts";
import { readTemplateFile, templateEnding, templateIdProblem, templatePlace } from "./template-files.ts";
import { templateTextProblem } from "./templates.ts";

const playground = { kind: "objects", collection: "playground", publicOperations: [] } as const;

export async function previewTemplate(ctx: Context, body: Json): Promise<TemplatePreview> {
  if (!isAllowed(ctx.actor, "read", playground)) allow(ctx, "read", { kind: "templates" });
  const { id, template, data, collection, object } = readBody(body);
  if (templateTextProblem(template)?.isTooLarge) fail("too-large", "The template is too large.");
  if (id !== undefined && isOfSite(id)) {
    const bound = collection === undefined ? undefined : { collection, id: object ?? "" };
    if (bound) await readObject(ctx, bound.collection, bound.id);
    return tryOnSite(ctx, { id, text: template }, { data, object: bound });
  }
  const shown = collection === undefined ? {} : await readObject(ctx, collection, object ?? "");
  return previewLiquid(template, { ...shown, ...data }, partialReader(ctx));
}

interface Tried {
  /** Where it will be stored: templates of pages have the language of the site. */
  id?: string;
  template: string;
  data?: JsonObject;
  collection?: string;
  object?: string;
}

function readBody(body: Json): Tried {
  const { id, template, data, collection, object } = isJsonObject(body) ? body : {};
  const problems: ErrorDetails = {};
  if (id !== undefined && (typeof id !== "string" || templateIdProblem(id)))
    problems.id = ["must be the id of a template"];
  if (typeof template !== "string") problems.template = ["must be the text of a template"];
  if (data !== undefined && !isJsonObject(data)) problems.data = ["must be an object"];
  for (const [name, value] of Object.entries({ collection, object })) {
    if (value !== undefined && typeof value !== "string") problems[name] = ["must be text"];
    else if (value === undefined && (collection ?? object) !== undefined) problems[name] = ["is required"];
  }
  if (Object.keys(problems).length > 0) fail("validation-failed", undefined, problems);
  return { id, template, data, collection, object } as unknown as Tried;
}

/** As where a query is rendered by a template. */
async function readObject(ctx: Context, collection: string, id: string): Promise<JsonObject> {
  allowTarget(ctx, collection, "GET");
  return { collection, object: JSON.parse((await getObject(ctx, collection, id)).text) as JsonObject };
}

function partialReader({ actor, settings }: Context): ReadPartial {
  const { folder } = templatePlace(settings);
  const isClosed = actor.kind === "key" && actor.scope !== undefined && !keyAllows(actor.scope, "GET", "/templates");
  const isReader = !isClosed && isAllowed(actor, "read", { kind: "templates" });
  return async (name) => {
    const id = name.endsWith(templateEnding) ? name.slice(0, -templateEnding.length) : name;
    if (!isReader || templateIdProblem(id)) return undefined;
    return (await readTemplateFile(folder, id))?.text;
  };
}
