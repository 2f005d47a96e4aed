// The host thread as the server sees it: started at the first call, ended when it hangs or dies, and started again with the
// next call. Whatever the code does, only calls of extensions fail, and the log names the extension that did it.

import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, Worker } from "node:worker_threads";
import type { Json, JsonObject } from "#contract/json.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import {
  type Crash,
  cellBytes,
  cells,
  type FromHost,
  type HostedExtension,
  type LoggedLine,
  type Refusal,
  type ToHost,
  type WrittenBody,
} from "./messages.ts";
import { createPortReader, type PortReader } from "./read-port.ts";

/** Without an answer to a ping and after so much work of the processor, or after so long, the thread hangs. */
const hangCpuMs = 5_000;
const hangMs = 30_000;
const pingMs = 1_000;
/** Buffers lie outside of the heap that Node limits: while calls run, all memory of the thread is weighed so often. */
const weighMs = 250;
const fullText = "It used up the memory of all extensions.";
/** Pings without an answer. The server itself may have been held up: its timers then fire before it reads answers. */
const minMissed = 3;
/** How long calls may go on, and `stop` functions may take, when the thread is to end. */
const finishMs = 3_000;
const stopMs = 5_000;

export class HostCrash extends Error {
  readonly crash: Crash;
  readonly isLoading: boolean;
  /** The extension that did it, where it is another one. */
  readonly culprit: string | undefined;

  constructor(
    crash: Crash,
    { isLoading = false, culprit }: { isLoading?: boolean; culprit?: string | undefined } = {},
  ) {
    super(crash.message);
    this.crash = crash;
    this.isLoading = isLoading;
    this.culprit = culprit;
  }
}

export class HostRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The body of an answer of a route: the server sends it without reading it. */
export class Written {
  readonly type: WrittenBody["type"];
  readonly written: WrittenBody["written"];

  constructor({ type, written }: WrittenBody) {
    this.type = type;
    this.written = written;
  }

  text(): string {
    return typeof this.written === "string" ? this.written : Buffer.from(this.written).toString("utf8");
  }
}

/** Of all code that is enabled: a thread runs the code of one generation only. */
export interface Generation {
  /** Later ones are higher. */
  version: number;
  code: string;
}

export interface HostOrder {
  extension: Omit<HostedExtension, "number">;
  kind: string;
  name: string;
  args: readonly unknown[];
  actor: JsonObject;
  requestId: string;
  settings: JsonObject;
  generation: Generation;
  /** Called when the function begins: its time counts from then on. */
  began(): void;
  signal?: AbortSignal | undefined;
  /** What the function asks of the service. */
  answer(acting: "as" | "own", name: string, args: Json[]): Promise<Json>;
}

export interface HostEvents {
  log(id: string, line: LoggedLine): void;
  /** A crash outside of a call. */
  crashed(id: string, crash: Crash): void;
  /** Its code ended the thread. `during`: its calls that were under way. */
  ended(id: string, crash: Crash, during: readonly HostOrder[]): void;
  /** What an extension asks outside of its calls. */
  answer(id: string, name: string, args: Json[]): Promise<Json>;
  memoryLimit(): number;
  /** For a debugger. Meanwhile a thread that stands still is not ended. */
  inspectPort?(): number | undefined;
}

export interface Host {
  call(order: HostOrder): Promise<unknown>;
  /** Ends the thread; calls that wait begin again in the next one. */
  restart(): Promise<void>;
  close(): Promise<void>;
  isRunning(): boolean;
  /** Ends the thread when its code is of another generation. */
  follow(generation: Generation): Promise<void>;
}

