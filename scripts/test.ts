// `npm test`: every test, on both databases where the database can matter, with one closing line `N passed, N failed`.
//   node scripts/test.ts [unit|storage|http|oauth|mcp|automations|sync|cli|extensions|admin|faults|scale|registry ...] [--engine=sqlite|postgres] [--full] [--times] [--busy] [--strict] [--width=N] [file ...]
// Files that no engine can change (`one-engine.ts`) run on one, unless they are named or --full is given. CAIRN_TEST_SOAK=1
// repeats kills and races more often. --busy keeps every core busy with something else: no test may fail because of that.
// A file in which a test failed runs once more, alone: what passes then is named as unstable in the closing lines, and counts as
// passed. With --strict, --busy or --full it counts as failed. A skipped test counts as failed, and so does a part in which
// suspiciously few tests ran. --times adds how long each file took, and what it used.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Engine, makeSeeds } from "../tests/harness.ts";
import { buildAdmin } from "./build-admin.ts";
import { ensureChromium, ensureFonts } from "./debian.ts";
import { oneEngine } from "./one-engine.ts";
import { type Cluster, startCluster } from "./postgres.ts";
import { processorTime } from "./processor-time.ts";
import { isFaults, type Part, root, runParts, usesBrowser, usesServers } from "./test-jobs.ts";
import { startWarmPool, type WarmPool } from "./warm-pool.ts";

const engines: Engine[] = ["sqlite", "postgres"];
const find = (pattern: string) => globSync(pattern, { cwd: root }).sort();
/** `x.sqlite.test.ts` and `x.postgres.test.ts` are for that engine alone. */
const isFor = (engine: Engine) => (file: string) =>
  engines.every((e) => e === engine || !file.endsWith(`.${e}.test.ts`));

const storageSuites = find("src/storage/storage.*.test.ts");

const parts: Part[] = [
  {
    name: "unit",
    files: find("{src,scripts,admin/src,client/src}/**/*.test.ts").filter((file) => !storageSuites.includes(file)),
    atLeast: 300,
  },
  ...engines.map((engine) => ({
    name: "storage",
    engine,
    files: storageSuites.filter(isFor(engine)),
    atLeast: 50,
  })),
  ...["http", "oauth", "mcp", "automations", "sync", "cli", "extensions", "faults"].flatMap((name) =>
    engines.map((engine) => ({
      name,
      engine,
      files: find(`tests/${name}/**/*.test.ts`).filter(isFor(engine)),
      atLeast: name === "http" ? 200 : name === "extensions" ? 1 : 5,
    })),
  ),
  // In a browser, where the engine cannot be seen; that pages open at all is tried on both.
  { name: "admin", engine: "sqlite", files: find("tests/admin/**/*.test.ts"), atLeast: 1 },
  { name: "admin", engine: "postgres", files: ["tests/admin/smoke.test.ts"], atLeast: 1 },
  { name: "scale", engine: "sqlite", files: find("tests/scale/**/*.test.ts"), atLeast: 10 },
];

/** They fetch packages from the registry, and run only where they are named. */
const onRequest: Part[] = [
  { name: "registry", engine: "sqlite", files: find("tests/registry/**/*.test.ts"), atLeast: 2 },
];

/** Files whose servers and commands run in processes that others have used; what a new process adds is tried by the others. */
const isWarm = (part: Part) => usesServers(part) && part.name !== "scale";

const roomNeeded = 6_000_000_000;
/** So many files make up for the making of seeds. */
const worthSeeds = 5;

