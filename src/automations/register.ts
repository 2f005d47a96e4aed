// The automations' part of the wiring: reactions, jobs and checks. Called by app.ts only.

import type { App } from "#context.ts";
import { automationRules } from "./automation-rules.ts";
import { reactToEvents } from "./events.ts";
import { handleRuns } from "./execute.ts";
import { automationsCollection } from "./load-automations.ts";

export function registerAutomations(app: App): void {
  handleRuns(app);
  reactToEvents(app);
  app.rules.add(automationsCollection, automationRules);
}
