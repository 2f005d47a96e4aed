// The kinds of definitions that nodes share, and the files that mirror them: which folder, which names.
// A file of another name, a link and whatever else lies there is left alone.

import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { VersionScope } from "#storage/port.ts";

export interface Kind {
  name: string;
  /** What is cached under this scope depends on it. */
  scope: VersionScope;
  /** Absent: it is in memory alone. */
  files?: FileKind;
  /** Its texts are kept in memory. */
  isKept: boolean;
}

export interface FileKind {
  /** Absolute. */
  folder: string;
  ending: string;
  /** Also files in folders below it. */
  isDeep: boolean;
  form: RegExp;
  isJson: boolean;
  mode?: number;
}

const segment = "[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*";
const templateForm = new RegExp(`^(?!.{201})${segment}(?:/${segment}){0,9}$`);
const versionForm = new RegExp(`^${segment}(?:/${segment}){0,9}/\\d{8}-\\d{6}(?:-\\d+)?$`);

/** `hasTemplates`: they are in the data directory, and not in the project. */
export function kindsOf(dataDir: string, { hasTemplates }: { hasTemplates: boolean }): Kind[] {
  const builder = join(dataDir, "builder");
  const schemas = {
    folder: join(dataDir, ".schemas"),
    ending: ".json",
    isDeep: false,
    form: /^[a-z0-9][a-z0-9_-]*$/,
    isJson: true,
  };
  const settings = {
    folder: join(dataDir, ".system"),
    ending: ".json",
    isDeep: false,
    form: /^settings$/,
    isJson: true,
    mode: 0o600,
  };
  const liquid = { folder: builder, ending: ".liquid", isDeep: true, form: templateForm, isJson: false };
  const words = { ...settings, folder: join(builder, "locales"), form: /^[A-Za-z0-9_-]+$/, mode: 0o644 };
  const versions = { ...liquid, folder: join(builder, ".history"), form: versionForm };
  const templates: Kind[] = [
    { name: "templates", scope: "templates", isKept: false, files: liquid },
    { name: "words", scope: "templates", isKept: false, files: words },
    { name: "template-versions", scope: "templates", isKept: false, files: versions },
  ];
  return [
    { name: "schemas", scope: "schemas", isKept: true, files: schemas },
    { name: "settings", scope: "settings", isKept: false, files: settings },
    ...(hasTemplates ? templates : []),
    { name: "oauth-keys", scope: "grants", isKept: true },
  ];
}

export function keyOf(kind: string, id: string): string {
  return `${kind}/${id}`;
}

export function partsOf(key: string): { kind: string; id: string } {
  const slash = key.indexOf("/");
  return { kind: key.slice(0, slash), id: key.slice(slash + 1) };
}

export function pathOf({ folder, ending }: FileKind, id: string): string {
  return join(folder, ...id.split("/")) + ending;
}

/** Id -> the part of the file's status that moves with every change. */
export async function listFiles(kind: FileKind): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await collect(kind, "", found);
  return found;
}

async function collect(kind: FileKind, below: string, found: Map<string, string>): Promise<void> {
  const folder = join(kind.folder, below);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(noneWhenGone)) {
    const path = `${below}${entry.name}`;
    if (entry.isDirectory() && kind.isDeep && !entry.name.startsWith(".")) await collect(kind, `${path}/`, found);
    const id = entry.isFile() && path.endsWith(kind.ending) ? path.slice(0, -kind.ending.length) : "";
    if (!kind.form.test(id)) continue;
    const status = await lstat(join(folder, entry.name), { bigint: true }).catch(noneWhenGone);
    if (!Array.isArray(status)) found.set(id, stampOf(status));
  }
}

export function stampOf(status: BigIntStats): string {
  return `${status.ino}:${status.ctimeNs}:${status.size}`;
}

function noneWhenGone(error: NodeJS.ErrnoException): never[] {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
  return [];
}
