// Templates as files: `{folder}/**/*.liquid`, where the folder is `builder/` of the data directory, or of the project when
// it has one: then the templates are versioned with the project and are never written here.
// A template's id is its path without the ending. Links are never followed; nothing outside the folder is read or written.

import { constants, type Dirent, existsSync } from "node:fs";
import { lstat, open, readdir, realpath, rm, utimes } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fail } from "#base/errors.ts";
import { makeFolder, syncFolder, writeFileAtomic } from "#base/files.ts";
import type { Settings } from "#config/config.ts";
import type { TemplateFile } from "#contract/templates.ts";

export const templateEnding = ".liquid";
/** Hidden from lists, and no id can name it: no segment of an id begins with a dot. */
export const historyFolder = ".history";

const maxIdLength = 200;
const maxDepth = 10;
const segmentForm = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

export interface TemplatePlace {
  folder: string;
  /** In the project's folder: read-only here. */
  isGitManaged: boolean;
}

export function templatePlace({ dataDir, projectDir }: Pick<Settings, "dataDir" | "projectDir">): TemplatePlace {
  const own = join(dataDir, "builder");
  const managed = resolve(projectDir, "builder");
  const isGitManaged = managed !== own && existsSync(managed);
  return { folder: isGitManaged ? managed : own, isGitManaged };
}

/** The problem of an id; undefined when it is valid. */
export function templateIdProblem(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return "is required";
  if (id.length > maxIdLength) return `must not be longer than ${maxIdLength} characters`;
  const segments = id.split("/");
  if (segments.length > maxDepth) return `must not be deeper than ${maxDepth} folders`;
  const isPath = segments.every((segment) => segmentForm.test(segment) && !segment.endsWith(templateEnding));
  return isPath ? undefined : "must be a path of letters, digits, _, - and single dots, without an ending";
}

export function checkTemplateId(id: unknown): string {
  const problem = templateIdProblem(id);
  if (problem) fail("invalid", "The template id is not valid.", { id: [problem] });
  return id as string;
}

export function pathOf(folder: string, id: string): string {
  return join(folder, ...id.split("/")) + templateEnding;
}

/** In order of id. */
export async function listTemplateFiles(folder: string): Promise<TemplateFile[]> {
  const found: TemplateFile[] = [];
  for await (const path of walk(folder)) {
    const id = relative(folder, path).split(sep).join("/").slice(0, -templateEnding.length);
    if (templateIdProblem(id)) continue;
    const { size, mtime } = await lstat(path);
    found.push({ id, size, updated: mtime.toISOString() });
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function* walk(folder: string): AsyncIterable<string> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".")) yield* walk(path);
    else if (entry.isFile() && entry.name.endsWith(templateEnding)) yield path;
  }
}

export async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

export interface StoredText {
  text: string;
  size: number;
  updated: string;
}

export async function readTemplateFile(folder: string, id: string): Promise<StoredText | undefined> {
  return (await isInside(folder, id)) ? readText(pathOf(folder, id)) : undefined;
}

export async function readText(path: string): Promise<StoredText | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return undefined;
      return { text: await file.readFile("utf8"), size: stats.size, updated: stats.mtime.toISOString() };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** `updated`: the time of the change at its source; default now. */
export async function writeTemplateFile(
  folder: string,
  id: string,
  { text, updated }: { text: string; updated?: string | undefined },
): Promise<void> {
  const path = pathOf(folder, id);
  const made = await makeFolder(dirname(path));
  if (!(await isInside(folder, id)))
    fail("invalid", "The template's folder is a link.", { id: ["is below a folder that is a link"] });
  await writeFileAtomic(path, text);
  for (const parent of made) await syncFolder(parent);
  if (updated !== undefined) await utimes(path, new Date(updated), new Date(updated));
}

export async function deleteTemplateFile(folder: string, id: string): Promise<void> {
  if (!(await isInside(folder, id))) return;
  const path = pathOf(folder, id);
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** A link among its folders would lead out. */
async function isInside(folder: string, id: string): Promise<boolean> {
  try {
    const expected = dirname(pathOf(await realpath(folder), id));
    return (await realpath(dirname(pathOf(folder, id)))) === expected;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes((error as NodeJS.ErrnoException).code ?? "");
}