/** In memory, where there is room: most tests learn nothing from a disk that they wait for. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > roomNeeded ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Without the files that run on the other engine. */
function withoutOthers(part: Part): Part {
  const isHere = (file: string) => (oneEngine.get(file) ?? part.engine) === part.engine;
  const atLeast = part.engine === "postgres" ? Math.min(part.atLeast, 100) : part.atLeast;
  return { ...part, files: part.files.filter(isHere), atLeast };
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

async function main(args: string[]): Promise<number> {
  const started = Date.now();
  const engine = optionOf(args, "engine");
  const words = args.filter((arg) => !arg.startsWith("--"));
  const known = [...parts, ...onRequest];
  const names = new Set(known.map((part) => part.name));
  const files = words.filter((word) => !names.has(word)).map((file) => relative(root, resolve(file)));
  const asked = words.filter((word) => names.has(word));
  const lost = [...oneEngine.keys()].filter((file) => !existsSync(join(root, file)));
  if (lost.length > 0) throw new Error(`one-engine.ts names files that are not there: ${lost.join(", ")}`);
  const isFull = args.includes("--full") || files.length > 0;

  const chosen = (asked.length + files.length === 0 ? parts : known)
    .filter((part) => asked.length === 0 || asked.includes(part.name))
    .filter((part) => !engine || !part.engine || part.engine === engine)
    .map((part) => (isFull || part.engine === undefined ? part : withoutOthers(part)))
    .map((part) =>
      files.length ? { ...part, files: part.files.filter((file) => files.includes(file)), atLeast: 0 } : part,
    )
    .filter((part) => part.files.length > 0 || part.atLeast > 0);
  if (chosen.length === 0) {
    console.error("No test file matches.");
    return 2;
  }

  ensureFonts();
  if (chosen.some(usesBrowser)) {
    ensureChromium();
    await buildAdmin();
  }
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
    // Always there, even for a run on SQLite alone: some tests compare the engines.
    // A database that is copied is three hundred files.
    const within = isDurable ? tmpdir() : quickFolder();
    const cluster = given ? { url: given } : await startCluster({ isDurable, within }).then(keep);
    const seeds = mkdtempSync(join(tmpdir(), "cairn-seeds-"));
    const files = mkdtempSync(join(within, "cairn-tests-"));
    chmodSync(files, 0o755);
    folders.push(seeds, files);
    for (const on of engines) {
      const some = chosen.filter((part) => usesServers(part) && isFaults(part) === isDurable && part.engine === on);
      // Without seeds each test runs the commands itself, and tells what is wrong with them.
      if (!given && some.flatMap(({ files }) => files).length >= worthSeeds)
        await makeSeeds(seeds, on, cluster.url).catch(() => undefined);
    }
    return { ...process.env, TMPDIR: files, CAIRN_TEST_SEEDS: seeds, CAIRN_TEST_POSTGRES_URL: cluster.url };
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
    const total = await runParts(chosen, {
      // More than there are cores, for much of a test is waiting.
      width: Number(optionOf(args, "width") ?? cpus().length + 1),
      hasTimes: args.includes("--times"),
      isForgiving: !args.includes("--busy") && !args.includes("--full") && !args.includes("--strict"),
      environmentOf: (part) => ({ ...(isFaults(part) && durable ? durable : quick), ...(isWarm(part) && warm) }),
    });
    await pool?.stop();
    for (const lost of pool?.lost() ?? []) {
      total.failed += 1;
      console.error(`\nFAILED: a process ended while no test used it: ${lost}`);
    }
    for (const plan of longPlans(join(plans, "found"))) {
      total.failed += 1;
      const [, key] = /^STO-126 (.*)/s.exec(plan) ?? [];
      console.error(
        key === undefined
          ? `\nFAILED STO-70: a statement on the server's own thread looks through a table that grows\n${plan}`
          : `\nFAILED STO-126: a statement finds objects by their number without their collection\n${key}`,
      );
    }
    await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
    if (total.unstable.length > 0) console.log(`UNSTABLE, failed once and passed alone: ${total.unstable.join(", ")}`);
    const used = processorTime();
    const seconds = Math.round(used.own + used.started);
    console.log(`${Math.round((Date.now() - started) / 1000)} s, ${seconds} s of the processors`);
    console.log(`${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 ? 0 : 1;
  } finally {
    stopBusy();
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
}

/** What servers have found of their own statements (src/storage/engines/sqlite-plan-gate.ts), each once. */
function longPlans(file: string): string[] {
  return existsSync(file) ? [...new Set(readFileSync(file, "utf8").split("\n"))].filter((plan) => plan !== "") : [];
}

process.exitCode = await main(process.argv.slice(2));
