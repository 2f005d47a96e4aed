// Files of public/ by their content: their hash, which addresses may carry so that clients keep the file for good, and their
// compressed forms, which lie beside them.

import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { createLru } from "#base/caches/lru.ts";
import type { Settings } from "#config/config.ts";

/** Best first, with the ending of the file that is compressed so. */
export const compressedForms = [
  ["br", ".br"],
  ["zstd", ".zst"],
  ["gzip", ".gz"],
] as const;
export type FileEncoding = (typeof compressedForms)[number][0];

/** The types of texts that gain by compression, as the plain files have them. */
const textTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "application/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".xml": "application/xml",
};

/** Undefined: the file has no compressed forms. */
export function textTypeOf(path: string): string | undefined {
  return textTypes[extname(path).toLowerCase()];
}

/** The compressed forms beside a file that are not older than it. Links do not count. */
export async function findCompressedForms(path: string, { mtimeMs }: Stats): Promise<FileEncoding[]> {
  if (textTypeOf(path) === undefined) return [];
  const found = await Promise.all(
    compressedForms.map(async ([encoding, ending]) => {
      const beside = await lstat(path + ending).catch(() => undefined);
      return beside?.isFile() && beside.mtimeMs >= mtimeMs ? [encoding] : [];
    }),
  );
  return found.flat();
}

const hashes = createLru<Promise<string>>(5_000);
const hashLength = 16;

export function isHash(text: unknown): text is string {
  return typeof text === "string" && /^[\w-]{16}$/.test(text);
}

/** Read again when the file has changed. */
export function hashOfFile(path: string, { mtimeMs, size, ino }: Stats): Promise<string> {
  const key = `${path}\n${mtimeMs}\n${size}\n${ino}`;
  let hash = hashes.get(key);
  if (!hash) {
    hash = readHash(path);
    hashes.set(key, hash);
    hash.catch(() => hashes.delete(key));
  }
  return hash;
}

async function readHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64url").slice(0, hashLength);
}

/** For asset_url: the hash of a file of public/, by its path there; undefined where no address of the site shows one. */
export async function hashOfPublicFile(settings: Settings, path: string): Promise<string | undefined> {
  try {
    if (/(?:^|[/\\])\.(?!well-known\/)/.test(path)) return undefined;
    const root = await realpath(publicFolder(settings));
    const dataDir = await realpath(settings.dataDir).catch(() => settings.dataDir);
    const file = await realpath(join(root, path));
    const found = await stat(file);
    const isOpen = file.startsWith(root + sep) && !file.startsWith(dataDir + sep);
    return isOpen && found.isFile() ? await hashOfFile(file, found) : undefined;
  } catch {
    return undefined;
  }
}

export interface Asset {
  /** From the root of the site. */
  path: string;
  hash: string | undefined;
}

/** A file of public/, or the one that a build by Vite made of this source. */
export async function findAsset(settings: Settings, path: string): Promise<Asset | undefined> {
  const hash = await hashOfPublicFile(settings, path);
  if (hash !== undefined) return { path, hash };
  for (const manifest of viteManifests) {
    const built = await findBuilt(join(publicFolder(settings), manifest), path);
    if (built === undefined) continue;
    const hashOfBuilt = await hashOfPublicFile(settings, built);
    if (hashOfBuilt !== undefined) return { path: built, hash: hashOfBuilt };
  }
  return undefined;
}

/** Where Vite writes it, newer versions first. */
const viteManifests = [".vite/manifest.json", "manifest.json"];

async function findBuilt(manifest: string, path: string): Promise<string | undefined> {
  try {
    const entries = JSON.parse(await readFile(manifest, "utf8")) as Record<string, { file?: unknown }>;
    const source = path.replace(/^\/+/, "");
    const file = Object.hasOwn(entries, source) ? entries[source]?.file : undefined;
    return typeof file === "string" ? `/${file.replace(/^\/+/, "")}` : undefined;
  } catch {
    return undefined;
  }
}

function publicFolder(settings: Settings): string {
  return resolve(settings.projectDir, settings.get("publicDir"));
}