interface Pending {
  order: HostOrder;
  /** Messages of the thread come outside of the request. What they ask is done in it. */
  within: ReturnType<typeof AsyncLocalStorage.snapshot>;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Running {
  generation: Generation;
  worker: Worker;
  cell: Int32Array;
  reader: PortReader;
  ready: Promise<void>;
  send(message: ToHost, transfer?: readonly unknown[]): void;
  pending: Map<number, Pending>;
  /** What the thread was sent last of each extension. */
  extensions: Map<number, HostOrder["extension"]>;
  settings: Map<number, JsonObject>;
  /** When it last answered a ping, what it had worked by then, and the pings since. */
  alive: { at: number; cpu: number; missed: number };
  /** It was asked to end: what fails from now on is nobody's fault. */
  isEnding: boolean;
  isLost: boolean;
  /** How often in a row it was too heavy, and whether it is on the scale. */
  weight: { over: number; isAsked: boolean };
  /** All calls have ended, after it was asked to end. */
  finished: PromiseWithResolvers<void>;
  stopped: PromiseWithResolvers<void>;
}

const serverFolder = join(import.meta.dirname, "..", "..");
/** Nothing of the server's environment that could be a secret. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "NODE_ENV",
  "NODE_COMPILE_CACHE",
  "NODE_EXTRA_CA_CERTS",
];

export function createHost(events: HostEvents): Host {
  let running: Running | undefined;
  let restarting: Promise<void> | undefined;
  let calls = 0;
  const numbers = new Map<string, number>();
  const ids = new Map<number, string>();

  function numberOf(id: string): number {
    const known = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, known);
    ids.set(known, id);
    return known;
  }

  function start(generation: Generation): Running {
    const shared = new SharedArrayBuffer(cellBytes);
    const cell = new Int32Array(shared);
    const { port1: port, port2 } = new MessageChannel();
    const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
    const worker = new Worker(new URL("./host-entry.ts", import.meta.url), {
      workerData: { port: port2, shared, serverFolder, inspectPort: events.inspectPort?.() },
      transferList: [port2],
      env,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: events.memoryLimit() },
      stdout: true,
      stderr: true,
    });
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const started: Running = {
      generation,
      worker,
      cell,
      reader: createPortReader(port, cell, (message) => {
        if (message.type === "ready") resolve();
        hear(started, message);
      }),
      ready,
      send: (message, transfer = []) => port.postMessage(message, transfer as never[]),
      pending: new Map(),
      extensions: new Map(),
      settings: new Map(),
      alive: { at: performance.now(), cpu: 0, missed: 0 },
      isEnding: false,
      isLost: false,
      weight: { over: 0, isAsked: false },
      finished: Promise.withResolvers<void>(),
      stopped: Promise.withResolvers<void>(),
    };
    const timers = [
      setInterval(() => void look(started), pingMs).unref(),
      setInterval(() => started.pending.size > 0 && void weigh(started), weighMs).unref(),
    ];
    worker.on("message", () => started.reader.read());
    worker.on("error", (error) => {
      const isFull = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
      lose(started, isFull ? fullText : String(error.message));
    });
    worker.on("exit", () => {
      for (const timer of timers) clearInterval(timer);
      resolve();
      lose(started, "The thread of extensions ended.");
    });
    // What its code prints comes as lines. This is of Node itself.
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    worker.unref();
    return started;
  }

  function hear(host: Running, message: FromHost): void {
    switch (message.type) {
      case "began":
        host.pending.get(message.id)?.order.began();
        break;
      case "result":
        settle(host, message.id)?.resolve(
          message.body ? { ...(message.value as object), body: new Written(message.body) } : message.value,
        );
        break;
      case "refused":
        settle(host, message.id)?.reject(new HostRefusal(message.refusal));
        break;
      case "crashed":
        settle(host, message.id)?.reject(new HostCrash(message.crash, { isLoading: message.isLoading }));
        break;
      case "stray":
        events.crashed(ids.get(message.number) ?? "", message.crash);
        break;
      case "log":
        for (const line of message.lines) events.log(ids.get(message.number) ?? "", line);
        break;
      case "ask":
        void answer(host, message);
        break;
      case "stopped":
        host.stopped.resolve();
        break;
      // Its event loop goes on. Code that never gives way may send anything else.
      case "ready":
      case "pong":
        host.alive.at = performance.now();
        host.alive.missed = 0;
        break;
    }
  }

  function settle(host: Running, id: number): Pending | undefined {
    const pending = host.pending.get(id);
    host.pending.delete(id);
    if (host.pending.size > 0) return pending;
    host.worker.unref();
    if (host.isEnding) host.finished.resolve();
    return pending;
  }

  async function answer(host: Running, message: FromHost & { type: "ask" }): Promise<void> {
    const { id, number, call, acting, name } = message;
    const args = JSON.parse(message.args) as Json[];
    const pending = call === null ? undefined : host.pending.get(call);
    const reply = await replyTo(() => {
      if (pending) return pending.within(() => pending.order.answer(acting, name, args));
      if (acting === "as") return Promise.reject(new HostRefusal({ status: 409, message: "The call has ended." }));
      return events.answer(ids.get(number) ?? "", name, args);
    });
    host.send({ type: "answer", id, ...reply });
  }

  /** Ends a thread that does not answer: its processor time tells a loop from a machine with much else to do. */
  async function look(host: Running): Promise<void> {
    const { alive } = host;
    if (events.inspectPort?.() !== undefined) return;
    host.send({ type: "ping" });
    alive.missed += 1;
    const cpu = await host.worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1_000,
      () => 0,
    );
    const silent = performance.now() - alive.at;
    if (silent < 2 * pingMs) alive.cpu = cpu;
    const isLooping = silent > hangCpuMs && cpu - alive.cpu > 0.8 * hangCpuMs;
    if (host === running && alive.missed > minMissed && (isLooping || silent > hangMs)) {
      lose(host, "It did not give way for 5 seconds.");
      await host.worker.terminate();
    }
  }

  /** Twice in a row: what is over may be garbage that is about to go. Far too much ends it at once. */
  async function weigh(host: Running): Promise<void> {
    const { weight } = host;
    if (weight.isAsked) return;
    weight.isAsked = true;
    const limit = events.memoryLimit() * 1024 * 1024;
    const size = await host.worker.getHeapStatistics().then(
      (memory) => memory.used_heap_size + memory.external_memory,
      () => 0,
    );
    weight.isAsked = false;
    weight.over = size > limit ? weight.over + 1 : 0;
    if (host !== running || (weight.over < 2 && size < 2 * limit)) return;
    lose(host, fullText);
    await host.worker.terminate();
  }

  function lose(host: Running, message: string): void {
    if (running === host) running = undefined;
    if (host.isLost) return;
    host.isLost = true;
    host.reader.readLast();
    const culprit = ids.get(Atomics.load(host.cell, cells.running));
    const lost = [...host.pending.values()];
    host.pending.clear();
    host.stopped.resolve();
    const crash = { message, stack: "" };
    const during = lost.map(({ order }) => order).filter(({ extension }) => extension.id === culprit);
    if (culprit !== undefined && !host.isEnding) events.ended(culprit, crash, during);
    for (const { reject } of lost) reject(new HostCrash(crash, { culprit: culprit ?? "" }));
  }

  /** A thread with the code of this generation, or of a later one. */
  async function readyFor(generation: Generation): Promise<Running> {
    for (;;) {
      await follow(generation);
      // The thread is of all calls, and belongs to no request.
      running ??= unclaimed(() => start(generation));
      const host = running;
      await host.ready;
      if (running === host) return host;
      // Other code came while it started.
      if (!host.isEnding) throw new HostCrash({ message: "The thread of extensions could not start.", stack: "" });
    }
  }

  async function follow(generation: Generation): Promise<void> {
    await restarting;
    if (!running) return;
    if (running.generation.code === generation.code) running.generation = latest(running.generation, generation);
    else if (running.generation.version <= generation.version) await restart();
  }

  async function call(order: HostOrder): Promise<unknown> {
    const host = await readyFor(order.generation);
    calls += 1;
    const id = calls;
    const number = numberOf(order.extension.id);
    const { kind, name, args, actor, requestId, signal } = order;
    return new Promise((resolve, reject) => {
      const end = () => signal?.removeEventListener("abort", abort);
      const abort = () => {
        host.send({ type: "abort", id });
        settle(host, id);
        reject(signal?.reason as Error);
      };
      host.pending.set(id, {
        order,
        within: AsyncLocalStorage.snapshot(),
        resolve(value) {
          end();
          resolve(value);
        },
        reject(error) {
          end();
          reject(error);
        },
      });
      host.worker.ref();
      try {
        if (host.extensions.get(number) !== order.extension) {
          host.extensions.set(number, order.extension);
          host.send({ type: "extension", extension: { ...order.extension, number } });
        }
        if (host.settings.get(number) !== order.settings) {
          host.settings.set(number, order.settings);
          host.send({ type: "settings", number, values: order.settings });
        }
        const streams = args.flatMap((arg) => {
          const body = typeof arg === "object" && arg !== null && "body" in arg ? arg.body : undefined;
          return body instanceof ReadableStream ? [body] : [];
        });
        host.send({ type: "call", id, number, kind, name, args, actor, requestId }, streams);
      } catch (error) {
        settle(host, id);
        reject(error as Error);
        return;
      }
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  async function end(host: Running): Promise<void> {
    host.isEnding = true;
    if (running === host) running = undefined;
    if (host.pending.size > 0) await Promise.race([host.finished.promise, sleep(finishMs, undefined, { ref: false })]);
    host.send({ type: "stop" });
    await Promise.race([host.stopped.promise, sleep(stopMs, undefined, { ref: false })]);
    await host.worker.terminate();
  }

  async function restart(): Promise<void> {
    const host = running;
    if (!host) return restarting;
    restarting = end(host).finally(() => {
      restarting = undefined;
    });
    await restarting;
  }

  return {
    call,
    restart,
    isRunning: () => running !== undefined,
    follow,
    async close() {
      await restarting;
      if (running) await end(running);
    },
  };
}

function latest(a: Generation, b: Generation): Generation {
  return a.version < b.version ? b : a;
}

/** What a call of the facade is answered with; never throws. */
export async function replyTo(ask: () => Promise<Json>): Promise<{ value?: Json; refusal?: Refusal }> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (error instanceof HostRefusal) return { refusal: error.refusal };
    const { status, message, details } = error as Error & Partial<Refusal>;
    // Only errors of the service carry a status; all others stay inside.
    if (typeof status === "number") return { refusal: { status, message, details } };
    return { refusal: { status: 500, message: "Something went wrong on the server." } };
  }
}
