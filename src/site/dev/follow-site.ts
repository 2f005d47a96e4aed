// Tells open pages of `cairn dev` what has changed: templates, texts and files of public/ at once, content when a page that was
// shown has read it. It runs in that command alone.

import { resolve } from "node:path";
import { watchFolder } from "#base/watch-folder.ts";
import type { App } from "#context.ts";
import { templatePlace } from "#site/template-files.ts";
import { invalidate } from "#storage/invalidate.ts";
import type { VersionScope } from "#storage/port.ts";

/** `style`: a style sheet of public/; `files`: another file of public/; `page`: templates or content. */
export type DevChange = { kind: "page" | "files" } | { kind: "style"; path: string };

export interface SiteFollower {
  /** Changes of these are reported from now on. */
  follow(scopes: readonly VersionScope[]): void;
  listen(listener: (change: DevChange) => void): () => void;
  stop(): void;
}

/** Editors write a file in several steps. */
const settleMs = 40;
/** Writes of commands are other processes. */
const compareMs = 500;

export function followSite(app: App): SiteFollower {
  const listeners = new Set<(change: DevChange) => void>();
  const versions = new Map<VersionScope, number>();
  const pending = new Map<string, DevChange>();
  const timers: NodeJS.Timeout[] = [];
  const closers: (() => void)[] = [];
  let settling: NodeJS.Timeout | undefined;

  function note(change: DevChange): void {
    pending.set(JSON.stringify(change), change);
    clearTimeout(settling);
    settling = setTimeout(report, settleMs);
  }

  function report(): void {
    const changes = [...pending.values()];
    pending.clear();
    for (const change of changes) for (const listener of listeners) listener(change);
  }

  async function forgetTemplates(): Promise<void> {
    if (!app.storage.isReadOnly) await app.storage.write((tx) => invalidate(tx, "templates", app.clock.iso()));
    note({ kind: "page" });
  }

  function compare(): void {
    for (const [scope, before] of versions) {
      const now = app.storage.version(scope);
      if (now === before) continue;
      versions.set(scope, now);
      note({ kind: "page" });
    }
  }

  const warn = (error: unknown) => app.log.warn({ err: error }, "a change could not be reported");
  closers.push(
    watchFolder(
      app.log,
      () => templatePlace(app.settings).folder,
      () => void forgetTemplates().catch(warn),
    ),
    watchFolder(
      app.log,
      () => resolve(app.settings.projectDir, app.settings.get("publicDir")),
      (name) => note(/\.css$/i.test(name) ? { kind: "style", path: `/${name}` } : { kind: "files" }),
    ),
  );
  timers.push(setInterval(compare, compareMs).unref());

  return {
    follow(scopes) {
      for (const scope of scopes) {
        if (versions.has(scope)) continue;
        versions.set(scope, app.storage.version(scope));
        closers.push(app.storage.watch(scope, compare));
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearTimeout(settling);
      for (const timer of timers) clearInterval(timer);
      for (const close of closers) close();
    },
  };
}
