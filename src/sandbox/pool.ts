// Threads for the sandbox: created on demand, kept for a minute, with a limit. A thread that was ended in
// the middle of a run, or whose machine broke, is not reused.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { FromThread, ThreadData, ToThread } from "./messages.ts";

const maxThreads = 8;
const maxWaiting = 256;
const idleMs = 60_000;
/** A thread is replaced after this number of runs, so that leaks do not add up. */
const maxRuns = 200;

export interface Thread {
  send(message: ToThread): void;
  /** Its messages from now on; the end of the thread is an "error" too. */
  listen(listener: (message: FromThread) => void): void;
  /** It has sent "result" or an "error" that is not broken, and can be reused. */
  giveBack(): void;
  end(): void;
}

interface Member {
  worker: Worker;
  maxPages: number;
  runs: number;
  ready: Promise<void>;
  isIdle: boolean;
  timer?: NodeJS.Timeout;
  listener?: ((message: FromThread) => void) | undefined;
}

/** Only where Node caches compiled files; otherwise each start takes twice as long. */
const { NODE_COMPILE_CACHE } = process.env;
const threadEnv = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
const members = new Set<Member>();
const waiting: (() => void)[] = [];
let wasm: Promise<WebAssembly.Module> | undefined;

/** Undefined when too many are waiting. */
export async function takeThread(memoryLimit: number): Promise<Thread | undefined> {
  const maxPages = Math.max(32, Math.min(65_536, Math.floor(memoryLimit * 16)));
  wasm ??= compile();
  const module = await wasm;
  for (;;) {
    const free = [...members].find((member) => member.isIdle && member.maxPages === maxPages);
    if (free) return use(free);
    if (members.size >= maxThreads) [...members].find((member) => member.isIdle)?.worker.terminate();
    if (members.size < maxThreads) {
      const member = spawn({ wasm: module, maxPages });
      await member.ready;
      return use(member);
    }
    if (waiting.length >= maxWaiting) return undefined;
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm");
  return WebAssembly.compile(await readFile(file));
}

function spawn(data: ThreadData): Member {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: data,
    env: threadEnv,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const member: Member = { worker, maxPages: data.maxPages, runs: 0, ready, isIdle: false };
  members.add(member);
  worker.on("message", (message: FromThread) => {
    if (message.type === "ready") resolve();
    else member.listener?.(message);
  });
  const lost = () => {
    members.delete(member);
    clearTimeout(member.timer);
    reject(new Error("the sandbox's thread could not start"));
    member.listener?.({ type: "error", reason: "memory", message: "The handler ran out of memory.", isBroken: true });
    waiting.shift()?.();
  };
  worker.on("error", lost);
  worker.on("exit", lost);
  return member;
}

function use(member: Member): Thread {
  const { worker } = member;
  member.isIdle = false;
  member.runs += 1;
  clearTimeout(member.timer);
  worker.ref();
  return {
    send: (message) => worker.postMessage(message),
    listen(listener) {
      member.listener = listener;
    },
    giveBack() {
      member.listener = undefined;
      if (member.runs >= maxRuns) return void worker.terminate();
      member.isIdle = true;
      worker.unref();
      member.timer = setTimeout(() => worker.terminate(), idleMs).unref();
      waiting.shift()?.();
    },
    end() {
      member.listener = undefined;
      void worker.terminate();
    },
  };
}
