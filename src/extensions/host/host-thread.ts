// The host: one thread in which the code of all `node` extensions runs. It loads an extension when it is first called, runs
// its functions, and sends what they ask of the service to the server. It imports nothing of the server but the facade and
// its messages, so that it starts quickly.

import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import workers, { type MessagePort } from "node:worker_threads";
import type { Json, JsonObject } from "#contract/json.ts";
import { createFacade, ExtensionRefusal, type Functions, type Running } from "./facade.ts";
import { guardImports } from "./guard-imports.ts";
import { createLogLines } from "./log-lines.ts";
import {
  type Crash,
  cells,
  type FromHost,
  type HostedExtension,
  hostLimits,
  type ToHost,
  type WrittenBody,
} from "./messages.ts";
import { createQuestions } from "./questions.ts";

const bell = workers.parentPort as MessagePort;
const { port, shared, serverFolder, inspectPort } = workers.workerData as {
  port: MessagePort;
  shared: SharedArrayBuffer;
  serverFolder: string;
  inspectPort: number | undefined;
};
const cell = new Int32Array(shared);
/** The call that the present code belongs to, however many steps later. */
const running = new AsyncLocalStorage<{ number: number; call: number | null }>();
const loaded = new Map<number, Promise<Functions>>();
const stops = new Map<number, () => unknown>();
const extensions = new Map<number, HostedExtension>();
const settings = new Map<number, JsonObject>();
const calls = new Map<number, AbortController>();
const logLines = createLogLines((number, lines) => send({ type: "log", number, lines }));
const questions = createQuestions((number) => Atomics.store(cell, cells.running, number));

/** The server reads in its own time: it is called once, not with each message. */
function send(message: FromHost, transfer: readonly unknown[] = []): void {
  port.postMessage(message, transfer as ArrayBuffer[]);
  if (Atomics.exchange(cell, cells.awake, 1) === 0) bell.postMessage(null);
}

/** Notes whose code runs now: should the thread hang, the server reads here who did it. */
function enter<T>(number: number, call: number | null, run: () => T): T {
  Atomics.store(cell, cells.running, number);
  return running.run({ number, call }, run);
}

function ask(number: number, acting: "as" | "own", call: number | null, name: string, args: Json[]): Promise<Json> {
  return questions.ask(number, args, (id, text) => send({ type: "ask", id, number, call, acting, name, args: text }));
}

function load(extension: HostedExtension): Promise<Functions> {
  const known = loaded.get(extension.number);
  if (known !== undefined) return known;
  const loading = register(extension);
  loaded.set(extension.number, loading);
  // Tried again with the next call.
  loading.catch(() => loaded.delete(extension.number));
  return loading;
}

async function register(extension: HostedExtension): Promise<Functions> {
  const { number } = extension;
  const module = (await import(pathToFileURL(extension.entrypoint).href)) as Record<string, unknown>;
  if (typeof module.register !== "function") throw new Error("It exports no function register(cairn).");
  const facade = createFacade(extension, {
    // What it does as itself belongs to the call under way, whose chain of causes goes on.
    ask: (acting, call, name, args) => ask(number, acting, call ?? running.getStore()?.call ?? null, name, args),
    settings: () => settings.get(number) ?? {},
    dataFolder: () => makeDataFolder(extension),
    log: (level, text, data) => logLines.note(number, { level, text, data }),
  });
  await module.register(facade.cairn);
  facade.close();
  const supplied = [...facade.functions.keys()];
  const missing = extension.functions.filter((name) => !facade.functions.has(name));
  const unknown = supplied.filter((name) => !extension.functions.includes(name));
  if (missing.length > 0) throw new Error(`It supplies no function for ${missing.join(", ")}.`);
  if (unknown.length > 0)
    throw new Error(`It supplies functions that its manifest does not name: ${unknown.join(", ")}.`);
  if (typeof module.stop === "function") stops.set(number, module.stop as () => unknown);
  return facade.functions;
}

/** Its owner's alone. It may have been purged since. */
function makeDataFolder({ dataFolder }: HostedExtension): string | null {
  if (dataFolder !== null) mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return dataFolder;
}

async function run(message: ToHost & { type: "call" }): Promise<void> {
  const { id, number, kind, name, args, actor, requestId } = message;
  let isLoading = true;
  try {
    const extension = extensions.get(number) as HostedExtension;
    const functions = await enter(number, null, () => load(extension));
    isLoading = false;
    send({ type: "began", id });
    const found = functions.get(`${kind}:${name}`);
    if (!found) throw new Error(`There is no function for ${kind}:${name}.`);
    const controller = new AbortController();
    calls.set(id, controller);
    const about: Running = {
      actor,
      requestId,
      signal: controller.signal,
      ask: (what, asking) => ask(number, "as", id, what, asking),
    };
    const value = await enter(number, id, async () => found(about, args));
    sendResult(id, kind, value);
  } catch (error) {
    if (error instanceof ExtensionRefusal) send({ type: "refused", id, refusal: error.refusal });
    else send({ type: "crashed", id, crash: crashOf(error), isLoading });
  } finally {
    calls.delete(id);
  }
}

