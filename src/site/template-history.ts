// Earlier versions of templates: each save that changes the text, and each deletion, keeps the previous text.
// `{data_dir}/builder/.history/{id}/{YYYYMMDD-HHMMSS[-N]}.liquid`; the newest fifty of each template are kept.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFileAtomic } from "#base/files.ts";
import { entriesOf, historyFolder, readText, type StoredText, templateEnding } from "./template-files.ts";

const kept = 50;
const versionForm = /^(\d{8}-\d{6})(?:-(\d+))?$/;

export function isVersion(version: string): boolean {
  return versionForm.test(version);
}

export async function keepVersion(folder: string, id: string, kept: { text: string; now: string }): Promise<void> {
  const place = folderOf(folder, id);
  await mkdir(place, { recursive: true });
  const stamp = kept.now.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  // Two saves in one second are two versions.
  for (let number = 1; ; number += 1) {
    const version = number === 1 ? stamp : `${stamp}-${number}`;
    if (await createFileAtomic(join(place, version + templateEnding), kept.text)) break;
  }
  await prune(folder, id);
}

/** Newest first. */
export async function listVersions(folder: string, id: string): Promise<string[]> {
  const names = (await entriesOf(folderOf(folder, id)))
    .filter((entry) => entry.isFile() && entry.name.endsWith(templateEnding))
    .map(({ name }) => name.slice(0, -templateEnding.length));
  return names.filter(isVersion).sort((a, b) => compare(b, a));
}

export function readVersion(folder: string, id: string, version: string): Promise<StoredText | undefined> {
  return readText(join(folderOf(folder, id), version + templateEnding));
}

async function prune(folder: string, id: string): Promise<void> {
  for (const version of (await listVersions(folder, id)).slice(kept)) {
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
