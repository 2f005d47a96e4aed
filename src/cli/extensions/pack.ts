// extension:pack: the zip of a sandbox extension, or the check of a node extension's package.

import { createReadStream, existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import type { Manifest } from "#contract/extensions.ts";
import { isJsonObject } from "#contract/json.ts";
import type { FoundExtension } from "#extensions/discover.ts";
import { createZip } from "#sync/backups/zip-writer.ts";
import { findingsOf } from "./check.ts";
import { chosenFolders } from "./project-extensions.ts";

/** For authors alone. */
const leftOut = /(^|\/)(cairn\.d\.ts|cairn\.schema\.json|tsconfig\.json)$|\.test\.[cm]?[jt]s$|(^|\/)\./;

export async function pack(call: Call, options: { output?: string; force?: boolean }, id: string): Promise<void> {
  const [found] = await chosenFolders(call, id);
  const wrong = found && (await findingsOf(call, found)).filter(({ level }) => level === "error");
  if (!found?.manifest || !wrong || wrong.length > 0)
    return fail("invalid", `${id} has errors: ${wrong?.[0]?.text ?? ""} All of them: cairn extension:check ${id}`);
  if (found.manifest.runtime === "node") return checkPackage(call, found, found.manifest);
  const { version } = found.manifest;
  const file = resolve(options.output ?? `${id.replace("/", "-")}-${version}.zip`);
  if (existsSync(file) && options.force !== true) throw new UsageError(`${file} is there already: add --force.`);
  const files = [...found.files].filter((path) => !leftOut.test(path)).sort();
  await writeZip(found.folder, files, file);
  if (call.isJson) return call.out.json({ id, version, file, files });
  await call.out.line(`${file}: ${files.length} files.`);
}

async function writeZip(folder: string, files: readonly string[], file: string): Promise<void> {
  const partial = `${file}.part`;
  const zip = await createZip(partial);
  try {
    for (const path of files) await zip.add(path, createReadStream(join(folder, path)), { isPacked: false });
    await zip.finish();
    await rename(partial, file);
  } catch (error) {
    await zip.abandon().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

/** Code that runs with the rights of the server comes as a package of npm. */
async function checkPackage(call: Call, { id, folder, files }: FoundExtension, manifest: Manifest): Promise<void> {
  const problems: string[] = [];
  if (!files.has("package.json"))
    fail(
      "invalid",
      `${id} runs as node, so it is shipped as a package: it needs a package.json with "cairn": {"extension": "extension.json"}.`,
    );
  const about = parseJson(await readFile(join(folder, "package.json")));
  const { cairn, version, files: listed } = isJsonObject(about) ? about : {};
  if (!isJsonObject(cairn) || cairn.extension !== "extension.json")
    problems.push('package.json must have "cairn": {"extension": "extension.json"}');
  if (version !== manifest.version) problems.push(`package.json must have the version ${manifest.version}`);
  if (manifest.entrypoint && /\.[cm]?ts$/.test(manifest.entrypoint))
    problems.push(`entrypoint: ${manifest.entrypoint} must be JavaScript: Node runs no TypeScript below node_modules`);
  if (Array.isArray(listed) && !listed.includes("extension.json"))
    problems.push('package.json: "files" must name extension.json');
  if (problems.length > 0) fail("invalid", `The package of ${id} is not ready: ${problems.join("; ")}.`);
  if (call.isJson) return call.out.json({ id, version: manifest.version, package: folder });
  await call.out.line(`${id} ${manifest.version} is ready: npm pack, or npm publish, in ${folder}`);
}
