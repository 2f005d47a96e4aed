// Whether templates of pages exist. Looked at on the disk at most once a second, or when a template was saved.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { storedTemplates } from "#site/template/stored-templates.ts";
import { entriesOf, pathOf, templateEnding, templateIdProblem, templatePlace } from "#site/template-files.ts";
import type { Storage } from "#storage/port.ts";

const lookAgainMs = 1_000;

interface Seen {
  version: string;
  lookedAt: number;
  exists: Map<string, boolean>;
}

const seenOf = perInstance((_storage: Storage): Seen => ({ version: "", lookedAt: 0, exists: new Map() }));

/** The id of the template of a page: `about` is `pages/about`. Those of extensions have their whole name. */
export function pageTemplateId(name: string): string {
  return name.startsWith("pages/") || name.startsWith("ext/") ? name : `pages/${name}`;
}

export function hasTemplate(app: App, id: string): Promise<boolean> {
  return look(app, id, async (folder) => {
    if (templateIdProblem(id)) return false;
    if (id.startsWith("ext/")) return (await storedTemplates(app, { isMarkup: true }).load(id)) !== undefined;
    const found = await lstat(pathOf(folder, id)).catch(() => undefined);
    return found?.isFile() === true;
  });
}

/** A site without any of these is headless, unless it has pages. */
export function hasPageTemplates(app: App): Promise<boolean> {
  return look(app, "pages/", async (folder) => {
    const entries = await entriesOf(join(folder, "pages"));
    return entries.some((entry) => entry.isFile() && entry.name.endsWith(templateEnding));
  });
}

async function look(app: App, key: string, read: (folder: string) => Promise<boolean>): Promise<boolean> {
  const seen = seenOf(app.storage);
  const version = `${app.storage.version("templates")} ${app.storage.version("extensions")}`;
  const now = performance.now();
  if (seen.version !== version || now - seen.lookedAt > lookAgainMs || seen.exists.size > 1_000) {
    seen.version = version;
    seen.lookedAt = now;
    seen.exists.clear();
  }
  const known = seen.exists.get(key);
  if (known !== undefined) return known;
  const exists = await read(templatePlace(app.settings).folder);
  if (seen.version === version) seen.exists.set(key, exists);
  return exists;
}
