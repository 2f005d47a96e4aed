// The tests, with one closing line `N passed, N failed`.
//   npm test           the core and as many other files as fit eight minutes (`test-tiers.ts`)
//   npm run test:all   every test, on both databases where the database can matter
//   node scripts/test.ts [--all|--left-out] [unit|storage|http|oauth|mcp|automations|sync|cli|extensions|doors|admin|faults|scale|registry ...]
//     [--engine=sqlite|postgres] [--full] [--times] [--note-times] [--busy] [--strict] [--width=N] [file ...]
// --left-out runs what `npm test` leaves out. Files that no engine can change (`one-engine.ts`) run on one, unless they are named or
// --full is given. CAIRN_TEST_SOAK=1 repeats kills and races more often. --busy keeps every core busy with something else: no test
// may fail because of that. A file in which a test failed runs once more, alone: what passes then is named as unstable in the closing
// lines, and counts as passed. With --strict, --busy or --full it counts as failed. A skipped test counts as failed, and so does a
// part in which suspiciously few tests ran. --times adds how long each file took, and what it used; --note-times writes it to
// `test-times.json`.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { makeSeeds } from "../tests/harness.ts";
import { buildAdmin } from "./build-admin.ts";
import { oneEngine } from "./one-engine.ts";
import { type Cluster, ensureBinaries, startCluster } from "./postgres.ts";
import { processorTime } from "./processor-time.ts";
import { runParts, type Total } from "./test-jobs.ts";
import { type Missing, withNeeds } from "./test-needs.ts";
import {
  engines,
  isFaults,
  onRequest,
  type Part,
  parts,
  root,
  titleOf,
  usesBrowser,
  usesServers,
  withoutOthers,
} from "./test-parts.ts";
import { divide } from "./test-tiers.ts";
import { readTimes, type Times, writeTimes } from "./test-times.ts";
import { startWarmPool, type WarmPool } from "./warm-pool.ts";

/** Files whose servers and commands run in processes that others have used; what a new process adds is tried by the others. */
const isWarm = (part: Part) => usesServers(part) && part.name !== "scale";

const roomNeeded = 6_000_000_000;
/** So many files make up for the making of seeds. */
const worthSeeds = 5;
/** Fewer tests in a run of `npm test` mean that something did not run. */
const atLeast = 2_000;

/** In memory, where there is room: most tests learn nothing from a disk that they wait for. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > roomNeeded ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** What is written after `--name=`. */
function optionOf(args: string[], name: string): string | undefined {
  const start = `--${name}=`;
  return args.find((arg) => arg.startsWith(start))?.slice(start.length);
}

