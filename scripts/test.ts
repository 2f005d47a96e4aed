// `npm test`: every test, on both databases where the database can matter, with one closing line `N passed, N failed`.
//   node scripts/test.ts [unit|storage|http|oauth|mcp|automations|sync|cli|faults|scale ...] [--engine=sqlite|postgres] [--full] [--times] [file ...]
// Files that no engine can change (`one-engine.ts`) run on one, unless they are named or --full is given. CAIRN_TEST_SOAK=1
// repeats kills and races more often.
// A skipped test counts as failed, and so does a part in which suspiciously few tests ran. --times adds how long each file took.

import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { type Engine, makeSeeds } from "../tests/harness.ts";
import { ensureFonts } from "./debian.ts";
import { embeddedOnly } from "./one-engine.ts";
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
  { name: "scale", engine: "sqlite", files: find("tests/scale/**/*.test.ts"), atLeast: 10 },
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
  const known = readTimes();
  const seconds = ({ part, file }: { part: Part; file: string }) => known[nameOf(part, file)];
  const groupOf = (isIn: (part: Part) => boolean) => jobs.flat().filter(({ part }) => isIn(part));
  // The longest first, as far as they are known, so that none is left alone at the end. Where nothing is known: short files last.
  const queue = [...groupOf(usesServers), ...groupOf((part) => !usesServers(part))].sort(
    (a, b) => (seconds(b) ?? unknownTime(b.part)) - (seconds(a) ?? unknownTime(a.part)),
  );

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

  function next(isWanted: (part: Part) => boolean): (typeof queue)[number] | undefined {
    const at = queue.findIndex(({ part }) => isWanted(part));
    return at < 0 ? undefined : queue.splice(at, 1)[0];
  }

  async function work(isWanted: (part: Part) => boolean): Promise<void> {
    // Whoever finds nothing of their own helps the others.
    for (let job = next(isWanted) ?? queue.shift(); job; job = next(isWanted) ?? queue.shift()) {
      const { part, file, progress } = job;
      const started = Date.now();
      progress.started ||= started;
      const tally = await runFile(part, file, environmentOf(part));
      progress.passed += tally.passed;
      progress.failed += tally.failed;
      progress.times.push([Date.now() - started, file]);
      if (tally.failed === 0) known[nameOf(part, file)] = (Date.now() - started) / 1000;
      progress.left -= 1;
      if (progress.left === 0) finish(part, progress);
    }
  }
  // Fault tests wait much, so that one of them runs beside the others all the time.
  const others = Array.from({ length: width }, () => work((part) => !isFaults(part)));
  await Promise.all([...others, work(isFaults)]);
  keepTimes(known);
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

/** Seconds that files took when they last passed, by part and file; nothing depends on them but the order. */
const timesFile = join(root, "node_modules", ".cache", "cairn-test-times.json");
const nameOf = (part: Part, file: string) => `${file} ${part.engine ?? ""}`;
/** Fault tests take long, unit tests do not. */
const unknownTime = (part: Part) => (isFaults(part) ? 40 : usesServers(part) ? 20 : 2);

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8"));
  } catch {
    return {};
  }
}

function keepTimes(times: Record<string, number>): void {
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify(times, null, 1));
}

function complain(part: Part, tally: Tally, test: { name: string; file?: string }, reason: unknown): void {
  tally.failed++;
  const file = test.file ? ` (${relative(root, test.file)})` : "";
  console.error(`\nFAILED ${title(part)}: ${test.name}${file}`);
  console.error(reason);
}

function withoutEmbedded(part: Part): Part {
  return { ...part, files: part.files.filter((file) => !embeddedOnly.has(file)), atLeast: Math.min(part.atLeast, 100) };
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
  const lost = [...embeddedOnly].filter((file) => !existsSync(join(root, file)));
  if (lost.length > 0) throw new Error(`one-engine.ts names files that are not there: ${lost.join(", ")}`);
  const isFull = args.includes("--full") || files.length > 0;

  const chosen = parts
    .filter((part) => asked.length === 0 || asked.includes(part.name))
    .filter((part) => !engine || !part.engine || part.engine === engine)
    .map((part) => (isFull || part.engine !== "postgres" ? part : withoutEmbedded(part)))
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
    const plans = mkdtempSync(join(tmpdir(), "cairn-plans-"));
    folders.push(plans);
    process.env.CAIRN_PLANS_FILE = join(plans, "found");
    const quick = await prepare(false);
    // Only the fault tests need a PostgreSQL that waits for the disk.
    const durable = chosen.some(isFaults) ? await prepare(true) : quick;
    const total = await runParts(chosen, {
      // More than there are cores, for much of a test is waiting.
      width: cpus().length + 1,
      hasTimes: args.includes("--times"),
      environmentOf: (part) => (isFaults(part) ? durable : quick),
    });
    for (const plan of longPlans(join(plans, "found"))) {
      total.failed += 1;
      console.error(
        `\nFAILED STO-70: a statement on the server's own thread looks through a table that grows\n${plan}`,
      );
    }
    console.log(`${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 ? 0 : 1;
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
}

/** What servers have found of their own statements (src/storage/engines/sqlite-plan-gate.ts), each once. */
function longPlans(file: string): string[] {
  return existsSync(file) ? [...new Set(readFileSync(file, "utf8").split("\n"))].filter((plan) => plan !== "") : [];
}

process.exitCode = await main(process.argv.slice(2));
