// Files of extensions for browsers: the declared folder, and the elements with what they import. Nothing else of the folder
// is ever sent. An address has a hash of the contents, so that browsers may keep it for ever.

import { readFile } from "node:fs/promises";
import { extname, join, posix } from "node:path";
import { createLru } from "#base/caches/lru.ts";
import type { App } from "#context.ts";
import { hashOfCode } from "./discover.ts";
import { type Extension, type LiveExtension, loadExtensions } from "./load-extensions.ts";
import { stripTypes } from "./strip-types.ts";

const keptBytes = 16_000_000;
const maxKept = 1_000;

export interface Asset {
  bytes: Buffer;
  type: string;
  /** As the page of a browser it could run: it needs a policy. */
  isDocument: boolean;
}

const script = "text/javascript; charset=utf-8";
const types: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": script,
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": script,
  ".mp4": "video/mp4",
  ".mts": script,
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": script,
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webm": "video/webm",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};
const documents = new Set([".html", ".svg"]);
const typed = new Set([".ts", ".mts"]);

/** By folder and mark: an extension that changes gets new ones. */
const hashes = createLru<Promise<string>>(maxKept);
const imports = createLru<Promise<ReadonlySet<string>>>(maxKept);
const contents = createLru<Buffer>(keptBytes);

/** Where its files are; null: it sends none. */
export async function assetsBase(extension: Extension): Promise<string | null> {
  if (!isLive(extension) || (!hasFolder(extension) && rootsOf(extension).length === 0)) return null;
  return `/api/ext/${extension.id}/assets/${await hashOf(extension)}/`;
}

/** As assetsBase, by id. */
export async function findBase(app: App, id: string): Promise<string | null> {
  const extension = (await loadExtensions(app)).all.get(id);
  return extension ? assetsBase(extension) : null;
}

function isLive(extension: Extension): extension is LiveExtension {
  return extension.state === "enabled" && extension.manifest !== undefined;
}

function hashOf(extension: Extension): Promise<string> {
  return kept(hashes, keyOf(extension), async () => (await hashOfCode(extension)).slice(0, 16));
}

function keyOf({ folder, mark }: Extension): string {
  return `${folder}\n${mark}`;
}

/** Undefined: there is no such file, or it is not for browsers. `file`: as it stands in the address. */
export async function findAsset(app: App, id: string, hash: string, file: string): Promise<Asset | undefined> {
  const extension = (await loadExtensions(app)).all.get(id);
  if (!extension || !isLive(extension) || hash !== (await hashOf(extension))) return undefined;
  if (!(await isServed(extension, file))) return undefined;
  const ending = extname(file).toLowerCase();
  const type = types[ending] ?? "application/octet-stream";
  return { bytes: await readContent(extension, file), type, isDocument: documents.has(ending) || !types[ending] };
}

async function isServed(extension: LiveExtension, file: string): Promise<boolean> {
  // Looked up among the names of the folder, never on disk: no path leads out.
  if (!extension.files.has(file)) return false;
  if (hasFolder(extension) && file.startsWith(`${extension.manifest.contributes.assets}/`)) return true;
  const roots = rootsOf(extension);
  const key = `${keyOf(extension)}\n${roots.join("\n")}`;
  return (await kept(imports, key, () => findImports(extension, roots))).has(file);
}

function hasFolder({ manifest, switchedOff }: LiveExtension): boolean {
  return manifest.contributes.assets !== "" && !switchedOff.has("assets:all");
}

/** Files that the manifest names for browsers. */
function rootsOf({ manifest, switchedOff }: LiveExtension): string[] {
  const { adminPages, fields } = manifest.contributes;
  const pages = adminPages.filter(({ name }) => !switchedOff.has(`adminPages:${name}`)).map(({ element }) => element);
  const kinds = fields
    .filter(({ kind }) => !switchedOff.has(`fields:${kind}`))
    .flatMap(({ element, cell }) => [element, cell]);
  return [...pages, ...kinds, manifest.icon].filter((file) => file !== undefined);
}

const inScripts = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"'?#]+)["']/g;
const besideScripts = /\bnew\s+URL\(\s*["'](\.{1,2}\/[^"'?#]+)["']\s*,\s*import\.meta\.url/g;
const inSheets = /(?:@import\s+|url\(\s*)["']?([^"'()?#:]+)["')]/g;

async function findImports(extension: LiveExtension, roots: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const pending = [...roots];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file) || !extension.files.has(file)) continue;
    found.add(file);
    const type = types[extname(file).toLowerCase()];
    const patterns = type === script ? [inScripts, besideScripts] : type?.startsWith("text/css") ? [inSheets] : [];
    if (patterns.length === 0) continue;
    const text = (await readContent(extension, file)).toString("utf8");
    for (const pattern of patterns)
      for (const [, path = ""] of text.matchAll(pattern)) pending.push(posix.join(posix.dirname(file), path));
  }
  return found;
}

async function readContent(extension: LiveExtension, file: string): Promise<Buffer> {
  const key = `${keyOf(extension)}\n${file}`;
  const known = contents.get(key);
  if (known) return known;
  const bytes = await readFile(join(extension.folder, file));
  const content = typed.has(extname(file)) ? await asScript(file, bytes) : bytes;
  contents.set(key, content, content.length);
  return content;
}

/** What cannot be translated says so where it is loaded: in the console of the browser. */
async function asScript(file: string, bytes: Buffer): Promise<Buffer> {
  const { code, problem } = await stripTypes(bytes.toString("utf8"));
  return Buffer.from(code ?? `throw new SyntaxError(${JSON.stringify(`${file}: ${problem}`)});\n`);
}

function kept<V>(
  cache: {
    get(key: string): Promise<V> | undefined;
    set(key: string, value: Promise<V>): void;
    delete(key: string): void;
  },
  key: string,
  make: () => Promise<V>,
): Promise<V> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  made.catch(() => cache.delete(key));
  return made;
}
