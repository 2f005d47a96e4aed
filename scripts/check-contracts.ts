// Checks that each exported function of storage/tables/ is called by a contract suite, which runs on both engines. That is
// why most other tests may run on one engine.

import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Problems of a tree given as path (from the project root) -> text. */
export function checkContracts(files: ReadonlyMap<string, string>): string[] {
  const suites = [...files].filter(([path]) => path.endsWith(".contract.ts")).map(([, text]) => text);
  const called = new Set(suites.flatMap((text) => [...text.matchAll(/\b(\w+)\(/g)].map(([, name]) => name)));
  const problems: string[] = [];
  for (const [path, text] of files) {
    if (!/^src\/storage\/tables\/(?:[\w-]+\/)?[\w-]+\.ts$/.test(path)) continue;
    for (const [, name] of text.matchAll(/^export (?:async )?function\*? (\w+)/gm))
      if (!called.has(name)) problems.push(`${path}: no contract suite calls ${name}`);
  }
  return problems;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const paths = globSync("src/storage/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const problems = checkContracts(files);
  if (files.size < 40)
    problems.push(`only ${files.size} files in src/storage/ were seen; something is wrong with the search`);
  for (const problem of problems) console.error(problem);
  console.log(`contracts: ${files.size} files, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
}
