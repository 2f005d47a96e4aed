// The data views' part of the wiring: what they react to and build, and the rules for their objects. Called by app.ts
// alone. The sandbox is loaded when the first view is saved or built.

import type { App } from "#context.ts";
import { viewsCollection } from "./load-views.ts";
import { buildKind, reactToWrite } from "./rebuild-on-write.ts";
import { viewRules } from "./view-rules.ts";

export function registerViews(app: App): void {
  app.jobs.handle(
    buildKind,
    async ({ payload }, { signal }) => {
      const { buildView } = await import("./build.ts");
      const state = await buildView(app, String(payload.view), { signal, trail: payload.trail as string[] });
      return { view: payload.view as string, error: state?.error ?? null };
    },
    { concurrency: 1, keep: 50, retriesOnError: true },
  );
  app.reactions.add((tx, event) => reactToWrite(app, tx, event));
  app.rules.add(viewsCollection, viewRules);
}
