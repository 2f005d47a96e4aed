// Installs a starter site: its definition as a jumpstart, then what a definition cannot carry: pictures, files of the site, texts
// of languages, groups, the name of the site. Everything that exists stays as it is, so a second run changes nothing.

import { createReadStream } from "node:fs";
import { copyFile, constants as fileConstants } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createGroup, listGroups } from "#access/access-groups.ts";
import { isAdminPersona, system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { asStorageError, makeFolder } from "#base/files.ts";
import { inParallel } from "#base/in-parallel.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { listSettings } from "#installation/list-settings.ts";
import { setSetting } from "#installation/settings.ts";
import { openUpload, uploadFile } from "#media/uploads/uploads.ts";
import { templatePlace } from "#site/template-files.ts";
import { importJumpstart, type JumpstartOptions } from "#sync/jumpstart/jumpstart.ts";
import { readStarter, type Starter, type StarterFile, type StarterName } from "./starter-folder.ts";

/** Pictures are measured in processes of their own. */
const uploadsAtOnce = 4;

/** The definition alone, as `GET /api/export/jumpstart/demo` shows it. */
export async function exportDemo(ctx: Context): Promise<string> {
  allow(ctx, "read", { kind: "util", util: "jumpstart" });
  const { definition } = await readStarter("walks");
  return `${JSON.stringify(definition, undefined, 2)}\n`;
}

export async function installStarter(
  ctx: Context,
  name: StarterName,
  options: JumpstartOptions = {},
): Promise<ImportReport> {
  const starter = await readStarter(name);
  const { isGitManaged } = templatePlace(ctx.settings);
  const templates = isGitManaged ? [] : starter.definition.templates;
  const report = await importJumpstart(ctx, { ...starter.definition, templates } as unknown as Json, options);
  if (options.dryRun) return report;
  await attachFiles(ctx, starter.files, report);
  // Callers that may write templates may give them what they link to.
  if (isGitManaged || report.created.some(({ kind }) => kind === "template")) await copyFiles(ctx, starter);
  if (isAdminPersona(ctx.actor)) {
    await createGroups(ctx, starter);
    await setSettings(ctx, starter);
  }
  return report;
}

/** To the objects that this import has made. They are as shipped, so their files need no further right. */
async function attachFiles(ctx: Context, files: readonly StarterFile[], { created }: ImportReport): Promise<void> {
  const made = new Set(
    created.flatMap(({ kind, collection, id }) => (kind === "object" ? [`${collection}/${id}`] : [])),
  );
  const wanted = files.filter(({ collection, object }) => made.has(`${collection}/${object}`));
  const byObject = Map.groupBy(wanted, ({ collection, object }) => `${collection}/${object}`);
  const service = { ...ctx, actor: system };
  await inParallel(byObject.values(), uploadsAtOnce, async (list) => {
    for (const { collection, object, property, name, path } of list) {
      const upload = await openUpload(service, { collection, id: object, path: [property] });
      await uploadFile(service, upload, { body: createReadStream(path), name });
    }
  });
}

/** Into the site's public folder, and texts of languages beside the templates. */
async function copyFiles(ctx: Context, { publicFiles, localeFiles }: Starter): Promise<void> {
  const { settings } = ctx;
  const publicDir = resolve(settings.projectDir, settings.get("publicDir"));
  const { folder } = templatePlace(settings);
  for (const [name, path] of publicFiles) await copyMissing(path, join(publicDir, name));
  for (const [name, path] of localeFiles) await copyMissing(path, join(folder, "locales", name));
  await ctx.definitions?.look();
}

async function copyMissing(from: string, to: string): Promise<void> {
  try {
    await makeFolder(dirname(to));
    await copyFile(from, to, fileConstants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw asStorageError(error);
  }
}

async function createGroups(ctx: Context, { groups }: Starter): Promise<void> {
  const known = new Set((await listGroups(ctx)).map(({ id }) => id));
  for (const group of groups) if (!known.has(String(group.id))) await createGroup(ctx, group);
}

/** Those that nobody has set. */
async function setSettings(ctx: Context, { settings }: Starter): Promise<void> {
  const unset = new Set((await listSettings(ctx)).flatMap(({ key, source }) => (source === "default" ? [key] : [])));
  for (const [key, value] of Object.entries(settings)) if (unset.has(key)) await setSetting(ctx, key, value as Json);
}