/** A process for each core that never rests. Returns what ends them. */
function keepBusy(): () => void {
  const loops = cpus().map(() => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  return () => {
    for (const loop of loops) loop.kill("SIGKILL");
  };
}

function hasPostgres(): boolean {
  try {
    ensureBinaries();
    return true;
  } catch {
    return false;
  }
}

interface Choice {
  chosen: Part[];
  leftOut: Part[];
}

/** Undefined: nothing matches. */
function choose(args: string[], times: Times): Choice | undefined {
  const engine = optionOf(args, "engine");
  const words = args.filter((arg) => !arg.startsWith("--"));
  const known = [...parts, ...onRequest];
  const names = new Set(known.map((part) => part.name));
  const files = words.filter((word) => !names.has(word)).map((file) => relative(root, resolve(file)));
  const asked = words.filter((word) => names.has(word));
  const isFull = args.includes("--full") || files.length > 0;

  const named = (words.length === 0 ? parts : known)
    .filter((part) => asked.length === 0 || asked.includes(part.name))
    .filter((part) => !engine || !part.engine || part.engine === engine)
    .map((part) => (isFull ? part : withoutOthers(part)))
    .map((part) =>
      files.length ? { ...part, files: part.files.filter((file) => files.includes(file)), atLeast: 0 } : part,
    )
    .filter((part) => part.files.length > 0 || part.atLeast > 0);
  if (named.length === 0) return undefined;
  const isEverything = words.length > 0 || ["--all", "--full"].some((option) => args.includes(option));
  if (isEverything && !args.includes("--left-out")) return { chosen: named, leftOut: [] };
  const { first, rest } = divide(named, times);
  return args.includes("--left-out") ? { chosen: rest, leftOut: [] } : { chosen: first, leftOut: rest };
}

async function main(args: string[]): Promise<number> {
  const started = Date.now();
  const lost = [...oneEngine.keys()].filter((file) => !existsSync(join(root, file)));
  if (lost.length > 0) throw new Error(`one-engine.ts names files that are not there: ${lost.join(", ")}`);
  const times = readTimes();
  const choice = choose(args, times);
  if (!choice) {
    console.error("No test file matches.");
    return 2;
  }
  // Where Debian puts nginx and others, and users other than root do not look.
  process.env.PATH += ":/usr/sbin:/sbin";
  const { parts: chosen, missing } = withNeeds(choice.chosen, { isStrict: process.env.CI === "true" });
  const isFull = args.includes("--full") || args.some((arg) => arg.endsWith(".test.ts"));
  const hasCluster = hasPostgres();
  if (chosen.some(usesBrowser)) await buildAdmin();
  // A database server that is there already (test-engine.ts).
  const given = process.env.CAIRN_TEST_SERVER_URL;
  const clusters: Cluster[] = [];
  const keep = (cluster: Cluster): Cluster => {
    clusters.push(cluster);
    return cluster;
  };
  let pool: WarmPool | undefined;
  const folders: string[] = [];
  // Only an exit is seen by what has to be stopped and removed.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const stopBusy = args.includes("--busy") ? keepBusy() : () => {};
  process.once("exit", () => {
    stopBusy();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  async function prepare(isDurable: boolean): Promise<NodeJS.ProcessEnv> {
    // There also for a run on SQLite alone: some tests compare the engines.
    // A database that is copied is three hundred files.
    const within = isDurable ? tmpdir() : quickFolder();
    const url = given ?? (hasCluster ? (await startCluster({ isDurable, within }).then(keep)).url : undefined);
    const seeds = mkdtempSync(join(tmpdir(), "cairn-seeds-"));
    const files = mkdtempSync(join(within, "cairn-tests-"));
    chmodSync(files, 0o755);
    folders.push(seeds, files);
    for (const on of engines) {
      const some = chosen.filter((part) => usesServers(part) && isFaults(part) === isDurable && part.engine === on);
      // Without seeds each test runs the commands itself, and tells what is wrong with them.
      if (!given && some.flatMap(({ files }) => files).length >= worthSeeds)
        await makeSeeds(seeds, on, url ?? "").catch(() => undefined);
    }
    return { ...process.env, TMPDIR: files, CAIRN_TEST_SEEDS: seeds, ...(url && { CAIRN_TEST_POSTGRES_URL: url }) };
  }

  try {
    const plans = mkdtempSync(join(tmpdir(), "cairn-plans-"));
    folders.push(plans);
    if (isFull) process.env.CAIRN_TEST_FULL ??= "1";
    process.env.CAIRN_PLANS_FILE = join(plans, "found");
    // Only the fault tests need a PostgreSQL that waits for the disk.
    const [quick, durable] = await Promise.all([prepare(false), chosen.some(isFaults) ? prepare(true) : undefined]);
    if (!args.includes("--full") && chosen.some(isWarm)) {
      const folder = mkdtempSync(join(tmpdir(), "cairn-pool-"));
      folders.push(folder);
      pool = await startWarmPool(folder);
    }
    const warm = pool && { CAIRN_TEST_WARM: pool.socket };
    const notes = args.includes("--note-times");
    const total = await runParts(chosen, {
      // More than there are cores, for much of a test is waiting.
      width: Number(optionOf(args, "width") ?? cpus().length + 1),
      times,
      hasTimes: notes || args.includes("--times"),
      isForgiving: !args.includes("--busy") && !args.includes("--full") && !args.includes("--strict"),
      environmentOf: (part) => ({ ...(isFaults(part) && durable ? durable : quick), ...(isWarm(part) && warm) }),
    });
    await pool?.stop();
    for (const lost of pool?.lost() ?? []) {
      total.failed += 1;
      console.error(`\nFAILED: a process ended while no test used it: ${lost}`);
    }
    countPlans(total, join(plans, "found"));
    if (choice.leftOut.length > 0 && missing.length === 0 && total.passed + total.failed < atLeast) {
      total.failed += 1;
      console.error(`\nFAILED: only ${total.passed + total.failed} tests ran`);
    }
    if (notes) noteTimes(times, total.times);
    await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
    close(total, { ...choice, missing, seconds: Math.round((Date.now() - started) / 1000) });
    return total.failed === 0 ? 0 : 1;
  } finally {
    stopBusy();
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
}

/** Times of files that are gone go as well. */
function noteTimes(known: Times, measured: Times): void {
  const there = [...known, ...measured].filter(([key]) => existsSync(join(root, key.replace(/ .*/, ""))));
  writeTimes(new Map(there));
}

interface Closing {
  leftOut: Part[];
  missing: Missing[];
  seconds: number;
}

/** The last line is that of the results. */
function close(total: Total, { leftOut, missing, seconds }: Closing): void {
  if (leftOut.length > 0) tellLeftOut("they take long", leftOut, "npm run test:all");
  for (const { name, leftOut } of missing)
    if (name === "root") tellLeftOut("they need root", leftOut, "run the tests as root");
    else tellLeftOut(`the package ${name} is missing`, leftOut, `apt-get install ${name}`);
  if (total.unstable.length > 0) console.log(`UNSTABLE, failed once and passed alone: ${total.unstable.join(", ")}`);
  const used = processorTime();
  console.log(`${seconds} s, ${Math.round(used.own + used.started)} s of the processors`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

function tellLeftOut(why: string, parts: Part[], command: string): void {
  const count = parts.reduce((sum, { files }) => sum + files.length, 0);
  console.log(
    `\nLeft out, since ${why}: ${count} ${count === 1 ? "file" : "files"}. To run ${count === 1 ? "it" : "them"}: ${command}`,
  );
  for (const part of parts)
    console.log(`  ${titleOf(part)}: ${part.files.map((file) => basename(file, ".test.ts")).join(", ")}`);
}

/** What servers have found of their own statements (src/storage/engines/sqlite-plan-gate.ts), each once. */
function countPlans(total: Total, file: string): void {
  const found = existsSync(file) ? new Set(readFileSync(file, "utf8").split("\n")) : [];
  for (const plan of found) {
    if (plan === "") continue;
    total.failed += 1;
    const [, key] = /^STO-126 (.*)/s.exec(plan) ?? [];
    console.error(
      key === undefined
        ? `\nFAILED STO-70: a statement on the server's own thread looks through a table that grows\n${plan}`
        : `\nFAILED STO-126: a statement finds objects by their number without their collection\n${key}`,
    );
  }
}

process.exitCode = await main(process.argv.slice(2));
