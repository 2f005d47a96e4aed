// Runs the text of an untrusted module, with a given set of host functions, within limits of time and memory.
// Only texts are passed in and out. Whatever the module does, only its run fails.

import { AsyncLocalStorage } from "node:async_hooks";
import { CairnError } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { type FromThread, limits, type Modules, type SandboxReason, type ToThread } from "./messages.ts";
import { placedAt } from "./place.ts";
import { takeThread } from "./pool.ts";

export class SandboxError extends Error {
  readonly reason: SandboxReason;

  constructor(reason: SandboxReason, message: string) {
    super(message);
    this.name = "SandboxError";
    this.reason = reason;
  }
}

export interface LogLine {
  level: string;
  line: string;
}

/** By dotted name: "objects.get" becomes `ctx.objects.get(...)`. The module can catch a CairnError that it throws. */
export type Host = Record<string, (...args: Json[]) => Promise<Json>>;

export interface ModuleRun {
  /** An ES module: `export default async (ctx) => value`. */
  source: string;
  /** Further modules that it may import, by path. */
  modules?: Modules | undefined;
  /** Seconds. */
  timeLimit: number;
  /** Megabytes. */
  memoryLimit: number;
  /** The plain part of ctx. */
  data: JsonObject;
  host: Host;
  signal?: AbortSignal;
  /** Each line as it is written, also of a run that fails. */
  onLog?(line: LogLine): void;
}

/** Throws SandboxError. */
export async function runModule(run: ModuleRun): Promise<{ result: Json; logs: LogLine[] }> {
  const logs: LogLine[] = [];
  const names = Object.keys(run.host);
  const data = JSON.stringify(run.data);
  const { source, modules = {} } = run;
  const text = await converse(run, { type: "run", source, data, names, modules }, (line) => {
    logs.push(line);
    run.onLog?.(line);
  });
  return { result: JSON.parse(text) as Json, logs };
}

/** The problem of a module's text, or undefined. It is not run. */
export async function checkModule(source: string): Promise<string | undefined> {
  if (!/\bexport\s+default\b|\bas\s+default\b/.test(source)) return "The module has no default export.";
  try {
    const run = { source, timeLimit: 5, memoryLimit: 64, data: {}, host: {} };
    await converse(run, { type: "check", source }, () => {});
    return undefined;
  } catch (error) {
    if (error instanceof SandboxError && error.reason !== "busy") return error.message;
    throw error;
  }
}

type Order = Exclude<ToThread, { type: "answer" }>;

async function converse(run: ModuleRun, order: Order, onLog: (line: LogLine) => void): Promise<string> {
  if (run.signal?.aborted) throw stopped();
  const thread = await takeThread(run.memoryLimit);
  if (!thread) throw new SandboxError("busy", "Too many runs at a time.");
  // The run may have been aborted while it waited for the thread.
  if (run.signal?.aborted) {
    thread.giveBack();
    throw stopped();
  }
  return new Promise<string>((resolve, reject) => {
    const abort = () => settle(() => reject(stopped()), true);
    const timer = setTimeout(() => {
      const error = new SandboxError("timeout", `The handler ran longer than ${run.timeLimit} seconds.`);
      settle(() => reject(error), true);
    }, run.timeLimit * 1_000);
    let isSettled = false;

    function settle(answer: () => void, isBroken: boolean): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      run.signal?.removeEventListener("abort", abort);
      if (isBroken) thread?.end();
      else thread?.giveBack();
      answer();
    }

    async function answerCall(message: FromThread & { type: "call" }): Promise<void> {
      const answer = await callHost(run.host, message.name, message.args);
      if (!isSettled) thread?.send({ type: "answer", call: message.call, text: answer });
    }

    function hear(message: FromThread): void {
      if (message.type === "call") void answerCall(message);
      else if (message.type === "log") onLog({ level: message.level, line: message.line });
      else if (message.type === "result") settle(() => resolve(message.text), false);
      else if (message.type === "error")
        settle(() => reject(new SandboxError(message.reason, placedAt(message.message, run.source))), message.isBroken);
    }

    // Messages of the thread come outside of the request that runs the module. What they ask is done in it.
    thread.listen(AsyncLocalStorage.bind(hear));
    run.signal?.addEventListener("abort", abort, { once: true });
    thread.send(order);
  });
}

/** The answer as text; never throws. */
async function callHost(host: Host, name: string, args: string): Promise<string> {
  try {
    const called = Object.hasOwn(host, name) ? host[name] : undefined;
    if (!called) throw new CairnError("not-found", `There is no function "${name}".`);
    const value = await called(...(parseJson(Buffer.from(args)) as Json[]));
    const text = JSON.stringify({ value: value ?? null });
    if (text.length > limits.text) throw new CairnError("too-large", "The answer is too large for a handler.");
    return text;
  } catch (error) {
    return JSON.stringify({ error: presentError(error) });
  }
}

function presentError(error: unknown): JsonObject {
  const known = error instanceof CairnError ? error : new CairnError("internal");
  return { code: known.status, message: known.message, ...(known.details && { details: known.details }) };
}

function stopped(): SandboxError {
  return new SandboxError("stopped", "The run was stopped.");
}
