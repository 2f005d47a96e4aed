// Loads extensions again when their files change. It runs in `cairn dev` alone.

import { join } from "node:path";
import { watchFolder } from "#base/watch-folder.ts";
import type { App } from "#context.ts";
import { forgetExtensions, loadExtensions } from "./load-extensions.ts";
import { runtimeOf } from "./runtime.ts";
import { loadProblemOf } from "./try-loading.ts";

/** Editors write a file in several steps. */
const settleMs = 100;

/** Returns a function that ends it. */
export function followExtensions(app: App): () => void {
  const changed = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  let work = Promise.resolve();

  function note(path: string): void {
    const [vendor, name, ...rest] = path.split(/[\\/]/);
    if (!vendor || !name || rest[0] === "node_modules") return;
    changed.add(`${vendor}/${name}`);
    clearTimeout(settling);
    settling = setTimeout(() => {
      const ids = [...changed];
      changed.clear();
      work = work
        .then(() => reload(app, ids))
        .catch((error) => app.log.warn({ err: error }, "extensions were not reloaded"));
    }, settleMs);
  }

  const folders = [app.settings.projectDir, app.settings.dataDir].map((folder) => join(folder, "extensions"));
  const ends = folders.map((folder) => watchFolder(app.log, () => folder, note));
  return () => {
    clearTimeout(settling);
    for (const end of ends) end();
  };
}

/** The thread drops old code at the next call; the code is loaded once here, so that its mistakes show at once. */
async function reload(app: App, ids: readonly string[]): Promise<void> {
  forgetExtensions(app);
  const { all } = await loadExtensions(app);
  for (const id of ids) {
    const extension = all.get(id);
    if (!extension) continue;
    const { manifest, enabled, problems, state, error } = extension;
    if (!manifest) app.log.error(`extension ${id}: ${problems.join(" ")}`);
    else if (enabled && state !== "enabled") app.log.error(`extension ${id} is ${state}: ${error}`);
    else if (enabled) {
      const problem = await loadProblemOf(extension);
      if (problem === undefined) app.log.info(`extension ${id}: loaded again`);
      else app.log.error(`extension ${id}: ${problem}`);
      // Shown by the list, the admin and the command line until the next save.
      if (problem !== undefined) runtimeOf(app.storage).notes.failed(app, id, problem);
    }
  }
}
