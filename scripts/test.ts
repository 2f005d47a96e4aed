// `npm test`: every test there is, on both databases, with one closing line `N passed, N failed`.
//   node scripts/test.ts [unit|storage|http|oauth|mcp|automations|sync|cli|faults ...] [--engine=sqlite|postgres] [file ...]
// A skipped test counts as failed, and so does a part in which suspiciously few tests ran.

import { globSync } from "node:fs";
import { cpus } from "node:os";
import { relative, resolve } from "node:path";
import { run } from "node:test";
import { startCluster } from "./postgres.ts";

type Engine = "sqlite" | "postgres";

interface Part {
  name: string;
  files: string[];
  /** Unset: the tests choose for themselves. */
  engine?: Engine;
  /** Fewer tests than this mean that something did not run. */
  atLeast: number;
  timeout: number;
}

const root = resolve(import.meta.dirname, "..");
const engines: Engine[] = ["sqlite", "postgres"];
const find = (pattern: string) => globSync(pattern, { cwd: root }).sort();
/** `x.sqlite.test.ts` and `x.postgres.test.ts` are for that engine alone. */
const isFor = (engine: Engine) => (file: string) =>
  engines.every((e) => e === engine || !file.endsWith(`.${e}.test.ts`));

const storageSuites = find("src/storage/storage.*.test.ts");

const parts: Part[] = [
  {
    name: "unit",
    files: find("{src,scripts}/**/*.test.ts").filter((file) => !storageSuites.includes(file)),
    atLeast: 300,
    timeout: 60_000,
  },
  ...engines.map((engine) => ({
    name: "storage",
    engine,
    files: storageSuites.filter(isFor(engine)),
    atLeast: 50,
    timeout: 120_000,
  })),
  ...["http", "oauth", "mcp", "automations", "sync", "cli", "faults"].flatMap((name) =>
    engines.map((engine) => ({
      name,
      engine,
      files: find(`tests/${name}/**/*.test.ts`).filter(isFor(engine)),
      atLeast: name === "http" ? 200 : 10,
      timeout: name === "faults" ? 180_000 : 120_000,
    })),
  ),
];

interface Tally {
  passed: number;
  failed: number;
}

async function runPart(part: Part): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const started = Date.now();
  if (part.engine) process.env.CAIRN_TEST_ENGINE = part.engine;
  else delete process.env.CAIRN_TEST_ENGINE;
  const stream = run({
    cwd: root,
    files: part.files.map((file) => resolve(root, file)),
    // Fault tests own the machine while they run.
    concurrency: part.name === "faults" ? 1 : Math.min(2, cpus().length),
    timeout: part.timeout,
    // A test that timed out must not keep its file's process alive.
    execArgv: ["--test-force-exit"],
  });
  for await (const event of stream) {
    if (event.type === "test:pass" && event.data.details.type !== "suite") {
      const left = event.data.skip !== undefined ? "skipped" : event.data.todo !== undefined ? "todo" : undefined;
      if (left) complain(part, tally, event.data, `it is ${left}`);
      else tally.passed++;
    } else if (event.type === "test:fail") {
      const { error } = event.data.details as { error: Error & { failureType?: string; cause?: unknown } };
      if (error.failureType !== "subtestsFailed") complain(part, tally, event.data, error.cause ?? error);
    } else if (event.type === "test:stderr" || event.type === "test:stdout") {
      process.stderr.write(event.data.message);
    }
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${title(part)}: ${tally.passed} passed, ${tally.failed} failed in ${seconds} s`);
  return tally;
}

function complain(part: Part, tally: Tally, test: { name: string; file?: string }, reason: unknown): void {
  tally.failed++;
  const file = test.file ? ` (${relative(root, test.file)})` : "";
  console.error(`\nFAILED ${title(part)}: ${test.name}${file}`);
  console.error(reason);
}

function title(part: Part): string {
  return part.engine ? `${part.name} on ${part.engine}` : part.name;
}

async function main(args: string[]): Promise<number> {
  const engine = args.find((arg) => arg.startsWith("--engine="))?.slice("--engine=".length);
  const words = args.filter((arg) => !arg.startsWith("--"));
  const names = new Set(parts.map((part) => part.name));
  const files = words.filter((word) => !names.has(word)).map((file) => relative(root, resolve(file)));
  const asked = words.filter((word) => names.has(word));

  const chosen = parts
    .filter((part) => asked.length === 0 || asked.includes(part.name))
    .filter((part) => !engine || !part.engine || part.engine === engine)
    .map((part) =>
      files.length ? { ...part, files: part.files.filter((file) => files.includes(file)), atLeast: 0 } : part,
    )
    .filter((part) => part.files.length > 0 || part.atLeast > 0);
  if (chosen.length === 0) {
    console.error("No test file matches.");
    return 2;
  }

  // Always there, even for a run on SQLite alone: some tests compare the engines.
  const cluster = await startCluster();
  process.env.CAIRN_TEST_POSTGRES_URL = cluster.url;
  const total: Tally = { passed: 0, failed: 0 };
  try {
    for (const part of chosen) {
      const tally = await runPart(part);
      total.passed += tally.passed;
      total.failed += tally.failed;
      if (tally.passed + tally.failed < part.atLeast)
        complain(part, total, { name: "the run itself" }, `only ${tally.passed + tally.failed} tests ran`);
    }
  } finally {
    await cluster.stop();
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
