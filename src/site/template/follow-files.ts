// Templates, languages and linked files of `public/` that an editor or git has changed: every process learns of it within a second.
// Saves through the API announce themselves.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "#context.ts";
import { entriesOf, listTemplateFiles, templatePlace } from "#site/template-files.ts";
import { invalidate } from "#storage/invalidate.ts";
import { haveAssetsChanged } from "./assets.ts";

const lookEveryMs = 1_000;

/** The returned function ends that. */
export function followTemplateFiles(app: App): () => Promise<void> {
  let known: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let looking = Promise.resolve();
  const look = async () => {
    const seen = await signature(app);
    const hasNewAssets = await haveAssetsChanged(app);
    if ((known !== undefined && seen !== known) || hasNewAssets) {
      await app.storage.write((tx) => invalidate(tx, "templates", app.clock.iso()));
    }
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

/** Names, sizes and times of all files. */
async function signature({ settings }: Pick<App, "settings">): Promise<string> {
  const { folder } = templatePlace(settings);
  if ((await entriesOf(folder)).length === 0) return "";
  const templates = await listTemplateFiles(folder);
  const locales = join(folder, "locales");
  const words = await readdir(locales).catch(() => []);
  const parts = templates.map(({ id, size, updated }) => `${id} ${size} ${updated}`);
  for (const name of words) {
    const found = await stat(join(locales, name)).catch(() => undefined);
    if (found) parts.push(`${name} ${found.size} ${found.mtimeMs}`);
  }
  return parts.join("\n");
}
