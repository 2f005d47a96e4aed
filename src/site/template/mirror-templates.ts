// Templates and words where several nodes share a database: an edit of a file is checked as a save by the API is, and
// announced as one.

import { system } from "#access/actor.ts";
import { audit } from "#access/audit.ts";
import { CairnError } from "#base/errors.ts";
import { type App, contextFor } from "#context.ts";
import { announceTemplate, checkText } from "#site/templates.ts";

export function mirrorTemplates(app: App): void {
  const { definitions } = app;
  const ctx = contextFor(app, system);
  const refusal = (error: unknown) =>
    error instanceof CairnError && error.status < 500
      ? [error.message, ...Object.values(error.details ?? {}).flat()].join(" ")
      : undefined;
  definitions?.takeWith("templates", {
    check: (id, text) => checkText(ctx, { template: text }, id),
    refusal,
    async taken(id, { isNew }) {
      audit(ctx, { type: "template.saved", details: { template: id, by: "file" } });
      await announceTemplate(ctx, { type: "template.saved", template: id }, isNew);
    },
  });
  definitions?.takeWith("words", {
    check: async (_id, text) => text,
    refusal,
    taken: () => announceTemplate(ctx, { type: "site.changed", part: "all" }, false),
  });
}
