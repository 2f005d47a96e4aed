// Calls functions of extensions: within limits of time and number, in the thread or in the sandbox, with the functions of
// the service that they may use. It counts calls, keeps what they log, and turns every failure into an answer.

import { join } from "node:path";
import { type Actor, anonymous, type ExtensionActor } from "#access/actor.ts";
import type { HostFunctions } from "#automations/host.ts";
import { CairnError, type ErrorWord, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { version as cairnVersion } from "#base/version.ts";
import { NeedsWriter } from "#base/writer-line.ts";
import type { ExtensionCall } from "#content/extension-port.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import { type CrashNotes, createCrashNotes } from "./crashes.ts";
import { functionsFor } from "./functions.ts";
import { dataFolderOf } from "./host/data-folder.ts";
import { createHost, type Host, HostCrash, type HostOrder, HostRefusal } from "./host/host.ts";
import { createRests, type Rests } from "./host/rests.ts";
import { type LiveExtension, loadExtensions } from "./load-extensions.ts";
import { functionNames } from "./manifest/read-manifest.ts";
import { runSandboxed } from "./sandbox/run-sandboxed.ts";
import { openSettings } from "./settings.ts";
import { type CallStats, createStats } from "./stats.ts";

/** Calls of one extension at a time; further ones wait. */
const maxRunning = 64;
const maxWaiting = 256;
/** Their functions are what a request asks for. Others judge or prepare it: their own writes do not mark it as carried out. */
const working: ReadonlySet<ExtensionCall["kind"]> = new Set(["routes", "siteRoutes"]);
/** Functions that a crash of the thread names. */
const maxNamed = 5;

interface State {
  app: App | undefined;
  unwatch(): void;
  host: Host;
  notes: CrashNotes;
  stats: CallStats;
  turns: Map<string, { running: number; waiting: (() => void)[] }>;
  rests: Rests;
  /** Of the code that was called last, by extension. */
  marks: Map<string, string>;
  /** What an extension may ask outside of calls. */
  own(live: LiveExtension): HostFunctions;
  /** A debugger is attached there: calls have no limit of time. */
  inspectPort: number | undefined;
}

/** Of one installation: the app is known with the first call. */
export const runtimeOf = perInstance((_storage: App["storage"]): State => {
  const stats = createStats();
  const state: State = {
    app: undefined,
    unwatch: () => {},
    stats,
    notes: createCrashNotes(stats),
    turns: new Map(),
    rests: createRests(),
    marks: new Map(),
    own: perInstance((live: LiveExtension) => functionsFor(ownContext(state.app as App, live), live, true)),
    inspectPort: undefined,
    host: createHost({
      log: (id, line) => state.app && state.notes.log(state.app, id, line),
      crashed: (id, crash) => state.app && state.notes.crashed(state.app, id, crash),
      ended(id, crash, during) {
        if (!state.app) return;
        const about = [...new Set(during.map(({ kind, name }) => `${kind} "${name}"`))].slice(0, maxNamed).join(", ");
        state.notes.crashed(state.app, id, crash, { about, requestId: during[0]?.requestId });
        state.rests.ended({ id, mark: state.marks.get(id) ?? "" }, state.app.clock.now());
      },
      answer: async (id, name, args) => {
        const app = state.app as App;
        const extension = (await loadExtensions(app)).live.find((one) => one.id === id);
        return extension ? answer(state.own(extension), name, args) : fail("not-found");
      },
      memoryLimit: () => state.app?.settings.get("extensions.memoryLimit") ?? 512,
      inspectPort: () => state.inspectPort,
    }),
  };
  return state;
});

/** How long a call may wait for the thread and for its code to be loaded. */
const loadMs = 30_000;
/** The longest timer. */
const maxMs = 2 ** 31 - 1;

/** The time of a call: first to load its code, then to run. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #factor: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ settings }: App, { inspectPort }: State) {
    this.#factor = inspectPort === undefined ? settings.get("extensions.timeFactor") : Number.POSITIVE_INFINITY;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), Math.min(ms * this.#factor, maxMs));
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

export async function callExtension(app: App, call: ExtensionCall): Promise<unknown> {
  // The code may write, and one process counts its crashes.
  if (app.storage.line) throw new NeedsWriter();
  const state = runtimeOf(app.storage);
  start(state, app);
  const { all, generation } = await loadExtensions(app);
  const extension = all.get(call.extension);
  if (extension?.manifest === undefined || extension.state !== "enabled") throw down(call.extension, "is not running");
  const live = extension as LiveExtension;
  await takeTurn(state, app, live);
  const started = performance.now();
  const limit = new TimeLimit(app, state);
  limit.begin(loadMs);
  try {
    const signal = call.signal ? AbortSignal.any([limit.signal, call.signal]) : limit.signal;
    const order = await orderFor(app, live, call, signal);
    const began = () => limit.begin(call.timeoutMs);
    const run = () => runtimeFor(live, state)({ ...order, generation, began });
    const value = await (working.has(call.kind) ? run() : unclaimed(run));
    state.stats.count(live.id, call, performance.now() - started);
    return value;
  } catch (error) {
    const isRefusal = error instanceof HostRefusal;
    state.stats.count(live.id, call, performance.now() - started, isRefusal ? "refused" : "failed");
    if (isRefusal) throw refusalOf(error);
    if (call.signal?.aborted) throw error;
    if (limit.signal.aborted) {
      const message = `${call.kind} "${call.name}" took longer than ${call.timeoutMs / 1_000} seconds.`;
      const about = `${call.kind} "${call.name}"`;
      state.notes.crashed(app, live.id, { message, stack: "" }, { about, requestId: call.ctx?.origin?.requestId });
      throw down(live.id, "did not answer in time");
    }
    if (error instanceof HostCrash) noteCrash(app, state, live, call, error);
    else app.log.error({ err: error, extension: live.id }, "a call of an extension failed");
    throw down(live.id, "failed");
  } finally {
    limit.end();
    giveTurn(state, live.id);
  }
}

/** From the first call on: what is enabled or changed by others ends the thread with the code before. */
export function start(state: State, app: App): void {
  if (state.app !== undefined) return;
  state.app = app;
  state.unwatch = app.storage.watch("extensions", () => {
    Promise.resolve(loadExtensions(app))
      .then(({ generation }) => state.host.follow(generation))
      .catch((error) => app.log.warn({ err: error }, "extensions could not be read again"));
  });
}

/** The one whose code ended the thread was noted by then. */
function noteCrash(app: App, { notes }: State, { id }: LiveExtension, call: ExtensionCall, error: HostCrash): void {
  if (error.culprit !== undefined) return;
  const about = `${call.kind} "${call.name}"`;
  notes.crashed(app, id, error.crash, { about, requestId: call.ctx?.origin?.requestId });
  if (error.isLoading) notes.failed(app, id, error.crash.message);
}

function down(id: string, what: string): CairnError {
  return new CairnError("extension-failed", `The extension ${id} ${what}.`);
}

const words: Record<number, ErrorWord> = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  412: "precondition-failed",
  413: "too-large",
  422: "refused",
  429: "rate-limited",
  503: "unavailable",
  507: "storage-full",
};

