// Runs test files in processes of their own, some at a time, the longest first. Short files that start no server share a process.
// Knows nothing of what a part is about; scripts/test.ts decides that.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { inspect } from "node:util";
import type { Usage } from "./report-usage.ts";
import { commandFor, isFaults, type Part, root, titleOf } from "./test-parts.ts";
import { type Progress, type State, showProgress } from "./test-progress.ts";
import { type Times, timeKey, timeOf } from "./test-times.ts";

export interface Tally {
  passed: number;
  failed: number;
}

export interface Total extends Tally {
  /** Files that failed and passed when they were repeated. */
  unstable: string[];
  /** Of the files that passed, where `hasTimes` asked for them. */
  times: Times;
}

export interface Run {
  /** So many jobs at a time, whatever part they belong to: no part waits for the last file of another. */
  width: number;
  /** As noted before: the longest files begin first, so that none is left alone at the end. */
  times: Times;
  hasTimes: boolean;
  /** Whether files that failed run once more, each alone, before they count as failed. */
  isForgiving: boolean;
  environmentOf(part: Part): NodeJS.ProcessEnv;
}

interface PartState extends Tally {
  left: number;
  /** Lines of `--times`. */
  lines: [seconds: number, line: string][];
}

/** One file, or several short ones. */
interface Job {
  part: Part;
  files: string[];
}

interface Outcome extends Tally {
  /** Seconds from start to end, by file. */
  seconds: Map<string, number>;
  usage?: Usage | undefined;
}

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

export async function runParts(
  chosen: Part[],
  { width, times, hasTimes, isForgiving, environmentOf }: Run,
): Promise<Total> {
  const total: Total = { passed: 0, failed: 0, unstable: [], times: new Map() };
  const doubtful: Job[] = [];
  const lengthOf = ({ part, files }: Job) => files.reduce((sum, file) => sum + timeOf(times, part, file).seconds, 0);
  const states = new Map<Part, PartState>(
    chosen.map((part) => [part, { passed: 0, failed: 0, left: part.files.length, lines: [] }]),
  );
  const queue = chosen
    .flatMap((part) => (part.name === "unit" ? share(part) : part.files.map((file) => ({ part, files: [file] }))))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  const state: State = {
    passed: 0,
    failed: 0,
    repeats: 0,
    files: { done: 0, all: queue.reduce((sum, { files }) => sum + files.length, 0) },
    noted: { done: 0, all: queue.reduce((sum, job) => sum + lengthOf(job), 0) },
  };
  const progress = showProgress(state, width);
  for (const part of chosen) if (part.files.length === 0) finish(part);

  function finish(part: Part): void {
    const { passed, failed, lines } = states.get(part) as PartState;
    if (hasTimes) {
      progress.print(`${titleOf(part)}: ${passed} passed, ${failed} failed\n`);
      for (const [, line] of lines.sort(([a], [b]) => b - a)) progress.print(`${line}\n`);
    }
    if (passed + failed < part.atLeast)
      complain(progress, part, state, { name: "the run itself" }, `only ${passed + failed} tests ran`);
  }

  function next(isWanted: (part: Part) => boolean): Job | undefined {
    const at = queue.findIndex(({ part }) => isWanted(part));
    return at < 0 ? queue.shift() : queue.splice(at, 1)[0];
  }

  /** A lane that finds nothing of its own helps the others. */
  async function work(isWanted: (part: Part) => boolean): Promise<void> {
    for (let job = next(isWanted); job; job = next(isWanted)) {
      const outcome = await runJob(progress, job, environmentOf(job.part), hasTimes);
      if (outcome.failed > 0 && isForgiving) state.repeats = doubtful.push(job);
      else count(job, outcome);
    }
  }

  function count(job: Job, { passed, failed, seconds, usage }: Outcome): void {
    const { part, files } = job;
    const own = states.get(part) as PartState;
    for (const tally of [own, state]) {
      tally.passed += passed;
      tally.failed += failed;
    }
    own.left -= files.length;
    state.files.done += files.length;
    state.noted.done += lengthOf(job);
    const sum = [...seconds.values()].reduce((a, b) => a + b, 0);
    for (const [file, took] of seconds) {
      own.lines.push([took, lineOf(file, took, files[0] === file ? usage : undefined, files)]);
      // Files that share a process share its time by how long each took.
      const processor = usage ? (usage.own + usage.started) * (took / (sum || 1)) : took;
      if (failed === 0) total.times.set(timeKey(part, file), { seconds: took, processor });
    }
    if (own.left === 0) finish(part);
  }

  // Fault tests wait much, so that one of them runs beside the others all the time.
  const others = Array.from({ length: width }, () => work((part) => !isFaults(part)));
  await Promise.all([...others, work(isFaults)]);
  // A test that fails beside others and passes alone is a defect of the test or of the server, and is named as one. It does not
  // take a good change with it.
  for (const job of doubtful) {
    state.repeats -= 1;
    progress.print(`\nREPEATED ${titleOf(job.part)}: ${job.files.join(", ")}\n`);
    const outcome = await runJob(progress, job, environmentOf(job.part), hasTimes);
    if (outcome.failed === 0) total.unstable.push(...job.files);
    count(job, outcome);
  }
  progress.stop();
  return { ...total, passed: state.passed, failed: state.failed };
}

