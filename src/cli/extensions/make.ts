// extension:new, extension:types.

import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { UsageError } from "#cli/usage.ts";
import type { JsonObject } from "#contract/json.ts";
import { codeOf, type NewPart, namesOf, parts, readmeOf, testOf } from "./parts-of-new.ts";
import { chosenFolders, installation } from "./project-extensions.ts";

const idForm = /^[a-z0-9-]{2,40}\/[a-z0-9-]{2,40}$/;

export async function make(call: Call, options: { runtime: string; with: string }, id: string): Promise<void> {
  if (!idForm.test(id))
    throw new UsageError(`"${id}" must be vendor/name: 2 to 40 of a-z, 0-9 and "-" each, such as acme/map.`);
  const { runtime } = options;
  if (runtime !== "node" && runtime !== "sandbox") throw new UsageError("--runtime must be node or sandbox.");
  const names = namesOf(id, runtime);
  const chosen = parseList(options.with).map((word) => {
    const part = Object.hasOwn(parts, word) ? parts[word] : undefined;
    if (!part) throw new UsageError(`--with has no part "${word}". Parts: ${Object.keys(parts).join(", ")}.`);
    return part(names);
  });
  const folder = join(call.settings.projectDir, "extensions", id);
  if (existsSync(folder)) throw new UsageError(`${folder} is there already.`);
  const files: Record<string, string> = {
    "extension.json": `${JSON.stringify(manifestOf(names, runtime, chosen), null, 2)}\n`,
    "index.ts": codeOf(chosen),
    "index.test.ts": testOf(names, chosen),
    "tsconfig.json": `${JSON.stringify(tsconfig, null, 2)}\n`,
    "README.md": readmeOf(names, chosen),
    ...Object.assign({}, ...chosen.map((part) => part.files ?? {})),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await copyInto(folder);
  const written = [...Object.keys(files), ...copied.map(([name]) => name)].sort();
  if (call.isJson) return call.out.json({ id, folder, files: written });
  for (const path of written) await call.out.line(`extensions/${id}/${path}`);
  call.remark(`Run "cairn dev", and enable it in another terminal: cairn extension:enable ${id}`);
}

function manifestOf(
  { id, title }: { id: string; title: string },
  runtime: string,
  chosen: readonly NewPart[],
): JsonObject {
  const contributes: JsonObject = Object.assign({}, ...chosen.map((part) => part.contributes));
  const hasCode = chosen.some(({ code }) => code !== "");
  return {
    $schema: "./cairn.schema.json",
    id,
    name: title,
    version: "0.1.0",
    api: 1,
    runtime,
    description: `Describes ${title} to the operators who review it.`,
    ...(hasCode && { entrypoint: "index.ts" }),
    permissions: {},
    contributes,
  };
}

const tsconfig = {
  compilerOptions: {
    target: "esnext",
    lib: ["esnext", "dom", "dom.iterable"],
    module: "preserve",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ["**/*.ts"],
  exclude: ["**/*.test.ts", "node_modules"],
};

const copied: readonly [name: string, source: string][] = [
  ["cairn.d.ts", join(installation, "types", "extension.d.ts")],
  ["cairn.schema.json", join(installation, "src", "extensions", "manifest", "extension.schema.json")],
];

async function copyInto(folder: string): Promise<void> {
  for (const [name, source] of copied) await copyFile(source, join(folder, name));
}

export async function copyTypes(call: Call, _options: unknown, id?: string): Promise<void> {
  const chosen = await chosenFolders(call, id);
  for (const { folder } of chosen) await copyInto(folder);
  const ids = chosen.map((one) => one.id);
  if (call.isJson) return call.out.json({ copied: ids });
  for (const one of ids) await call.out.line(`extensions/${one}/cairn.d.ts`);
}
