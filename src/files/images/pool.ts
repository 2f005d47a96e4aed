// A small pool of image processes: started when there is work, ended when there is none, replaced when one dies.
// A job has a limit of time and memory; the queue in front of them is bounded. Failures that are not the image's fault, such
// as a busy machine, are never reported as one. It never touches an image itself.

import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { CairnError } from "#base/errors.ts";
import type { Answer, Job, Outcome } from "./jobs.ts";
import type { PoolLimits } from "./limits.ts";

const watchMs = 200;
/** The kernel counts processor time in hundredths of a second. */
const processorTickMs = 10;
const leastLookMs = 50;
const retrySeconds = 2;
const maxSaid = 2_000;

interface Waiting {
  job: Job;
  resolve(outcome: Outcome): void;
  reject(error: Error): void;
  /** Its process was killed before it had an answer. */
  isAgain?: boolean;
}

interface Child {
  process: ChildProcess;
  /** It has loaded its libraries; an earlier end is not the image's fault. */
  isReady: boolean;
  running?: Waiting | undefined;
  timer?: NodeJS.Timeout | undefined;
  /** Why it was ended in the middle of a job. */
  verdict?: CairnError;
  /** Its job has not been sent yet. */
  isDeaf?: boolean;
  /** The last part of its error stream. */
  said: string;
}

export interface Pool {
  run(job: Job): Promise<Outcome>;
  close(): Promise<void>;
}

