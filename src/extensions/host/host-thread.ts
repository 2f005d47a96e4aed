// The host: one thread in which the code of all `node` extensions runs. It loads an extension when it is first called, runs
// its functions, and sends what they ask of the service to the server. It imports nothing of the server but the facade and
// its messages, so that it starts quickly.

import { AsyncLocalStorage } from "node:async_hooks";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { Json, JsonObject } from "#contract/json.ts";
import { createFacade, ExtensionRefusal, type Functions, type Running } from "./facade.ts";
import { guardImports } from "./guard-imports.ts";
import { type Crash, cells, type FromHost, type HostedExtension, type ToHost } from "./messages.ts";

const port = parentPort as NonNullable<typeof parentPort>;
const { shared, serverFolder, inspectPort } = workerData as {
  shared: SharedArrayBuffer;
  serverFolder: string;
  inspectPort: number | undefined;
};
const cell = new Int32Array(shared);
/** The call that the present code belongs to, however many steps later. */
const running = new AsyncLocalStorage<{ number: number; call: number | null }>();
const loaded = new Map<number, Promise<Functions>>();
const stops = new Map<number, () => unknown>();
const settings = new Map<number, JsonObject>();
const calls = new Map<number, AbortController>();
const asked = new Map<number, { resolve(value: Json): void; reject(error: Error): void }>();
let asks = 0;

const send = (message: FromHost, transfer: readonly unknown[] = []) =>
  port.postMessage(message, transfer as ArrayBuffer[]);

/** Notes whose code runs now: should the thread hang, the server reads here who did it. */
function enter<T>(number: number, call: number | null, run: () => T): T {
  Atomics.store(cell, cells.running, number);
  return running.run({ number, call }, run);
}

function ask(number: number, acting: "as" | "own", call: number | null, name: string, args: Json[]): Promise<Json> {
  asks += 1;
  const id = asks;
  send({ type: "ask", id, number, call, acting, name, args });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
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
    log: (level, text, data) => send({ type: "log", number, level, text, data }),
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

async function run(message: ToHost & { type: "call" }): Promise<void> {
  const { id, extension, kind, name, args, actor, requestId } = message;
  const { number } = extension;
  let isLoading = true;
  try {
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
    sendResult(id, value);
  } catch (error) {
    if (error instanceof ExtensionRefusal) send({ type: "refused", id, refusal: error.refusal });
    else send({ type: "crashed", id, crash: crashOf(error), isLoading });
  } finally {
    calls.delete(id);
  }
}

function sendResult(id: number, value: unknown): void {
  const body = typeof value === "object" && value !== null && "body" in value ? value.body : undefined;
  try {
    send({ type: "result", id, value }, body instanceof ReadableStream ? [body] : []);
  } catch {
    throw new Error("What it returned is neither JSON nor bytes nor a stream.");
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
// This thread alone, for the machine alone.
if (inspectPort !== undefined) (await import("node:inspector")).open(inspectPort, "127.0.0.1");

port.on("message", (message: ToHost) => {
  switch (message.type) {
    case "call":
      void run(message);
      break;
    case "settings":
      settings.set(message.number, message.values);
      break;
    case "abort":
      calls.get(message.id)?.abort();
      break;
    case "answer": {
      const waiting = asked.get(message.id);
      asked.delete(message.id);
      if (message.refusal) waiting?.reject(new ExtensionRefusal(message.refusal));
      else waiting?.resolve(message.value ?? null);
      break;
    }
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