function refusalOf({ refusal }: HostRefusal): CairnError {
  const { status, message, details } = refusal;
  const word = words[status] ?? "internal";
  return new CairnError(word === "invalid" && details ? "validation-failed" : word, message, details);
}

function runtimeFor(live: LiveExtension, { host, notes, app, marks }: State): (order: HostOrder) => Promise<unknown> {
  const { id, manifest, files, mark } = live;
  marks.set(id, mark);
  if (manifest.runtime === "node") return (order) => host.call(order);
  return (order) => runSandboxed({ ...order, files, mark }, (line) => app && notes.log(app, id, line));
}

async function orderFor(
  app: App,
  live: LiveExtension,
  call: ExtensionCall,
  signal: AbortSignal,
): Promise<Omit<HostOrder, "generation" | "began">> {
  const ctx = call.ctx ?? contextFor(app, anonymous);
  // Made once: code may ask thousands of times in one call.
  let asCaller: HostFunctions | undefined;
  let asItself: HostFunctions | undefined;
  return {
    extension: hostedOf(live, app),
    kind: call.kind,
    name: call.name,
    args: call.args,
    actor: presentActor(ctx.actor),
    requestId: ctx.origin?.requestId ?? "",
    settings: await openSettings(app, live),
    signal,
    answer: async (acting, name, args) => {
      if (acting === "own") {
        asItself ??= functionsFor({ ...ownContext(app, live), cause: ctx.cause }, live, true);
        return answer(asItself, name, args);
      }
      asCaller ??= { ...functionsFor(actingFor(ctx), live, false), ...call.extra };
      return answer(asCaller, name, args);
    },
  };
}