export function createPool({ size, limits, log }: { size: number; limits: PoolLimits; log: Logger }): Pool {
  const children = new Set<Child>();
  /** Uploads go first: a caller that requests many images must not block uploads. */
  const arriving: Waiting[] = [];
  const asked: Waiting[] = [];
  const queueOf = ({ kind }: Job) => (kind === "make" ? asked : arriving);
  let isClosed = false;
  let watch: NodeJS.Timeout | undefined;

  function start(): Child {
    const process = fork(join(import.meta.dirname, "worker.ts"), [], {
      execArgv: ["--max-old-space-size=256", "--disable-warning=ExperimentalWarning"],
      env: childEnvironment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const child: Child = { process, isReady: false, said: "" };
    children.add(child);
    process.on("message", (answer: Answer) => receive(child, answer));
    process.on("error", (error) => {
      log.error({ err: error }, "an image process failed");
      // One that could not be started never exits.
      if (process.pid === undefined) bury(child, error.message);
    });
    process.on("exit", (code, signal) => bury(child, signal ?? code));
    process.stderr?.on("data", (text) => {
      child.said = (child.said + text).slice(-maxSaid);
    });
    return child;
  }

  /** Gives waiting jobs to free processes. */
  function pump(): void {
    while (arriving.length + asked.length > 0) {
      const isRoom = [...children].some(isFree) || children.size < size;
      const next = isRoom ? (takeNext(arriving) ?? takeNext(asked)) : undefined;
      if (!next) break;
      give([...children].find(isFree) ?? start(), next);
    }
  }

  /** Drawings may take any time: one process never takes them, where there are two. */
  function takeNext(queue: Waiting[]): Waiting | undefined {
    const drawn = [...children].filter(({ running }) => running?.job.isDrawing).length;
    const at = drawn < Math.max(1, size - 1) ? 0 : queue.findIndex(({ job }) => !job.isDrawing);
    return at < 0 ? undefined : queue.splice(at, 1)[0];
  }

  function give(child: Child, next: Waiting): void {
    child.running = next;
    time(child, next.job);
    keepAlive(child, true);
    watch ??= setInterval(checkMemory, watchMs).unref();
    child.process.send(next.job, (error) => {
      if (!error || child.running !== next) return;
      child.isDeaf = true;
      end(child);
    });
  }

  /**
   * A job's time begins when its process is ready, and is over when the clock and the processor have both measured it: on a
   * busy machine the clock alone says nothing about an image.
   */
  function time(child: Child, { kind, isDrawing }: Job): void {
    clearTimeout(child.timer);
    if (!child.isReady) {
      child.timer = setTimeout(() => end(child, tooBusy()), limits.startMs);
      return;
    }
    const drawingMs = kind === "make" ? limits.drawingMs : limits.newDrawingMs;
    const ms = isDrawing ? drawingMs : limits.jobMs;
    const begun = performance.now();
    const usedBefore = processorMs(child.process.pid);
    const look = () => {
      const passed = performance.now() - begun;
      const used = processorMs(child.process.pid) - usedBefore;
      // Where the system does not report processor time, the clock decides.
      const left = Number.isNaN(used) ? 0 : ms - used;
      if (left <= 0) end(child, invalid("The image takes too long to process."));
      else if (passed >= limits.clockMs) end(child, tooBusy());
      else child.timer = setTimeout(look, Math.max(leastLookMs, Math.min(left, limits.clockMs - passed)));
    };
    child.timer = setTimeout(look, Math.min(ms, limits.clockMs));
  }

  function receive(child: Child, answer: Answer): void {
    const { running } = child;
    if (answer.kind === "ready") {
      child.isReady = true;
      if (running) time(child, running.job);
      return;
    }
    if (!running) return;
    settle(child);
    if (answer.kind === "drawing") {
      waitAmongDrawings(running);
      rest(child);
      pump();
      return;
    }
    if (answer.kind === "done") running.resolve(answer.outcome);
    else running.reject(fromAnswer(answer));
    if (answer.isSpent || answer.rss > limits.keepBytes) end(child);
    else rest(child);
    pump();
  }

  function rest(child: Child): void {
    child.timer = setTimeout(() => end(child), limits.idleMs).unref();
    keepAlive(child, false);
  }

  function waitAmongDrawings(waiting: Waiting): void {
    const queue = queueOf(waiting.job);
    const drawings = queue.filter(({ job }) => job.isDrawing).length;
    if (isClosed || drawings >= limits.waitingDrawings) waiting.reject(tooMany());
    else queue.splice(drawings, 0, { ...waiting, job: { ...waiting.job, isDrawing: true } });
  }

  function fromAnswer(answer: Extract<Answer, { kind: "failed" }>): Error {
    if (answer.word === "internal") return new Error(`image job failed: ${answer.cause}`);
    log.debug({ cause: answer.cause }, "an image was refused");
    return new CairnError(answer.word, answer.message);
  }

  function settle(child: Child): void {
    clearTimeout(child.timer);
    child.running = undefined;
    if (![...children].some(({ running }) => running)) {
      clearInterval(watch);
      watch = undefined;
    }
  }

  /** A free one just ends; the job of a busy one fails with the verdict. */
  function end(child: Child, verdict?: CairnError): void {
    if (verdict) child.verdict = verdict;
    else children.delete(child);
    child.process.kill("SIGKILL");
  }

  function bury(child: Child, reason: string | number | null): void {
    children.delete(child);
    const { running, said } = child;
    settle(child);
    if (running) {
      log.warn({ reason, verdict: child.verdict?.message, said }, "an image process ended in the middle of a job");
      if (isKilled(child, reason) && !running.isAgain && !isClosed)
        queueOf(running.job).unshift({ ...running, isAgain: true });
      else if (child.verdict) running.reject(child.verdict);
      else if (child.isReady) running.reject(invalid("The image cannot be read."));
      else running.reject(new Error(`an image process did not start: ${reason} ${said}`));
    }
    pump();
  }

  /** Killed from outside, such as by the kernel when memory is short: the image hardly matters. */
  function isKilled({ verdict, isDeaf }: Child, reason: string | number | null): boolean {
    return verdict === undefined && (isDeaf === true || reason === "SIGKILL");
  }

  async function checkMemory(): Promise<void> {
    for (const child of children) {
      if (child.running && (await residentBytes(child.process.pid)) > limits.killBytes) {
        end(child, invalid("The image takes too much memory to process."));
      }
    }
  }

  return {
    run(job) {
      return new Promise((resolve, reject) => {
        if (isClosed || queueOf(job).length >= limits.waiting) {
          reject(tooMany());
          return;
        }
        queueOf(job).push({ job, resolve, reject });
        pump();
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of [...arriving.splice(0), ...asked.splice(0)]) reject(new CairnError("unavailable"));
      const gone = [...children].map(({ process }) => new Promise((resolve) => process.once("exit", resolve)));
      for (const child of children) {
        child.process.ref();
        end(child, new CairnError("unavailable"));
      }
      await Promise.all(gone);
    },
  };
}

function invalid(message: string): CairnError {
  return new CairnError("invalid", message);
}

function tooMany(): CairnError {
  return unavailable("Too many images are being processed. Try again soon.");
}

function tooBusy(): CairnError {
  return unavailable("The machine is too busy to process the image. Try again soon.");
}

function unavailable(message: string): CairnError {
  const error = new CairnError("unavailable", message);
  error.retryAfter = retrySeconds;
  return error;
}

function isFree(child: Child): boolean {
  return !child.running && child.process.connected;
}

/** An idle process must not keep the server or a command from ending; a working one must. */
function keepAlive({ process }: Child, isNeeded: boolean): void {
  const stderr = process.stderr as (Readable & { ref(): void; unref(): void }) | null;
  for (const handle of [process, process.channel, stderr]) {
    if (isNeeded) handle?.ref();
    else handle?.unref();
  }
}

/** Only the environment that fonts and a quick start need: a hostile file finds no secrets. */
function childEnvironment(): NodeJS.ProcessEnv {
  const fonts = ["PATH", "HOME", "XDG_CACHE_HOME", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH"];
  const kept = [...fonts, "NODE_COMPILE_CACHE"];
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    // Freed pixels go back to the system instead of staying in one pool a thread.
    MALLOC_ARENA_MAX: "2",
  };
}

/** Processor time of the process; NaN where the system does not report it. */
function processorMs(pid: number | undefined): number {
  try {
    // The name of the program may contain anything but ends with the last bracket; then come the state and numbers.
    const [, ...fields] = /.*\) (.+)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]?.split(" ") ?? [];
    return (Number(fields[10]) + Number(fields[11])) * processorTickMs;
  } catch {
    return Number.NaN;
  }
}

/** 0 where the system does not report it. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
}
