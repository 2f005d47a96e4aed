// The modules of a `sandbox` extension as texts: its entrypoint and what that imports from its own folder, without types.

import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join, posix, relative, sep } from "node:path";
import { createLru } from "#base/caches/lru.ts";
import { HostCrash } from "#extensions/host/host.ts";

const maxModules = 100;
const maxText = 2_000_000;

interface Modules {
  /** From the folder. */
  entrypoint: string;
  texts: Record<string, string>;
}

/** Of a few extensions, until a file of theirs changes. */
const kept = createLru<{ mark: string; modules: Modules }>(50);

interface Code {
  id: string;
  folder: string;
  entrypoint: string;
}

export async function readModules(
  { id, folder, entrypoint }: Code,
  { files, mark }: { files: ReadonlySet<string>; mark: string },
): Promise<Modules> {
  const known = kept.get(id);
  if (known?.mark === mark) return known.modules;
  const first = relative(folder, entrypoint).split(sep).join("/");
  const texts: Record<string, string> = {};
  const pending = [first];
  let size = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (texts[path] !== undefined) continue;
    const text = withoutTypes(path, await readFile(join(folder, path), "utf8"));
    texts[path] = text;
    size += text.length;
    if (size > maxText || Object.keys(texts).length > maxModules)
      throw unfit(`Its code has more than ${maxModules} modules, or ${maxText} characters.`);
    for (const name of importsOf(text)) pending.push(resolveIn(path, name, files));
  }
  const modules = { entrypoint: first, texts };
  kept.set(id, { mark, modules });
  return modules;
}

function withoutTypes(path: string, text: string): string {
  if (!path.endsWith(".ts")) return text;
  try {
    return stripTypeScriptTypes(text);
  } catch (error) {
    throw unfit(`${path}: ${(error as Error).message.split("\n", 1)[0]}`);
  }
}

const statements =
  /(?:^|[;\n])\s*(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|(?:^|[;\n])\s*import\s*["']([^"']+)["']/g;

function importsOf(text: string): string[] {
  return [...text.matchAll(statements)].map(([, from, bare]) => from ?? bare ?? "");
}

function resolveIn(path: string, name: string, files: ReadonlySet<string>): string {
  if (!name.startsWith("."))
    throw unfit(`It imports "${name}": a sandboxed extension imports files of its folder alone.`);
  const found = posix.normalize(posix.join(posix.dirname(path), name));
  if (!files.has(found)) throw unfit(`${path} imports "${name}", which is not in its folder.`);
  return found;
}

function unfit(message: string): HostCrash {
  return new HostCrash({ message, stack: "" }, { isLoading: true });
}
