// Processes under measurement, and what /proc says about them.

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** As bin/cairn sets them. */
const nodeFlags = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=16",
  "--no-allocation-site-pretenuring",
];
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** As operators start it: with all that the launcher sets. */
export const launcher = "bin/cairn";

function commandOf(script: string, args: string[]): [string, string[]] {
  const path = resolve(root, script);
  return script === launcher ? [path, args] : [process.execPath, [...nodeFlags, path, ...args]];
}

/** Starts a script and waits for the line that says where it listens. */
export function start(script: string, args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(...commandOf(script, args), {
    cwd: root,
    env: { ...cleanEnv(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  return new Promise((done, failed) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const url = /ready at (http\S+)/.exec(output)?.[1];
      if (!url) return;
      done({
        url,
        pid: child.pid as number,
        async stop() {
          child.kill("SIGTERM");
          await exited;
          children.delete(child);
        },
      });
    });
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`${script} ended with code ${code}: ${output}`)));
  });
}

/** Runs a script to its end; resolves to what it printed. */
export function finish(script: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(...commandOf(script, args), {
    cwd: root,
    env: { ...cleanEnv(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done, failed) => {
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.once("error", failed);
    child.once("close", (code) =>
      code === 0 ? done(output) : failed(new Error(`${script} ended with code ${code}: ${output}`)),
    );
  });
}

/** Seconds of processor time that the process has used so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Microseconds of processor time that each thread of these processes has used so far. One that ends takes its time along. */
export function cpuTimes(pids: readonly number[]): Map<string, number> {
  const threads = pids.flatMap((pid) =>
    (unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? []).map((task) => `/proc/${pid}/task/${task}/schedstat`),
  );
  return new Map(threads.map((file) => [file, cpuTime(file)]));
}

function cpuTime(file: string): number {
  const text = unlessEnded(() => readFileSync(file, "utf8"));
  return Number(text?.split(" ")[0] ?? 0) / 1_000;
}

function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** What they used from one moment to another. */
export function cpuBetween(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  return [...after].reduce((sum, [thread, time]) => sum + Math.max(0, time - (before.get(thread) ?? 0)), 0);
}

/** Resident memory in megabytes, now or at its highest. */
export function memory(pid: number, which: "VmRSS" | "VmHWM"): number {
  const found = new RegExp(`^${which}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) / 1024;
}

/** As bin/cairn sets them, and floors have the same. The load comes from one address. */
const launched = {
  NODE_COMPILE_CACHE: resolve(root, "node_modules", ".cache", "cairn"),
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "1048576",
  MALLOC_TRIM_THRESHOLD_: "16777216",
  CAIRN_SITE_RENDER_LIMIT: "0",
};

function cleanEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(CAIRN_|PORT$)/.test(name),
  );
  return { ...launched, ...(Object.fromEntries(entries) as Record<string, string>) };
}
