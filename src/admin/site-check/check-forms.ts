// Forms that cannot be sent or shown as they are meant: their fields, their actions, and templates that name them.

import type { Collection } from "#content/collections/collection.ts";
import { findCollection, listOpenCollections } from "#content/collections/collection-cache.ts";
import { checkForms as findProblems, readForms } from "#content/collections/form-settings.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { FormAction } from "#contract/forms.ts";
import type { SiteFinding } from "#contract/site.ts";
import { didYouMean } from "#rules/near-names.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { lineAt } from "./check-markup.ts";

const nowhere = { template: "", page: "", line: 0 };

/** Of collections that the caller may read. */
export async function checkForms(ctx: Context): Promise<SiteFinding[]> {
  const findings: SiteFinding[] = [];
  const readable = await listOpenCollections(ctx, "read");
  const shown = new Set<string>();
  for (const id of ["mailer", "automations"])
    await openCollection(ctx, "read", id).then(
      () => shown.add(id),
      () => undefined,
    );
  for (const collection of readable) {
    const { settings, schema } = collection;
    for (const [path, problems] of Object.entries(findProblems(settings, schema))) {
      const message = `The collection "${collection.id}" has a form that is not valid: ${path} ${problems.join(", ")}.`;
      const cure = "Change the form in the settings of the collection.";
      findings.push({ ...nowhere, level: "error", message, cure });
    }
    for (const [name, { actions }] of readForms(settings))
      for (const action of actions) {
        const missing = await findMissing(ctx, action, shown);
        if (missing === undefined) continue;
        const message = `The form "${collection.id}/${name}" ends with ${missing}`;
        findings.push({ ...nowhere, level: "error", message, cure: "Choose another one, or take the action away." });
      }
  }
  return findings;
}

/** Only what the caller may read. */
async function findMissing(ctx: Context, action: FormAction, shown: ReadonlySet<string>): Promise<string | undefined> {
  if (action.type === "webhook") return undefined;
  if (action.type === "extension") {
    const { extension, name } = action;
    const offered = await ctx.extensions.of("formActions");
    if (offered.some((one) => one.extension === extension && one.entry.name === name)) return undefined;
    return `the action "${name}" of the extension ${extension}, which is not enabled or has no such action.`;
  }
  const [collection, id, what] =
    action.type === "mailer" ? ["mailer", action.mailerId, "mail"] : ["automations", action.id, "automation"];
  if (!shown.has(collection)) return undefined;
  return (await findDocument(ctx.storage, collection, id)) ? undefined : `the ${what} "${id}", which does not exist.`;
}

/** Forms that a template names. */
export async function checkShownForms(ctx: Context, id: string, text: string): Promise<SiteFinding[]> {
  const findings: SiteFinding[] = [];
  for (const match of text.matchAll(/\{%-?\s*form\s+["']([\w-]+)\/([\w-]+)["']/g)) {
    const [, collectionId = "", name = ""] = match;
    const problem = problemOf(await findCollection(ctx, collectionId), { collectionId, name });
    if (problem === undefined) continue;
    const about = { template: id, page: "", line: lineAt(text, match.index) };
    findings.push({ ...about, level: "error", ...problem });
  }
  return findings;
}

function problemOf(
  collection: Collection | undefined,
  { collectionId, name }: { collectionId: string; name: string },
): { message: string; cure: string } | undefined {
  if (!collection) {
    const message = `The template shows a form of the collection "${collectionId}", which does not exist.`;
    return { message, cure: "Make the collection, or name another form." };
  }
  const forms = readForms(collection.settings);
  const form = forms.get(name);
  if (form?.enabled) return undefined;
  const message = form
    ? `The template shows the form "${collectionId}/${name}", which is switched off.`
    : `The template shows the form "${collectionId}/${name}", which does not exist.${didYouMean(name, forms.keys())}`;
  return { message, cure: "Switch it on in the settings of the collection, or name another form." };
}
