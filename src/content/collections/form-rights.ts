// Which callers may give a form its actions: those that could do the same themselves. And the check of forms by schema.

import { isDeepStrictEqual } from "node:util";
import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { FormAction } from "#contract/forms.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { checkForms, readForms } from "./form-settings.ts";

export function checkFormSettings(settings: CollectionConfig, schema: FlatSchema | undefined): void {
  if (!schema) return;
  const details = checkForms(settings, schema);
  if (Object.keys(details).length > 0) fail("invalid", "The collection settings are not valid.", details);
}

/** What stands there already was allowed before. */
export function allowForms(ctx: Context, before: CollectionConfig | undefined, after: CollectionConfig): void {
  if (after.forms === undefined || isDeepStrictEqual(before?.forms, after.forms)) return;
  const known = before ? [...readForms(before).values()].flatMap(({ actions }) => actions) : [];
  for (const { actions, notify } of readForms(after).values()) {
    for (const action of actions) if (!known.some((one) => isDeepStrictEqual(one, action))) allowAction(ctx, action);
    if (notify.length > 0 && !(before && isNotified(before, notify))) allowMail(ctx);
  }
}

function isNotified(before: CollectionConfig, notify: string[]): boolean {
  return [...readForms(before).values()].some((form) => notify.every((address) => form.notify.includes(address)));
}

function allowAction(ctx: Context, action: FormAction): void {
  if (action.type === "mailer") allowMail(ctx);
  else if (action.type === "automation") allow(ctx, "update", { kind: "runs" });
  else if (action.type === "extension") allow(ctx, "update", { kind: "extension", extension: action.extension });
  else if (action.type === "webhook") allow(ctx, "create", { kind: "webhooks" });
}

function allowMail(ctx: Context): void {
  allow(ctx, "update", { kind: "objects", collection: "mailer", publicOperations: [] });
}
