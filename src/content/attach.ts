// The content's part of the wiring: long work that is listed among the jobs. Called by app.ts alone.

import type { App } from "#context.ts";
import { handleWarming } from "./image-upkeep.ts";
import { handleImports } from "./import.ts";

export function attachContent(app: App): void {
  handleImports(app);
  handleWarming(app);
}
