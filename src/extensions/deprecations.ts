// Parts of API 1 that will go and that an extension still uses. The types that ship mark members (`@deprecated`), the schema of
// manifests marks keys (`deprecated`). Nothing of the extension runs: its files are searched for the names.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { createLru } from "#base/caches/lru.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FoundExtension } from "./discover.ts";
import { manifestSchema } from "./manifest/read-manifest.ts";

export interface Deprecated {
  /** `objects.clone`, or `html`. */
  member: string;
  /** What to use, and when it goes. */
  advice: string;
}

const comment = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*\n( *)(?:readonly )?(\w+)\??[(<:]/g;
const parent = /^ {4}(?:readonly )?(\w+): \{$/gm;

/** Members that the types mark. */
export function deprecatedMembers(types: string): Deprecated[] {
  const marked = types.matchAll(comment);
  return [...marked].flatMap(({ 1: text = "", 2: indent = "", 3: name = "", index }) => {
    const [, advice] = /@deprecated\s*([\s\S]*)/.exec(text) ?? [];
    if (advice === undefined) return [];
    const owner = indent.length > 4 ? [...types.slice(0, index).matchAll(parent)].at(-1)?.[1] : undefined;
    const member = owner === undefined ? name : `${owner}.${name}`;
    return [{ member, advice: advice.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim() }];
  });
}

/** `code`: texts by file. */
export function usedMembers(deprecated: readonly Deprecated[], code: ReadonlyMap<string, string>): string[] {
  return deprecated.flatMap(({ member, advice }) => {
    const pattern = new RegExp(`\\.\\s*${member.replace(".", "\\s*\\.\\s*")}\\b`);
    const files = [...code].filter(([, text]) => pattern.test(text)).map(([file]) => file);
    return files.map((file) => `${file} uses ${member}, which will go. ${advice}`.trim());
  });
}

/** Keys of the manifest that the schema marks. */
export function usedKeys(manifest: Json | undefined, schema: JsonObject, root = schema, at = ""): string[] {
  const target = typeof schema.$ref === "string" ? follow(root, schema.$ref) : schema;
  const { items, properties } = target;
  if (Array.isArray(manifest) && isJsonObject(items))
    return manifest.flatMap((one, n) => usedKeys(one, items, root, `${at}[${n}]`));
  if (!isJsonObject(manifest) || !isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, known]) => {
    if (!Object.hasOwn(manifest, key) || !isJsonObject(known)) return [];
    const path = at === "" ? key : `${at}.${key}`;
    const own =
      known.deprecated === true ? [`extension.json has ${path}, which will go. ${known.description ?? ""}`] : [];
    return [...own.map((text) => text.trim()), ...usedKeys(manifest[key], known, root, path)];
  });
}

function follow(root: JsonObject, ref: string): JsonObject {
  let at: Json | undefined = root;
  for (const part of ref.replace(/^#\//, "").split("/")) at = isJsonObject(at) ? at[part] : undefined;
  return isJsonObject(at) ? at : {};
}

const typesFile = new URL("../../types/extension.d.ts", import.meta.url);
let marked: Promise<Deprecated[]> | undefined;
const known = createLru<Promise<string[]>>(1_000);
const isCode = (file: string) => /^\.[cm]?[jt]s$/.test(extname(file)) && !file.endsWith(".d.ts");

/** In sentences. Kept while its files are the same. */
export function deprecationsOf(extension: Omit<FoundExtension, "id">): Promise<string[]> {
  const key = `${extension.folder}\n${extension.mark}`;
  const found = known.get(key) ?? search(extension);
  known.set(key, found);
  return found;
}

async function search({ folder, files, raw }: Omit<FoundExtension, "id">): Promise<string[]> {
  marked ??= readFile(typesFile, "utf8").then(deprecatedMembers, () => []);
  const members = await marked;
  const code = new Map<string, string>();
  // While nothing is to go, no file is read.
  if (members.length > 0)
    for (const file of [...files].filter(isCode))
      code.set(file, await readFile(join(folder, file), "utf8").catch(() => ""));
  return [...usedKeys(raw, manifestSchema as JsonObject), ...usedMembers(members, code)];
}
