// Watches a folder with all in it, also one that comes later. Hidden files and copies of editors are left out.

import { existsSync, watch } from "node:fs";
import type { Logger } from "pino";

/** Folders that did not exist are looked for. */
const lookMs = 1_000;

/** `find`: where it is now. Returns a function that ends it. */
export function watchFolder(
  log: Pick<Logger, "warn">,
  find: () => string,
  onChange: (path: string) => void,
): () => void {
  const closers: (() => void)[] = [];
  let watched: string | undefined;
  const look = () => {
    const folder = find();
    if (folder === watched || !existsSync(folder)) return;
    watched = folder;
    const watcher = watch(folder, { recursive: true, persistent: false }, (_event, name) => {
      if (name !== null && !/(?:^|\/)\.|~$/.test(name)) onChange(name);
    });
    watcher.on("error", (error) => log.warn({ err: error, folder }, "a folder could not be watched"));
    closers.push(() => watcher.close());
  };
  look();
  const timer = setInterval(look, lookMs).unref();
  return () => {
    clearInterval(timer);
    for (const close of closers) close();
  };
}
