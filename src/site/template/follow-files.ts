// Templates, languages and linked files of `public/` that an editor or git has changed: every process learns of it within a second.
// Saves through the API announce themselves, and so do edits that the mirror of a shared database takes in.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "#context.ts";
import type { SitePart } from "#jobs/reactions.ts";
import { entriesOf, listTemplateFiles, templatePlace } from "#site/template-files.ts";
import { invalidate } from "#storage/invalidate.ts";
import { haveAssetsChanged } from "./assets.ts";

const lookEveryMs = 1_000;

/** The returned function ends that. */
export function followTemplateFiles(app: App): () => Promise<void> {
  let known: Map<string, string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let looking = Promise.resolve();
  const look = async () => {
    const seen = await signature(app);
    const hasNewAssets = await haveAssetsChanged(app);
    const changed = known === undefined ? [] : changedParts(known, seen);
    if (hasNewAssets) changed.push("all");
    if (changed.length > 0)
      await app.storage.write(async (tx) => {
        await invalidate(tx, "templates", app.clock.iso());
        for (const part of changed) await app.reactions.run(tx, { type: "site.changed", part });
      });
    known = seen;
  };
  const next = () => {
    if (isStopped) return;
    looking = look()
      .catch((error) => app.log.warn({ err: error }, "template files could not be looked at"))
      .then(() => {
        if (!isStopped) timer = setTimeout(next, lookEveryMs).unref();
      });
  };
  next();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return looking;
  };
}

/** One that comes or goes may matter to any page, and so do words. */
function changedParts(known: ReadonlyMap<string, string>, seen: ReadonlyMap<string, string>): SitePart[] {
  const ids = new Set([...known.keys(), ...seen.keys()]);
  return [...ids]
    .filter((id) => known.get(id) !== seen.get(id))
    .map((id): SitePart => (known.has(id) && seen.has(id) && !id.endsWith(".json") ? `template:${id}` : "all"));
}

/** Sizes and times of all files. */
async function signature({ settings, definitions }: App): Promise<Map<string, string>> {
  const { folder, isGitManaged } = templatePlace(settings);
  if (definitions && !isGitManaged) return new Map();
  if ((await entriesOf(folder)).length === 0) return new Map();
  const templates = await listTemplateFiles(folder);
  const locales = join(folder, "locales");
  const words = await readdir(locales).catch(() => []);
  const parts = new Map(templates.map(({ id, size, updated }) => [id, `${size} ${updated}`]));
  for (const name of words) {
    const found = await stat(join(locales, name)).catch(() => undefined);
    if (found) parts.set(name, `${found.size} ${found.mtimeMs}`);
  }
  return parts;
}
