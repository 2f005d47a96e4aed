// The files of the built admin web app, kept in memory. A path is looked up among the names of the build, never on disk, so
// none leads out. A build that replaces the other is noticed by the time of its index.html.

import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { htmlType } from "#http/media-types.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": htmlType,
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Best first, with the ending of the file that is compressed so. */
export const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
export type Encoding = (typeof encodings)[number][0];

export interface AppFile {
  type: string;
  /** Besides the plain file. */
  encodings: Encoding[];
  read(encoding?: Encoding): Promise<AppBytes>;
}

export interface AppBytes {
  bytes: Buffer;
  etag: string;
}

interface Build {
  time: number;
  /** The page, in which each request puts its nonce. */
  page: string;
  files: Map<string, AppFile>;
}

export interface AppFiles {
  /** Undefined while there is no build. */
  findPage(): Promise<string | undefined>;
  /** By its path in the build. */
  find(path: string): Promise<AppFile | undefined>;
}

export function openAppFiles(folder: string): AppFiles {
  const index = join(folder, "index.html");
  let known: Build | undefined;

  async function current(): Promise<Build | undefined> {
    const found = await stat(index).catch(() => undefined);
    if (found?.mtimeMs !== known?.time)
      known = found && (await readBuild(folder, found.mtimeMs).catch(() => undefined));
    return known;
  }

  return {
    findPage: async () => (await current())?.page,
    // The names in a build have a hash, so a name that is known needs no look at the disk.
    find: async (path) => known?.files.get(path) ?? (await current())?.files.get(path),
  };
}

async function readBuild(folder: string, time: number): Promise<Build> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const all = new Set(names);
  const endings: readonly string[] = encodings.map(([, ending]) => ending);
  const files = names
    .filter((name) => !endings.includes(extname(name)))
    .map((name) => [name, openFile(folder, name, all)] as const);
  return { time, page: await readFile(join(folder, "index.html"), "utf8"), files: new Map(files) };
}

function openFile(folder: string, name: string, all: ReadonlySet<string>): AppFile {
  const kept = new Map<string, Promise<AppBytes>>();
  const present = encodings.filter(([, ending]) => all.has(name + ending));
  return {
    type: types[extname(name)] ?? "application/octet-stream",
    encodings: present.map(([encoding]) => encoding),
    read(encoding) {
      const path = name + (present.find(([known]) => known === encoding)?.[1] ?? "");
      let bytes = kept.get(path);
      if (!bytes) {
        bytes = readBytes(join(folder, path));
        kept.set(path, bytes);
        bytes.catch(() => kept.delete(path));
      }
      return bytes;
    },
  };
}

async function readBytes(path: string): Promise<AppBytes> {
  const bytes = await readFile(path);
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
}
