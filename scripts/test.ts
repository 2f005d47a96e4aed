// `npm test`: every test there is, on both databases, with one closing line `N passed, N failed`.
//   node scripts/test.ts [unit|storage|http|oauth|mcp|automations|sync|cli|faults ...] [--engine=sqlite|postgres] [--times] [file ...]
// A skipped test counts as failed, and so does a part in which suspiciously few tests ran. --times adds how long each file took.

import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { type Engine, makeSeeds } from "../tests/harness.ts";
import { ensureFonts } from "./debian.ts";
import { type Cluster, startCluster } from "./postgres.ts";

interface Part {
  name: string;
  files: string[];
  /** Unset: the tests choose for themselves. */
  engine?: Engine;
  /** Fewer tests than this mean that something did not run. */
  atLeast: number;
}

const root = resolve(import.meta.dirname, "..");
const engines: Engine[] = ["sqlite", "postgres"];
/** Where `bin/cairn` keeps what Node made of the sources; the test files profit as well. */
const compileCache = join(root, "node_modules", ".cache", "cairn");
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
  },
  ...engines.map((engine) => ({
    name: "storage",
    engine,
    files: storageSuites.filter(isFor(engine)),
    atLeast: 50,
  })),
  ...["http", "oauth", "mcp", "automations", "sync", "cli", "faults"].flatMap((name) =>
    engines.map((engine) => ({
      name,
      engine,
      files: find(`tests/${name}/**/*.test.ts`).filter(isFor(engine)),
      atLeast: name === "http" ? 200 : 10,
    })),
  ),
];

const testTimeout = 300_000;
/** Also for a file whose tests all passed and left something open that keeps its process alive. */
const fileTimeout = 600_000;
const roomNeeded = 6_000_000_000;
/** So many files make up for the making of seeds. */
const worthSeeds = 5;

const usesServers = (part: Part) => part.name !== "unit" && part.name !== "storage";
const isFaults = (part: Part) => part.name === "faults";

interface Tally {
  passed: number;
  failed: number;
}

async function runFile(part: Part, file: string, env: NodeJS.ProcessEnv): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const path = resolve(root, file);
  const stream = run({
    cwd: root,
    files: [path],
    timeout: testTimeout,
    // Not --test-force-exit, which cuts off results that are still on their way.
    signal: AbortSignal.timeout(fileTimeout),
    env: { NODE_COMPILE_CACHE: compileCache, ...env, ...(part.engine && { CAIRN_TEST_ENGINE: part.engine }) },
  });
  for await (const event of stream) {
    if (event.type === "test:pass" && event.data.details.type !== "suite") {
      const left = event.data.skip !== undefined ? "skipped" : event.data.todo !== undefined ? "todo" : undefined;
      if (left) complain(part, tally, event.data, `it is ${left}`);
      else if (event.data.name === path) complain(part, tally, event.data, "there is no test in it");
      else tally.passed++;
    } else if (event.type === "test:fail") {
      const { error } = event.data.details as { error: Error & { failureType?: string; cause?: unknown } };
      if (error.failureType !== "subtestsFailed") complain(part, tally, event.data, error.cause ?? error);
    } else if (event.type === "test:stderr" || event.type === "test:stdout") {
      process.stderr.write(event.data.message);
    }
  }
  return tally;
}

interface Run {
  /** So many files at a time, whatever part they belong to: no part waits for the last file of another. */
  width: number;
  hasTimes: boolean;
  environmentOf(part: Part): NodeJS.ProcessEnv;
}

async function runParts(chosen: Part[], { width, hasTimes, environmentOf }: Run): Promise<Tally> {
  const total: Tally = { passed: 0, failed: 0 };
  const jobs = chosen.map((part) => {
    const progress = { passed: 0, failed: 0, left: part.files.length, started: 0, times: [] as [number, string][] };
    if (part.files.length === 0) finish(part, progress);
    return part.files.map((file) => ({ part, file, progress }));
  });
  const groupOf = (isIn: (part: Part) => boolean) => jobs.flat().filter(({ part }) => isIn(part));
  // Fault tests wait much, so there is always one among the others; the short files come last, and end together.
  const queue = [
    ...mixed([groupOf(isFaults), groupOf((part) => usesServers(part) && !isFaults(part))]),
    ...groupOf((part) => !usesServers(part)),
  ];

  function finish(part: Part, progress: Tally & { started: number; times: [number, string][] }): void {
    const seconds = ((Date.now() - progress.started) / 1000).toFixed(1);
    console.log(`${title(part)}: ${progress.passed} passed, ${progress.failed} failed in ${seconds} s`);
    if (hasTimes)
      for (const [took, file] of progress.times.sort((a, b) => b[0] - a[0]))
        console.log(`${(took / 1000).toFixed(1).padStart(8)} s  ${file}`);
    total.passed += progress.passed;
    total.failed += progress.failed;
    const ran = progress.passed + progress.failed;
    if (ran < part.atLeast) complain(part, total, { name: "the run itself" }, `only ${ran} tests ran`);
  }

  async function work(): Promise<void> {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const { part, file, progress } = job;
      const started = Date.now();
      progress.started ||= started;
      const tally = await runFile(part, file, environmentOf(part));
      progress.passed += tally.passed;
      progress.failed += tally.failed;
      progress.times.push([Date.now() - started, file]);
      progress.left -= 1;
      if (progress.left === 0) finish(part, progress);
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  return total;
}

/** In memory, where there is room: most tests learn nothing from a disk that they wait for. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > roomNeeded ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Each list spread evenly over the whole. */
function mixed<T>(lists: T[][]): T[] {
  const placed = lists.flatMap((list) => list.map((item, at) => ({ item, place: (at + 0.5) / list.length })));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
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

  ensureFonts();
  const clusters: Cluster[] = [];
  const folders: string[] = [];
  process.once("exit", () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  async function prepare(isDurable: boolean): Promise<NodeJS.ProcessEnv> {
    // Always there, even for a run on SQLite alone: some tests compare the engines.
    const cluster = await startCluster({ isDurable });
    clusters.push(cluster);
    const seeds = mkdtempSync(join(tmpdir(), "cairn-seeds-"));
    const files = mkdtempSync(join(isDurable ? tmpdir() : quickFolder(), "cairn-tests-"));
    chmodSync(files, 0o755);
    folders.push(seeds, files);
    for (const on of engines) {
      const some = chosen.filter((part) => usesServers(part) && isFaults(part) === isDurable && part.engine === on);
      // Without seeds each test runs the commands itself, and tells what is wrong with them.
      if (some.flatMap(({ files }) => files).length >= worthSeeds)
        await makeSeeds(seeds, on, cluster.url).catch(() => undefined);
    }
    return { ...process.env, TMPDIR: files, CAIRN_TEST_SEEDS: seeds, CAIRN_TEST_POSTGRES_URL: cluster.url };
  }

  try {
    const quick = await prepare(false);
    // Only the fault tests need a PostgreSQL that waits for the disk.
    const durable = chosen.some(isFaults) ? await prepare(true) : quick;
    const total = await runParts(chosen, {
      // More than there are cores, for much of a test is waiting.
      width: Math.min(4, cpus().length + 1),
      hasTimes: args.includes("--times"),
      environmentOf: (part) => (isFaults(part) ? durable : quick),
    });
    console.log(`${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 ? 0 : 1;
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
}

process.exitCode = await main(process.argv.slice(2));
