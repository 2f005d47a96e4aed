// `render` of the facade: a template filled with data. Its own templates are open to every extension; those of the site to whom
// may read templates, and so never to the extension itself.

import { join } from "node:path";
import { isAllowed } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { previewLiquid, type ReadPartial } from "#site/liquid.ts";
import { readTemplateFile, templateEnding, templateIdProblem, templatePlace } from "#site/template-files.ts";
import type { LiveExtension } from "./load-extensions.ts";

export async function renderFor(
  ctx: Context,
  extension: LiveExtension,
  { template, data }: { template: string; data: JsonObject },
): Promise<string> {
  const read = readerFor(ctx, extension);
  const source = (await read(template)) ?? fail("not-found", `There is no template "${template.slice(0, 200)}".`);
  const result = await previewLiquid(source, data, read);
  if ("html" in result) return result.html;
  const [{ message, line } = { message: "It cannot be used", line: 0 }] = result.errors;
  return fail("invalid", `The template ${template} cannot be used. ${message} (line ${line})`);
}

function readerFor({ actor, settings }: Context, { id, folder, manifest, switchedOff }: LiveExtension): ReadPartial {
  const own = `ext/${id}/`;
  const { templates } = manifest.contributes;
  const hasOwn = templates !== "" && !switchedOff.has("templates:all");
  const isReader = isAllowed(actor, "read", { kind: "templates" });
  return async (name) => {
    const plain = name.endsWith(templateEnding) ? name.slice(0, -templateEnding.length) : name;
    const isOwn = plain.startsWith(own);
    const wanted = isOwn ? plain.slice(own.length) : plain;
    if (templateIdProblem(wanted) || (isOwn ? !hasOwn : !isReader)) return undefined;
    const place = isOwn ? join(folder, templates) : templatePlace(settings).folder;
    return (await readTemplateFile(place, wanted))?.text;
  };
}
