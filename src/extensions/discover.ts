// Finds extensions on disk, in the order of their places: the project, the data directory, packages, bundled ones. It reads
// names, sizes and manifests; nothing of an extension runs.

import { createHash } from "node:crypto";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Settings } from "#config/config.ts";
import type { ExtensionSource, Manifest } from "#contract/extensions.ts";
import type { JsonObject } from "#contract/json.ts";
import { manifestFile, readManifest } from "./manifest/read-manifest.ts";

export const maxFileSize = 5_000_000;
export const maxFiles = 2_000;
const idPart = /^[a-z0-9-]{2,40}$/;
export const bundledFolder = resolve(import.meta.dirname, "..", "..", "bundled", "extensions");

/** An extension as it lies on disk. */
export interface FoundExtension {
  id: string;
  source: ExtensionSource;
  folder: string;
  manifest?: Manifest;
  raw?: JsonObject;
  /** Why it is refused. */
  problems: string[];
  /** Paths in the folder, with a slash between their parts. */
  files: ReadonlySet<string>;
  bytes: number;
  /** Moves when a file of the folder changes. */
  mark: string;
  /** Folders with the same id that come later. */
  hidden: string[];
}

export interface Place {
  source: ExtensionSource;
  folder: string;
  /** Left out: the manifest alone says it. */
  id?: string;
}

/** By id. */
export async function discover(settings: Settings): Promise<FoundExtension[]> {
  const places = [
    ...(await listPlaces("project", join(settings.projectDir, "extensions"))),
    ...(await listPlaces("data", join(settings.dataDir, "extensions"))),
    ...(await listPackages(settings)),
    ...(await listPlaces("bundled", bundledFolder)),
  ];
  const found = new Map<string, FoundExtension>();
  for (const one of await Promise.all(places.map(readPlace))) {
    const first = found.get(one.id);
    if (first) first.hidden.push(one.folder);
    else found.set(one.id, one);
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function listPlaces(source: ExtensionSource, root: string): Promise<Place[]> {
  const vendors = await foldersIn(root);
  const places = await Promise.all(
    vendors.map(async (vendor) =>
      (await foldersIn(join(root, vendor))).map((name): Place => {
        return { source, folder: join(root, vendor, name), id: `${vendor}/${name}` };
      }),
    ),
  );
  return places.flat();
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
}

/** A package names its manifest: `"cairn": {"extension": "extension.json"}`. */
async function listPackages(settings: Settings): Promise<Place[]> {
  const names = settings.get("extensions.packages");
  return Promise.all(
    names.map(async (name): Promise<Place> => {
      const folder = join(settings.projectDir, "node_modules", name);
      const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
      const named = manifestNamedBy(text);
      const manifest = typeof named === "string" && !named.includes("..") ? named : manifestFile;
      return { source: "package", folder: dirname(join(folder, manifest)) };
    }),
  );
}

/** A file that cannot be read names none: the folder is refused for what it lacks, and nothing else fails with it. */
function manifestNamedBy(packageText: string): unknown {
  try {
    return (JSON.parse(packageText) as { cairn?: { extension?: unknown } } | null)?.cairn?.extension;
  } catch {
    return undefined;
  }
}

/** One folder. */
export async function readPlace({ source, folder, id }: Place): Promise<FoundExtension> {
  const blank = { source, folder, files: new Set<string>(), bytes: 0, mark: "", hidden: [] };
  const named = id ?? basename(folder);
  if (id !== undefined && !id.split("/").every((part) => idPart.test(part)))
    return { ...blank, id, problems: [`The folder ${id} must be {vendor}/{name}: 2 to 40 of a-z, 0-9 and "-".`] };
  try {
    const walked = await walk(await realpath(folder));
    if (!walked.files.has(manifestFile)) return { ...blank, id: named, problems: ["There is no extension.json."] };
    const read = await readManifest(folder, { files: walked.files, id });
    return { ...blank, ...walked, ...read, id: id ?? read.manifest?.id ?? named };
  } catch (error) {
    const why = error instanceof Refused ? error.message : "Its folder cannot be read.";
    return { ...blank, id: named, problems: [why] };
  }
}

class Refused extends Error {}

/** `node_modules` belongs to the packages of the extension and is not looked at. */
async function walk(root: string): Promise<Pick<FoundExtension, "files" | "bytes" | "mark">> {
  const files = new Set<string>();
  const hash = createHash("sha256");
  let bytes = 0;
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = await readdir(join(root, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.name === "node_modules" || entry.name === ".git") continue;
      if (entry.isDirectory()) pending.push(path);
      else if (!entry.isFile()) throw new Refused(`${path} is a link, or no plain file.`);
      else {
        const stats = await lstat(join(root, path));
        if (stats.size > maxFileSize) throw new Refused(`${path} is larger than ${maxFileSize} bytes.`);
        files.add(path);
        if (files.size > maxFiles) throw new Refused(`The folder has more than ${maxFiles} files.`);
        bytes += stats.size;
        hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\0${stats.ino}\n`);
      }
    }
  }
  return { files, bytes, mark: hash.digest("hex").slice(0, 16) };
}

/** Of the contents of all files. */
export async function hashOfCode({ folder, files }: Pick<FoundExtension, "folder" | "files">): Promise<string> {
  const hash = createHash("sha256");
  for (const file of [...files].sort()) hash.update(`${file}\0`).update(await readFile(join(folder, file)));
  return hash.digest("hex");
}
