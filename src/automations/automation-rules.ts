// What holds for automations beyond their schema, by whichever door they are written.

import { audit } from "#access/audit.ts";
import type { Change } from "#content/objects/change.ts";
import { type AppliedWrite, differing, type WriteRules } from "#content/write-rules.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkAutomation } from "./check.ts";

/** What the audit log names when it changes: what is run, when, and whether. */
const watched = ["handler", "triggers", "enabled"];

export const automationRules: WriteRules = {
  check: checkAutomation,
  openChange: () => ({ limit: clearFailures }),
  serviceProperties: { names: ["consecutiveFailures", "autoDisabled"], areLocal: true },
  code: ["handler", "triggers"],
  power: { properties: watched, isIn: isRunPower },
  audit: {
    changes: (before, after) => differing(watched, before, after),
    record: (ctx, what, id, details) => audit(ctx, { type: `automation.${what}`, details: { ...details, object: id } }),
  },
};

/** What runs in its author's name, when, and that it runs; not that it stops. */
function isRunPower({ before, after }: Omit<AppliedWrite, "now">): boolean {
  if (!after) return false;
  if (!before) return true;
  const changed = differing(watched, before, after);
  return changed.some((name) => name !== "enabled" || after.document.enabled !== false);
}

/** An automation that was switched off for its failures starts clean when it is enabled again. */
function clearFailures(change: Change, current: JsonObject): Change {
  const { input, changed } = change;
  if (current.autoDisabled !== true || input.enabled !== true || current.enabled === true) return change;
  return {
    ...change,
    input: { ...input, autoDisabled: false, consecutiveFailures: 0 },
    ...(changed && { changed: new Set([...changed, "autoDisabled", "consecutiveFailures"]) }),
  };
}
