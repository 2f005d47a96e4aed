// Stores a template, with the text that it replaces as an earlier version: in files, or where several nodes share a
// database, there. Callers hold the lock of the template.

import type { Context } from "#context.ts";
import { deleteTemplateFile, writeTemplateFile } from "#site/template-files.ts";
import { isVersion, keepVersion, keptVersions, newestFirst, newVersion } from "#site/template-history.ts";

export interface TemplateChange {
  id: string;
  /** Null deletes. */
  text: string | null;
  /** The present text. */
  before: string | undefined;
  updated?: string | undefined;
}

export async function storeTemplate(ctx: Context, folder: string, change: TemplateChange): Promise<void> {
  const { id, text, before, updated } = change;
  const now = ctx.clock.iso();
  const isReplaced = before !== undefined && before !== text;
  if (!ctx.definitions) {
    if (isReplaced) await keepVersion(folder, id, { text: before, now });
    if (text === null) await deleteTemplateFile(folder, id);
    else await writeTemplateFile(folder, id, { text, updated });
    return;
  }
  const kind = "template-versions";
  const versions = ctx.definitions
    .ids(kind)
    .filter((key) => key.startsWith(`${id}/`))
    .map((key) => key.slice(id.length + 1))
    .filter(isVersion);
  const kept = isReplaced ? [{ kind, id: `${id}/${newVersion(now, new Set(versions))}`, content: before }] : [];
  const ended = isReplaced ? newestFirst(versions).slice(keptVersions - 1) : [];
  await ctx.definitions.change([
    ...kept,
    ...ended.map((version) => ({ kind, id: `${id}/${version}`, content: null })),
    { kind: "templates", id, content: text, updated },
  ]);
}
