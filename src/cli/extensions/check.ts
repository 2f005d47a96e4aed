// extension:check: what an author wants to know before an operator does.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Call } from "#cli/call.ts";
import { clean } from "#cli/output.ts";
import type { Json } from "#contract/json.ts";
import { deprecationsOf } from "#extensions/deprecations.ts";
import type { FoundExtension } from "#extensions/discover.ts";
import { readKinds } from "#extensions/kept/kept-kinds.ts";
import { readSchemas } from "#extensions/kept/kept-schemas.ts";
import { loadProblemOf } from "#extensions/try-loading.ts";
import { chosenFolders, installation } from "./project-extensions.ts";

interface Finding {
  level: "error" | "warning";
  text: string;
}

/** Of all files together; larger ones are slow to review. */
const largeBytes = 5_000_000;
const maxTypeErrors = 50;

/** 1 when there are errors. */
export async function check(call: Call, _options: unknown, id?: string): Promise<number> {
  const chosen = await chosenFolders(call, id);
  const all = [];
  for (const one of chosen) all.push({ id: one.id, bytes: one.bytes, findings: await findingsOf(call, one) });
  const isWrong = all.some(({ findings }) => findings.some(({ level }) => level === "error"));
  if (call.isJson) await call.out.json(all as unknown as Json);
  else
    for (const { id: name, bytes, findings } of all) {
      await call.out.line(`${name}: ${findings.length === 0 ? "no problems" : countOf(findings)}, ${bytes} bytes`);
      for (const { level, text } of findings) await call.out.line(clean(`  ${level}: ${text}`));
    }
  return isWrong ? 1 : 0;
}

function countOf(findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === "error").length;
  return `${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export async function findingsOf(call: Call, found: FoundExtension): Promise<Finding[]> {
  const error = (text: string): Finding => ({ level: "error", text });
  const { manifest } = found;
  if (!manifest) return found.problems.map(error);
  const loading = await loadProblemOf(found);
  const kinds = await readKinds({ folder: found.folder, manifest }, { isChecked: true });
  return [
    ...(loading === undefined ? [] : [error(`The code cannot be loaded: ${loading}`)]),
    ...kinds.problems.map(error),
    ...(await readSchemas({ folder: found.folder, manifest }, { storage: {}, kinds: kinds.text })).problems.map(error),
    ...(await elementFindings(found)),
    ...(await typeFindings(call, found)),
    ...(await deprecationsOf(found)).map(warning),
    ...(await copyFindings(found)),
    ...(found.bytes > largeBytes ? [warning(`It has ${found.bytes} bytes: ship only what it needs.`)] : []),
    ...(manifest.description === "" ? [warning("description: is empty; operators see it in the review.")] : []),
  ];
}

function warning(text: string): Finding {
  return { level: "warning", text };
}

async function elementFindings({ folder, manifest }: FoundExtension): Promise<Finding[]> {
  const { adminPages = [], fields = [] } = manifest?.contributes ?? {};
  const named = [
    ...adminPages.map(({ element }) => element),
    ...fields.flatMap(({ element, cell }) => [element, cell]),
  ];
  const findings: Finding[] = [];
  for (const file of new Set(named.filter((one) => one !== undefined))) {
    const text = await readFile(join(folder, file), "utf8");
    if (!/\bexport\s+default\b|\bas\s+default\b/.test(text))
      findings.push({
        level: "error",
        text: `${file}: an element is exported as default: export default class extends HTMLElement`,
      });
    for (const [, from = ""] of text.matchAll(/^\s*import\s+(?!type\b)[^"']*["']([^"']+)["']/gm))
      if (!/^\.{0,2}\//.test(from))
        findings.push({
          level: "error",
          text: `${file}: browsers do not resolve "${from}"; bundle it, or ship the file`,
        });
  }
  return findings;
}

/** By the TypeScript of the extension, of the project, or of this installation. */
async function typeFindings(call: Call, { folder, files }: FoundExtension): Promise<Finding[]> {
  if (!files.has("tsconfig.json")) return [];
  const places = [folder, call.settings.projectDir, installation];
  const tsc = places.map((place) => join(place, "node_modules", ".bin", "tsc")).find((file) => existsSync(file));
  if (tsc === undefined) {
    call.remark("Types are not checked: there is no TypeScript. npm install --save-dev typescript");
    return [];
  }
  const output = await new Promise<string>((resolve) =>
    execFile(tsc, ["-p", folder, "--noEmit", "--pretty", "false"], { cwd: folder }, (problem, stdout, stderr) =>
      resolve(problem ? stdout || stderr || problem.message : ""),
    ),
  );
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(" "));
  return lines.slice(0, maxTypeErrors).map((text) => ({ level: "error", text }));
}

async function copyFindings({ id, folder, files }: FoundExtension): Promise<Finding[]> {
  if (!files.has("cairn.d.ts")) return [];
  const [own, shipped] = await Promise.all([
    readFile(join(folder, "cairn.d.ts"), "utf8"),
    readFile(join(installation, "types", "extension.d.ts"), "utf8"),
  ]);
  return own === shipped ? [] : [warning(`cairn.d.ts is of another version: cairn extension:types ${id}`)];
}