function sendResult(id: number, kind: string, value: unknown): void {
  const isAnswer = kind === "routes" || kind === "siteRoutes";
  const body = isAnswer && typeof value === "object" && value !== null && "body" in value ? value.body : undefined;
  if (body instanceof ReadableStream) {
    clone({ type: "result", id, value }, [body]);
    return;
  }
  const written = writtenOf(body);
  if (!written) {
    limit(JSON.stringify(value) ?? "", hostLimits.text);
    clone({ type: "result", id, value });
    return;
  }
  const transfer = written.written instanceof Uint8Array ? [written.written.buffer] : [];
  clone({ type: "result", id, value: { ...(value as object), body: null }, body: written }, transfer);
}

/** The server would otherwise make the text, while others wait. */
function writtenOf(body: unknown): WrittenBody | undefined {
  if (body instanceof Uint8Array) {
    limit(body, hostLimits.body);
    return { type: "bytes", written: new Uint8Array(body) };
  }
  if (typeof body !== "string" && (typeof body !== "object" || body === null)) return undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body, refuseCode);
  limit(text, hostLimits.body);
  const written = text.length > handedOver ? encoder.encode(text) : text;
  return { type: typeof body === "string" ? "text" : "json", written };
}

/** Characters of a body from which on it is handed over as bytes. */
const handedOver = 8_000;
const encoder = new TextEncoder();

function limit({ length }: { length: number }, max: number): void {
  if (length > max)
    throw new Error(`What it returned is longer than ${max / 1e6} million characters. A route may answer a stream.`);
}

const wrongKind = "What it returned is neither JSON nor bytes nor a stream.";

/** Functions would be left out without a word. */
function refuseCode(_key: string, value: unknown): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw new Error(wrongKind);
  return value;
}

function clone(message: FromHost, transfer: readonly unknown[] = []): void {
  try {
    send(message, transfer);
  } catch {
    throw new Error(wrongKind);
  }
}

function crashOf(error: unknown): Crash {
  if (!(error instanceof Error)) return { message: `It threw ${String(error).slice(0, 500)}.`, stack: "" };
  return { message: String(error.message).slice(0, 2_000), stack: String(error.stack ?? "").slice(0, 8_000) };
}

function stray(error: unknown): void {
  const number = running.getStore()?.number ?? Atomics.load(cell, cells.running);
  if (error instanceof ExtensionRefusal) return;
  send({ type: "stray", number, crash: crashOf(error) });
}

process.on("uncaughtException", stray);
process.on("unhandledRejection", stray);
// It would end the thread for all the other extensions.
process.exit = ((code?: number) => {
  throw new Error(`It called process.exit(${code ?? ""}).`);
}) as typeof process.exit;
guardImports(serverFolder);
// What code prints by itself is a line of its log, within the same limits.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
    const number = running.getStore()?.number ?? Atomics.load(cell, cells.running);
    const text = chunk instanceof Uint8Array ? new TextDecoder().decode(chunk) : String(chunk);
    logLines.note(number, { level: "info", text: text.trimEnd().slice(0, 2_000), data: null });
    const heard = typeof encoding === "function" ? encoding : done;
    if (typeof heard === "function") queueMicrotask(() => heard());
    return true;
  }) as typeof stream.write;
}
// The server is reached by the facade alone.
Object.assign(workers, { parentPort: null, workerData: null });
syncBuiltinESMExports();
// This thread alone, for the machine alone.
if (inspectPort !== undefined) (await import("node:inspector")).open(inspectPort, "127.0.0.1");

port.on("message", (message: ToHost) => {
  switch (message.type) {
    case "call":
      void run(message);
      break;
    case "extension":
      extensions.set(message.extension.number, message.extension);
      break;
    case "settings":
      settings.set(message.number, message.values);
      break;
    case "abort":
      calls.get(message.id)?.abort();
      break;
    case "answer":
      questions.answer(message.id, message);
      break;
    case "ping":
      send({ type: "pong" });
      break;
    case "stop":
      void Promise.allSettled([...stops].map(([number, stop]) => enter(number, null, async () => stop()))).then(() =>
        send({ type: "stopped" }),
      );
  }
});
send({ type: "ready" });
