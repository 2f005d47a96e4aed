// What holds for data views beyond their schema, by whichever door they are written. The sandbox is loaded when the first
// one is saved.

import { audit } from "#access/audit.ts";
import type { ErrorDetails } from "#base/errors.ts";
import { differing, type WriteRules } from "#content/write-rules.ts";
import type { JsonObject } from "#contract/json.ts";

/** Properties whose changes the audit log names: the code, its dependencies, and its visibility. */
const watched = ["definition", "dependencies", "mcp"];

export const viewRules: WriteRules = {
  check: checkView,
  serviceProperties: { names: ["lastBuilt", "lastError"], areLocal: true },
  code: ["definition"],
  // Code that runs in its author's name, like that of automations.
  power: {
    properties: ["definition"],
    isIn: ({ before, after }) =>
      after !== undefined && (before === undefined || differing(["definition"], before, after).length > 0),
  },
  audit: {
    changes: (before, after) => differing(watched, before, after),
    record: (ctx, what, id, details) => audit(ctx, { type: `view.${what}`, details: { ...details, object: id } }),
  },
};

async function checkView({ definition }: JsonObject): Promise<ErrorDetails> {
  if (typeof definition !== "string" || definition === "") return {};
  const { checkModule } = await import("#sandbox/run-module.ts");
  const problem = await checkModule(definition);
  return problem === undefined ? {} : { definition: [problem] };
}
