// Earlier versions of templates: each save that changes the text, and each deletion, keeps the previous text.
// `{data_dir}/builder/.history/{id}/{YYYYMMDD-HHMMSS[-N]}.liquid`; the newest fifty of each template are kept.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFileAtomic } from "#base/files.ts";
import { entriesOf, historyFolder, readText, type StoredText, templateEnding } from "./template-files.ts";

export const keptVersions = 50;
const versionForm = /^(\d{8}-\d{6})(?:-(\d+))?$/;

export function isVersion(version: string): boolean {
  return versionForm.test(version);
}

export async function keepVersion(folder: string, id: string, kept: { text: string; now: string }): Promise<void> {
  const place = folderOf(folder, id);
  await mkdir(place, { recursive: true });
  for (const version of versionNames(kept.now)) {
    if (await createFileAtomic(join(place, version + templateEnding), kept.text)) break;
  }
  await prune(folder, id);
}

/** The first that is free. */
export function newVersion(now: string, taken: ReadonlySet<string>): string {
  for (const version of versionNames(now)) if (!taken.has(version)) return version;
  throw new Error("unreachable");
}

/** Two saves in one second are two versions. */
function* versionNames(now: string): Iterable<string> {
  const stamp = now.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  yield stamp;
  for (let number = 2; ; number += 1) yield `${stamp}-${number}`;
}

/** Newest first. */
export async function listVersions(folder: string, id: string): Promise<string[]> {
  const names = (await entriesOf(folderOf(folder, id)))
    .filter((entry) => entry.isFile() && entry.name.endsWith(templateEnding))
    .map(({ name }) => name.slice(0, -templateEnding.length));
  return newestFirst(names.filter(isVersion));
}

export function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => compare(b, a));
}

export function readVersion(folder: string, id: string, version: string): Promise<StoredText | undefined> {
  return readText(join(folderOf(folder, id), version + templateEnding));
}

async function prune(folder: string, id: string): Promise<void> {
  for (const version of (await listVersions(folder, id)).slice(keptVersions)) {
    await rm(join(folderOf(folder, id), version + templateEnding), { force: true });
  }
}

function compare(a: string, b: string): number {
  const [, stampA = "", numberA = "1"] = versionForm.exec(a) ?? [];
  const [, stampB = "", numberB = "1"] = versionForm.exec(b) ?? [];
  if (stampA !== stampB) return stampA < stampB ? -1 : 1;
  return Number(numberA) - Number(numberB);
}

function folderOf(folder: string, id: string): string {
  return join(folder, historyFolder, ...id.split("/"));
}
