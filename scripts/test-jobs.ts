// Runs test files in processes of their own, some at a time, the longest first. Short files that start no server share a process.
// Knows nothing of what a part is about; scripts/test.ts decides that.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import type { Engine } from "../tests/harness.ts";
import type { Usage } from "./report-usage.ts";

export interface Part {
  name: string;
  files: string[];
  /** Unset: the tests choose for themselves. */
  engine?: Engine;
  /** Fewer tests than this mean that something did not run. */
  atLeast: number;
}

export interface Tally {
  passed: number;
  failed: number;
}

export interface Total extends Tally {
  /** Files that failed and passed when they were repeated. */
  unstable: string[];
}

export interface Run {
  /** So many jobs at a time, whatever part they belong to: no part waits for the last file of another. */
  width: number;
  hasTimes: boolean;
  /** Whether files that failed run once more, each alone, before they count as failed. */
  isForgiving: boolean;
  environmentOf(part: Part): NodeJS.ProcessEnv;
}

interface Progress extends Tally {
  left: number;
  started: number;
  times: Map<string, number>;
  /** What to say of a file besides. */
  usages: Map<string, string>;
}

/** One file, or several short ones. */
interface Job {
  part: Part;
  files: string[];
}

export const root = resolve(import.meta.dirname, "..");
const usageReport = join(import.meta.dirname, "report-usage.ts");
const sharedProcess = join(import.meta.dirname, "shared-process.ts");
/** Where `bin/cairn` keeps what Node made of the sources; the test files profit as well. */
const compileCache = join(root, "node_modules", ".cache", "cairn");

// They end what hangs. On a machine that much else keeps busy, the longest test takes ten times as long as on an idle one.
const testTimeout = 900_000;
/** Also for a file whose tests all passed and left something open that keeps its process alive. A soak run repeats a hundred times. */
const fileTimeout = process.env.CAIRN_TEST_SOAK === "1" ? 7_200_000 : 1_200_000;
/** Unit tests with a process of their own: they are long, or look at their process as a whole. */
const alone =
  /^src\/(files|sandbox)\/|^src\/(sync\/backups\/archive|jobs\/queue|installation\/settings|base\/(guarded-fetch|loop-guard|event-loop))\.test\.ts$/;

const processes = 3;

export const usesServers = (part: Part) => part.name !== "unit" && part.name !== "storage";
export const usesBrowser = (part: Part) => part.name === "admin";
export const isFaults = (part: Part) => part.name === "faults";

export async function runParts(chosen: Part[], { width, hasTimes, isForgiving, environmentOf }: Run): Promise<Total> {
  const total: Total = { passed: 0, failed: 0, unstable: [] };
  const doubtful: Job[] = [];
  const known = readTimes();
  const secondsOf = (part: Part, file: string) => known[nameOf(part, file)] ?? unknownTime(part, file);
  const lengthOf = ({ part, files }: Job) => files.reduce((sum, file) => sum + secondsOf(part, file), 0);

  const progress = new Map<Part, Progress>(
    chosen.map((part) => [
      part,
      { passed: 0, failed: 0, left: part.files.length, started: 0, times: new Map(), usages: new Map() },
    ]),
  );
  for (const part of chosen) if (part.files.length === 0) finish(part);
  // The longest first, as far as they are known, so that none is left alone at the end.
  const queue = chosen
    .flatMap((part) => (part.name === "unit" ? share(part) : part.files.map((file) => ({ part, files: [file] }))))
    .sort((a, b) => lengthOf(b) - lengthOf(a));

  function finish(part: Part): void {
    const { passed, failed, started, times, usages } = progress.get(part) as Progress;
    console.log(
      `${title(part)}: ${passed} passed, ${failed} failed in ${((Date.now() - started) / 1000).toFixed(1)} s`,
    );
    if (hasTimes)
      for (const [file, took] of [...times].sort((a, b) => b[1] - a[1]))
        console.log(`${took.toFixed(1).padStart(8)} s  ${file}${usages.get(file) ?? ""}`);
    total.passed += passed;
    total.failed += failed;
    if (passed + failed < part.atLeast)
      complain(part, total, { name: "the run itself" }, `only ${passed + failed} tests ran`);
  }

  function next(isWanted: (part: Part) => boolean): Job | undefined {
    const at = queue.findIndex(({ part }) => isWanted(part));
    return at < 0 ? queue.shift() : queue.splice(at, 1)[0];
  }

  /** A lane that finds nothing of its own helps the others. */
  async function work(isWanted: (part: Part) => boolean): Promise<void> {
    for (let job = next(isWanted); job; job = next(isWanted)) {
      (progress.get(job.part) as Progress).started ||= Date.now();
      const outcome = await runJob(job, environmentOf(job.part), hasTimes);
      if (outcome.failed > 0 && isForgiving) doubtful.push(job);
      else count(job, outcome);
    }
  }

  function count({ part, files }: Job, { passed, failed, times, usage }: Outcome): void {
    const so = progress.get(part) as Progress;
    so.passed += passed;
    so.failed += failed;
    so.left -= files.length;
    for (const [file, took] of times) {
      so.times.set(file, took);
      if (failed === 0) known[nameOf(part, file)] = took;
    }
    if (usage) so.usages.set(files[0] as string, describe(usage, files));
    if (so.left === 0) finish(part);
  }
  // Fault tests wait much, so that one of them runs beside the others all the time.
  const others = Array.from({ length: width }, () => work((part) => !isFaults(part)));
  await Promise.all([...others, work(isFaults)]);
  // A test that fails beside others and passes alone is a defect of the test or of the server, and is named as one. It does not
  // take a good change with it.
  for (const job of doubtful) {
    console.error(`\nREPEATED ${title(job.part)}: ${job.files.join(", ")}`);
    const outcome = await runJob(job, environmentOf(job.part), hasTimes);
    if (outcome.failed === 0) total.unstable.push(...job.files);
    count(job, outcome);
  }
  keepTimes(known);
  return total;
}

