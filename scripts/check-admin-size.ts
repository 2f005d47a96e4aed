// Holds the admin to its budgets: how many bytes a browser loads for the first page, and how many scripts for each further one,
// compressed by gzip.
// Builds the app when it is stale. The manifest of the build says which file needs which.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { adminDist } from "../src/installation/admin-freshness.ts";
import { buildAdmin } from "./build-admin.ts";

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}
export type Manifest = Record<string, Chunk>;

/** In kilobytes (1,000 bytes); of further pages the scripts alone. */
const firstPage = { js: 231, css: 25 };
const font = 30;
const otherPage = 40;
const isPage = (name: string) => /^src\/pages\/.*Page\.tsx$/.test(name);
/** Parts with a budget of their own; the specimen is for tests. Small parts that pages fetch when they need them have none. */
const budgets: [pattern: RegExp, kilobytes: number][] = [
  [
    /^src\/pages\/(objects\/Object|automations\/Automation|users\/User|mailer\/Mail|dataviews\/DataView|playground\/Playground|collections\/settings\/Settings)Page/,
    60,
  ],
  [/^src\/pages\/schemas\/SchemaEditor/, 60],
  [/^src\/shell\/palette\//, 10],
  [/^src\/editor\/richtext\//, 130],
  [/^src\/editor\/code\//, 140],
  [/^src\/pages\/specimen\//, Number.POSITIVE_INFINITY],
];

export interface Budget {
  what: string;
  kilobytes: number;
  most: number;
}

/** Every budget with what it is spent on; `sizeOf` answers with bytes. */
export function measure(manifest: Manifest, sizeOf: (file: string) => number): Budget[] {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  if (entry === undefined) throw new Error("the manifest has no entry");
  const shared = needed(manifest, entry);
  const sum = (files: Iterable<string>, ending: string) =>
    [...files].filter((file) => file.endsWith(ending)).reduce((bytes, file) => bytes + sizeOf(file), 0) / 1_000;
  const home = Object.keys(manifest).find((name) => name.startsWith("src/pages/home/"));
  // A further page comes after the first.
  const known = home === undefined ? shared : shared.union(needed(manifest, home));
  // Editors are shown in forms: what every form loads is there already.
  const form = Object.keys(manifest).find((name) => name.startsWith("src/pages/objects/ObjectPage."));
  const inForm = form === undefined ? known : known.union(needed(manifest, form));
  const found: Budget[] = [];
  for (const [name, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry) continue;
    const files = needed(manifest, name);
    if (/pages\/(login|home)\//.test(name)) {
      const all = shared.union(files);
      found.push({ what: `first page by ${name}, scripts`, kilobytes: sum(all, ".js"), most: firstPage.js });
      found.push({ what: `first page by ${name}, styles`, kilobytes: sum(all, ".css"), most: firstPage.css });
    }
    const most = budgets.find(([pattern]) => pattern.test(name))?.[1] ?? (isPage(name) ? otherPage : undefined);
    if (most === undefined) continue;
    const before = name.startsWith("src/editor/") ? inForm : known;
    found.push({ what: name, kilobytes: sum(files.difference(before), ".js"), most });
  }
  return found;
}

/** The files that a part loads: its own and all that it imports. */
function needed(manifest: Manifest, name: string, seen = new Set<string>(), files = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || seen.has(name)) return files;
  seen.add(name);
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const other of chunk.imports ?? []) needed(manifest, other, seen, files);
  return files;
}

function compressedSize(file: string): number {
  const path = join(adminDist, file);
  return (statSync(`${path}.gz`, { throwIfNoEntry: false }) ?? statSync(path)).size;
}

if (import.meta.main) {
  await buildAdmin();
  const manifest = JSON.parse(readFileSync(join(adminDist, ".vite", "manifest.json"), "utf8")) as Manifest;
  const latin = Object.values(manifest).find(({ file }) => /source-sans-3-latin-wght-normal/.test(file));
  const all = measure(manifest, compressedSize);
  if (latin) all.push({ what: "font", kilobytes: compressedSize(latin.file) / 1_000, most: font });
  const over = all.filter(({ kilobytes, most }) => kilobytes > most);
  const line = ({ what, kilobytes, most }: Budget) => `${kilobytes.toFixed(1)} of ${most} kB: ${what}`;
  if (process.argv.includes("--all")) for (const budget of all) console.log(line(budget));
  for (const budget of over) console.error(`too large: ${line(budget)}`);
  if (!latin) console.error("the font is not in the manifest");
  console.log(`admin size: ${all.length} budgets, ${over.length} exceeded`);
  process.exitCode = over.length > 0 || !latin ? 1 : 0;
}