/** The same object each time: the thread is sent it once. */
function hostedOf(live: LiveExtension, app: App): HostOrder["extension"] {
  const { id, manifest, folder } = live;
  const hosted = knownHosted.get(live) ?? {
    id,
    version: manifest.version,
    cairnVersion,
    folder,
    dataFolder: dataFolderOf(app, id),
    entrypoint: join(folder, manifest.entrypoint ?? ""),
    functions: functionNames(manifest),
  };
  knownHosted.set(live, hosted);
  return hosted;
}

const knownHosted = new WeakMap<LiveExtension, HostOrder["extension"]>();

/** For a call of no function: the code is loaded, and nothing of it runs but `register`. */
export async function loadingOrder(app: App, live: LiveExtension): Promise<Omit<HostOrder, "generation">> {
  const call = { extension: live.id, kind: "loading" as ExtensionCall["kind"], name: "", args: [], timeoutMs: loadMs };
  return { ...(await orderFor(app, live, call, AbortSignal.timeout(loadMs))), began: () => {} };
}

/** The log tells what users wrote themselves from what an extension wrote with their rights. */
function actingFor(ctx: Context): Context {
  return { ...ctx, trail: { ...ctx.trail, door: "extension" } };
}

function answer(functions: HostFunctions, name: string, args: Json[]): Promise<Json> {
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
  return run ? run(...args) : Promise.reject(new CairnError("not-found", `There is no function "${name}".`));
}

export function ownContext(app: App, live: LiveExtension): Context {
  return contextFor(app, actorOf(live));
}

export function actorOf({ id, manifest, switchedOff }: LiveExtension): ExtensionActor {
  const granted = Object.entries(manifest.permissions.collections).filter(
    ([collection, operations]) => !switchedOff.has(`collections:${collection}:${[...operations].sort().join("+")}`),
  );
  return { kind: "extension", id, collections: Object.fromEntries(granted) };
}

/** What the code learns of its caller: never a credential. */
function presentActor(actor: Actor): JsonObject {
  const groups: string[] = "groups" in actor ? (actor.groups as string[]) : [];
  const user = actor.kind === "user" || actor.kind === "token" ? { user: actor.id } : {};
  return { kind: actor.kind, ...user, groups };
}

/** An extension that rests is not called, neither by those that waited. */
async function takeTurn(state: State, app: App, live: LiveExtension): Promise<void> {
  const { turns, rests } = state;
  const { id } = live;
  const early = rests.find(live, app.clock.now());
  if (early) throw early;
  const turn = turns.get(id) ?? { running: 0, waiting: [] };
  turns.set(id, turn);
  if (turn.running < maxRunning) {
    turn.running += 1;
    return;
  }
  if (turn.waiting.length >= maxWaiting) {
    const error = new CairnError("unavailable", `The extension ${id} has too many calls at a time.`);
    error.retryAfter = 1;
    throw error;
  }
  await new Promise<void>((resolve) => turn.waiting.push(resolve));
  const late = rests.find(live, app.clock.now());
  if (!late) return;
  giveTurn(state, id);
  throw late;
}

/** The turn goes to the next one that waits. */
function giveTurn({ turns }: State, id: string): void {
  const turn = turns.get(id);
  if (!turn) return;
  const next = turn.waiting.shift();
  if (next) next();
  else turn.running -= 1;
}