/** Short files together, in a few processes. */
function share(part: Part): Job[] {
  const shared = part.files.filter((file) => !alone.test(file));
  const groups = Array.from({ length: processes }, (_, at) => shared.filter((_, index) => index % processes === at));
  return [...part.files.filter((file) => alone.test(file)).map((file) => [file]), ...groups]
    .filter((files) => files.length > 0)
    .map((files) => ({ part, files }));
}

function describe({ own, started, servers, commands }: Usage, files: string[]): string {
  const seconds = `${own.toFixed(1)} + ${started.toFixed(1)} s of the processors`;
  const company = files.length > 1 ? `, with ${files.length - 1} others` : "";
  return `  ${seconds}, ${servers} servers, ${commands} commands${company}`;
}

type Outcome = Tally & { times: Map<string, number>; usage?: Usage | undefined };

async function runJob({ part, files }: Job, env: NodeJS.ProcessEnv, hasTimes: boolean): Promise<Outcome> {
  const tally = { passed: 0, failed: 0, times: new Map<string, number>() };
  // Sources of the admin need the names that this process knows.
  const isShared = files.length > 1 || files[0]?.startsWith("admin/") === true;
  const path = isShared ? sharedProcess : resolve(root, files[0] as string);
  const withTests = new Set<string>();
  const started = Date.now();
  const reports = hasTimes ? mkdtempSync(join(tmpdir(), "cairn-usage-")) : undefined;
  const report = reports && join(reports, "usage");
  const stream = run({
    cwd: root,
    files: [path],
    ...(report && { execArgv: ["--import", usageReport] }),
    timeout: isShared ? fileTimeout : testTimeout,
    // Not --test-force-exit, which cuts off results that are still on their way.
    signal: AbortSignal.timeout(fileTimeout),
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...env,
      ...(part.engine && { CAIRN_TEST_ENGINE: part.engine }),
      ...(isShared && { CAIRN_TEST_FILES: JSON.stringify(files) }),
      ...(report && { CAIRN_USAGE_FILE: report }),
    },
  });
  for await (const event of stream) {
    if (event.type === "test:pass" && event.data.details.type !== "suite") {
      const left = event.data.skip !== undefined ? "skipped" : event.data.todo !== undefined ? "todo" : undefined;
      if (event.data.file) withTests.add(relative(root, event.data.file));
      if (left) complain(part, tally, event.data, `it is ${left}`);
      else if (event.data.name === path) complain(part, tally, event.data, "there is no test in it");
      else tally.passed++;
    } else if (event.type === "test:pass" && event.data.file === sharedProcess) {
      tally.times.set(event.data.name, event.data.details.duration_ms / 1000);
    } else if (event.type === "test:fail") {
      const { error } = event.data.details as { error: Error & { failureType?: string; cause?: unknown } };
      const among =
        isShared && event.data.name === path ? { ...event.data, name: `one of ${files.join(", ")}` } : event.data;
      if (error.failureType !== "subtestsFailed") complain(part, tally, among, error.cause ?? error);
    } else if (event.type === "test:stderr" || event.type === "test:stdout") {
      process.stderr.write(event.data.message);
    }
  }
  if (!isShared) tally.times.set(files[0] as string, (Date.now() - started) / 1000);
  else if (tally.failed === 0)
    for (const file of files) if (!withTests.has(file)) complain(part, tally, { name: file }, "there is no test in it");
  const usage: Usage | undefined = report && existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  if (reports) rmSync(reports, { recursive: true, force: true });
  return { ...tally, usage };
}

/** Seconds that files took when they last passed, by part and file; nothing depends on them but order and company. */
const timesFile = join(root, "node_modules", ".cache", "cairn-test-times.json");
const nameOf = (part: Part, file: string) => `${file} ${part.engine ?? ""}`;
/** For the first run on a machine: what takes longest must not begin last. */
const longest =
  /(admin\/(keyboard\.sqlite|table|files|starter\.sqlite|names|names-run|schemas|form|specimen\.sqlite|shell|mailer)|access\/matrix|faults\/(restart|versions|nodes)\.postgres)\.test\.ts$/;
const long =
  /(widening\.sqlite|fronts\.sqlite|bounds|images\/pool|whole-backup|storage\.postgres|import-export|page-cache|history\/attic|cli\/(start|commands)|faults\/(backup\.sqlite|automation-runs|uploads|clock\.sqlite|two-machines\.postgres))\.test\.ts$/;

function unknownTime(part: Part, file: string): number {
  if (longest.test(file)) return 120;
  if (long.test(file) || usesBrowser(part)) return 60;
  return isFaults(part) ? 40 : usesServers(part) ? 20 : alone.test(file) ? 10 : 1;
}

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

function title(part: Part): string {
  return part.engine ? `${part.name} on ${part.engine}` : part.name;
}