/** Short files together, in a few processes. */
function share(part: Part): Job[] {
  const shared = part.files.filter((file) => !alone.test(file));
  const groups = Array.from({ length: processes }, (_, at) => shared.filter((_, index) => index % processes === at));
  return [...part.files.filter((file) => alone.test(file)).map((file) => [file]), ...groups]
    .filter((files) => files.length > 0)
    .map((files) => ({ part, files }));
}

function lineOf(file: string, took: number, usage: Usage | undefined, files: string[]): string {
  const line = `${took.toFixed(1).padStart(8)} s  ${file}`;
  if (!usage) return line;
  const seconds = `${usage.own.toFixed(1)} + ${usage.started.toFixed(1)} s of the processors`;
  const company = files.length > 1 ? `, with ${files.length - 1} others` : "";
  return `${line}  ${seconds}, ${usage.servers} servers, ${usage.commands} commands${company}`;
}

async function runJob(
  progress: Progress,
  { part, files }: Job,
  env: NodeJS.ProcessEnv,
  hasTimes: boolean,
): Promise<Outcome> {
  const tally = { passed: 0, failed: 0, seconds: new Map<string, number>() };
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
      if (left) complain(progress, part, tally, event.data, `it is ${left}`);
      else if (event.data.name === path) complain(progress, part, tally, event.data, "there is no test in it");
      else tally.passed++;
    } else if (event.type === "test:pass" && event.data.file === sharedProcess) {
      tally.seconds.set(event.data.name, event.data.details.duration_ms / 1000);
    } else if (event.type === "test:fail") {
      const { error } = event.data.details as { error: Error & { failureType?: string; cause?: unknown } };
      const among =
        isShared && event.data.name === path ? { ...event.data, name: `one of ${files.join(", ")}` } : event.data;
      if (error.failureType !== "subtestsFailed") complain(progress, part, tally, among, error.cause ?? error);
    } else if (event.type === "test:stderr" || event.type === "test:stdout") {
      progress.print(event.data.message);
    }
  }
  if (!isShared) tally.seconds.set(files[0] as string, (Date.now() - started) / 1000);
  else if (tally.failed === 0)
    for (const file of files)
      if (!withTests.has(file)) complain(progress, part, tally, { name: file }, "there is no test in it");
  const usage: Usage | undefined = report && existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
  if (reports) rmSync(reports, { recursive: true, force: true });
  return { ...tally, usage };
}

function complain(
  progress: Progress,
  part: Part,
  tally: Tally,
  test: { name: string; file?: string },
  reason: unknown,
): void {
  tally.failed++;
  const file = test.file && relative(root, test.file);
  // A shared process is no file of tests: its own name helps nobody.
  const repeat = file && file !== relative(root, sharedProcess) ? `\nRepeat it: ${commandFor(part, file)}` : "";
  progress.print(`\nFAILED ${titleOf(part)}: ${test.name}${file ? ` (${file})` : ""}\n${inspect(reason)}${repeat}\n`);
}
