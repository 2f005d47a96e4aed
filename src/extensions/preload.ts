// Loads the code of extensions when a server starts: where the setting `extensions.eager` asks for it, and for a debugger. Otherwise
// the first call does it.

import type { App } from "#context.ts";
import { HostCrash } from "./host/host.ts";
import { loadExtensions } from "./load-extensions.ts";
import { loadingOrder, runtimeOf, start } from "./runtime.ts";

/** `inspectPort`: where a debugger finds the thread. Nothing of an extension ends a server that starts. */
export async function preloadExtensions(app: App, inspectPort?: number): Promise<void> {
  // One process runs the code.
  if (app.storage.line) return;
  const state = runtimeOf(app.storage);
  state.inspectPort = inspectPort;
  if (inspectPort === undefined && !app.settings.get("extensions.eager")) return;
  start(state, app);
  const { live, generation } = await loadExtensions(app);
  const hosted = live.filter(({ manifest }) => manifest.runtime === "node" && manifest.entrypoint !== undefined);
  for (const extension of hosted)
    await state.host.call({ ...(await loadingOrder(app, extension)), generation }).catch((error) => {
      if (!(error instanceof HostCrash)) app.log.warn({ err: error }, "an extension was not loaded");
      else if (error.isLoading) state.notes.failed(app, extension.id, error.crash.message);
    });
}
