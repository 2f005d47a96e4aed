// The content's part of the wiring: long work that is listed among the jobs, and the rule for passwords. Called by app.ts alone.

import type { App } from "#context.ts";
import { handleWarming } from "./image-upkeep.ts";
import { handleImports } from "./import.ts";
import { attachPasswordRule } from "./password-rule.ts";

export function attachContent(app: App): void {
  attachPasswordRule(app);
  handleImports(app);
  handleWarming(app);
}
