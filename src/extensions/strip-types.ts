// TypeScript as browsers take it: with the types taken out. That takes milliseconds for each thousand characters, so it is
// done in a thread, which ends when there is nothing more to do.

import { Worker } from "node:worker_threads";

export interface Stripped {
  code?: string;
  /** Why there is no code. */
  problem?: string;
}

const idleMs = 10_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let count = 0;
const waiting = new Map<number, (stripped: Stripped) => void>();

export function stripTypes(text: string): Promise<Stripped> {
  worker ??= start();
  worker.ref();
  clearTimeout(idle);
  count += 1;
  const id = count;
  const done = new Promise<Stripped>((resolve) => waiting.set(id, resolve));
  worker.postMessage({ id, text });
  return done;
}

function start(): Worker {
  const started = new Worker(new URL("./strip-types-thread.ts", import.meta.url), {
    // The function is marked as experimental, and would say so.
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  started.on("message", ({ id, ...stripped }: Stripped & { id: number }) => settle(id, stripped));
  started.on("error", () => end(started));
  started.on("exit", () => end(started));
  return started;
}

function settle(id: number, stripped: Stripped): void {
  waiting.get(id)?.(stripped);
  waiting.delete(id);
  if (waiting.size > 0) return;
  worker?.unref();
  idle = setTimeout(() => void worker?.terminate(), idleMs).unref();
}

function end(ended: Worker): void {
  if (worker !== ended) return;
  worker = undefined;
  for (const id of [...waiting.keys()]) settle(id, { problem: "it could not be translated" });
}
