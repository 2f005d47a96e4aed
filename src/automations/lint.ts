// Checks the stored automations: errors are parts that cannot work, warnings are advice. Runs nothing, changes nothing.

import { allow } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import type { Context } from "#context.ts";
import { checkAutomation } from "./check.ts";
import { automationsCollection, listAutomations } from "./load-automations.ts";
import { isOpenToAll } from "./webhook.ts";

export interface AutomationFinding {
  automation: string;
  level: "error" | "warning";
  property: string;
  message: string;
}

const openWebhook =
  'Everybody may call the webhook: auth is "none". Choose sameOrigin or apiKey unless the handler checks its callers';

export async function lintAutomations(ctx: Context): Promise<AutomationFinding[]> {
  allow(ctx, "read", { kind: "objects", collection: automationsCollection, publicOperations: [] });
  requirePro(ctx, "Automations");
  const findings: AutomationFinding[] = [];
  for (const { id: automation, record, triggers } of (await listAutomations(ctx)).values()) {
    for (const [property, messages] of Object.entries(await checkAutomation(record)))
      for (const message of messages) findings.push({ automation, level: "error", property, message });
    if (isOpenToAll(triggers))
      findings.push({ automation, level: "warning", property: "triggers", message: openWebhook });
  }
  return findings;
}
