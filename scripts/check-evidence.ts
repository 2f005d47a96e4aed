// Rules are numbered in docs/spec/*.md (`- **OBJ-3** ...`); a test proves a rule by starting its name with the number.
// Fails on rules that no test names, beyond those in evidence-baseline.json, which may only shrink,
// and on tests that name a rule which does not exist. The table of prefixes in docs/spec/README.md must be up to date:
// `--write` writes it.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface Evidence {
  rules: Set<string>;
  problems: string[];
}

const named = /["'`]((?:[A-Z][A-Z0-9]*-\d+[,\s]+)+)/g;
const numbered = /^- \*\*([A-Z][A-Z0-9]*-\d+)\*\*/gm;
const number = /[A-Z][A-Z0-9]*-\d+/g;

/** `documents` and `tests`: path -> text. */
export function checkEvidence(
  documents: ReadonlyMap<string, string>,
  tests: ReadonlyMap<string, string>,
  baseline: readonly string[],
): Evidence {
  const problems: string[] = [];
  const rules = new Set<string>();
  for (const [path, text] of documents) {
    for (const [, rule] of text.matchAll(numbered)) {
      if (rules.has(rule as string)) problems.push(`${path}: ${rule} is numbered twice`);
      rules.add(rule as string);
    }
  }

  const areas = new Set([...rules].map(areaOf));
  const proven = new Set<string>();
  for (const [path, text] of tests) {
    for (const [, start] of text.matchAll(named)) {
      for (const [rule] of (start as string).matchAll(number)) {
        // Other texts look alike (UTF-8, SHA-256): only areas that exist count.
        if (areas.has(areaOf(rule)) && !rules.has(rule)) problems.push(`${path}: names ${rule}, which is no rule`);
        proven.add(rule);
      }
    }
  }

  for (const rule of rules)
    if (!proven.has(rule) && !baseline.includes(rule)) problems.push(`${rule}: no test names this rule`);
  for (const rule of baseline)
    if (!rules.has(rule) || proven.has(rule)) problems.push(`${rule}: proven or gone; take it out of the baseline`);
  return { rules, problems };
}

/** The page with the table of prefixes: each with its page, in the order of the prefixes. */
export function withTable(index: string, documents: ReadonlyMap<string, string>): string {
  const rows = [...documents].flatMap(([path, text]) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? "";
    const areas = [...text.matchAll(numbered)].map(([, rule]) => areaOf(rule as string));
    const page = path.slice(path.lastIndexOf("/") + 1);
    return [...new Set(areas)].map((area) => `| \`${area}\` | [${title}](${page}) |`);
  });
  const table = ["| Prefix | Page |", "|---|---|", ...rows.sort()].join("\n");
  return index.replace(/(<!-- table:.*?-->\n).*?(\n<!-- end -->)/s, (_, start, end) => `${start}${table}${end}`);
}

function areaOf(rule: string): string {
  return rule.slice(0, rule.lastIndexOf("-"));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const read = (pattern: string) =>
    new Map(globSync(pattern, { cwd: root }).map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const baseline = JSON.parse(readFileSync(join(import.meta.dirname, "evidence-baseline.json"), "utf8")) as string[];
  const tests = read("{src,tests,admin/src,client/src}/**/*.{test,contract}.ts");
  const documents = read("docs/spec/*.md");
  const { rules, problems } = checkEvidence(documents, tests, baseline);
  const index = "docs/spec/README.md";
  const page = withTable(documents.get(index) ?? "", documents);
  if (process.argv.includes("--write")) writeFileSync(join(root, index), page);
  else if (page !== documents.get(index))
    problems.push(`${index} is out of date: run \`bin/with-node node scripts/check-evidence.ts --write\`.`);
  if (rules.size < 100 || tests.size < 20)
    problems.push(
      `only ${rules.size} rules and ${tests.size} test files were seen; something is wrong with the search`,
    );
  for (const problem of problems) console.error(problem);
  console.log(`evidence: ${rules.size} rules, ${tests.size} test files, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
}
