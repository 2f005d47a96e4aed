// Streams of changes: each listener gets every change that it may see, in the order of commits, from its cursor on. Its caller
// is authenticated again before each batch and every few seconds; streams of one credential share what is asked. A listener
// that does not read is let go, and comes back with its cursor.

import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "#access/actor.ts";

import { CairnError, fail, rateLimited } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { cursorText, isBefore, isLost, parseCursor } from "#content/history/cursor.ts";
import { historyMode } from "#content/history/mode.ts";
import { getObject } from "#content/objects/objects.ts";
import { findText, type Params, refuse } from "#content/query/parameters.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Place } from "#storage/port.ts";
import { firstPlace, readLog } from "#storage/tables/history/feed.ts";
import { createPages } from "./pages.ts";
import { changeText, type Sight, sightOf } from "./shown-change.ts";
import { createStreamGuard } from "./stream-guard.ts";
import { createTail, type Followed, pageSize, placeOf } from "./tail.ts";

/** With more unread a listener gets nothing more until it has read; and is let go when that takes too long. */
const maxUnread = 256 * 1024;
const patienceMs = 30_000;
const aliveMs = 15_000;
const maxCollections = 100;
/** What one key, user or grant may have of all open streams; without credentials one network. A site fans out by one key. */
const [shareOfCaller, shareOfNetwork] = [1 / 2, 1 / 50];
/** When to try again, for callers that have as many. */
const waitMs = 10_000;

/** The way to a listener. */
export interface Connection {
  /** The same for all streams with the same credential. */
  who: string;
  /** Undefined: the credential no longer holds. */
  authenticate(): Promise<Actor | undefined>;
  write(text: string): void;
  /** Bytes that were written and not sent yet. */
  unread(): number;
  /** Aborted when the connection is gone. */
  signal: AbortSignal;
  end(): void;
}

export interface ChangeStreams {
  /** Checks what was asked for; the stream begins with `start`, when its answer has begun. */
  open(ctx: Context, params: Params): Promise<{ start(connection: Connection): void }>;
  close(): void;
}

interface Listener extends Connection {
  /** Whose it is. */
  owner: string;
  collections: readonly string[] | undefined;
  includesObject: boolean;
  place: Place;
  isPumping: boolean;
}

export function createChangeStreams(app: App): ChangeStreams {
  const listeners = new Set<Listener>();
  const tail = createTail(app, () => {
    asked.clear();
    void forEach((listener) => void pump(listener));
  });
  const pages = createPages(app);
  /** Of this batch, by credential. */
  const asked = new Map<string, Promise<Actor | undefined>>();
  const guard = createStreamGuard<Listener>(app, async (listener) => {
    if (!(await contextOf(listener, listener.authenticate()))) leave(listener);
  });
  let log = "";
  /** Of streams that are about to begin. */
  const reserved: string[] = [];
  let alive: NodeJS.Timeout | undefined;

  /** In slices: there may be thousands, and requests come in between. */
  async function forEach(work: (listener: Listener) => void): Promise<void> {
    const pause = createPause();
    for (const listener of listeners) {
      work(listener);
      await pause();
    }
  }

  async function contextOf(listener: Listener, actor = shared(listener)): Promise<Context | undefined> {
    const found = await actor;
    if (!found) return undefined;
    const ctx = contextFor(app, found);
    for (const id of listener.collections ?? []) if (!(await sightOf(ctx, id))) return undefined;
    const isOpen = found.kind !== "anonymous" || app.settings.get("changes.publicStreams");
    return isOpen ? ctx : undefined;
  }

  function shared({ who, authenticate }: Listener): Promise<Actor | undefined> {
    const known = asked.get(who) ?? authenticate();
    asked.set(who, known);
    return known;
  }

  async function pump(listener: Listener): Promise<void> {
    if (listener.isPumping) return;
    listener.isPumping = true;
    try {
      while (!listener.signal.aborted && isBefore(listener.place, tail.place())) {
        const batch = tail.since(listener.place) ?? (await pages.read(listener.place));
        if (batch.length === 0) break;
        await deliver(listener, batch.slice(0, pageSize));
      }
    } catch (error) {
      if (!listener.signal.aborted) app.log.warn({ err: error }, "a stream of changes was closed");
      leave(listener);
    } finally {
      listener.isPumping = false;
    }
  }

  async function deliver(listener: Listener, batch: readonly Followed[]): Promise<void> {
    const ctx = await contextOf(listener);
    if (!ctx) return leave(listener);
    const sights = new Map<string, Sight | undefined>();
    let events = "";
    for (const change of batch) {
      const { collection } = change.row;
      listener.place = placeOf(change);
      if (listener.collections && !listener.collections.includes(collection)) continue;
      if (!sights.has(collection)) sights.set(collection, await sightOf(ctx, collection));
      const sight = sights.get(collection);
      const shown = sight && changeText(change, sight);
      if (!shown) continue;
      const data = listener.includesObject ? await withObject(ctx, change, shown) : shown.text;
      events += `id: ${cursorText({ id: log }, listener.place)}\nevent: change\ndata: ${data}\n\n`;
      if (events.length < maxUnread / 4) continue;
      await send(listener, events);
      events = "";
    }
    if (events !== "") await send(listener, events);
  }

  async function send(listener: Listener, text: string): Promise<void> {
    listener.write(text);
    const until = performance.now() + patienceMs;
    while (listener.unread() > maxUnread && !listener.signal.aborted) {
      if (performance.now() > until) return leave(listener);
      await sleep(50, undefined, { signal: listener.signal, ref: false }).catch(() => {});
    }
    listener.signal.throwIfAborted();
  }

  function leave(listener: Listener): void {
    listeners.delete(listener);
    guard.remove(listener);
    listener.end();
    if (listeners.size > 0) return;
    tail.stop();
    clearInterval(alive);
    alive = undefined;
  }

  function keepAlive(listener: Listener): void {
    if (listener.unread() > maxUnread) return;
    const isIdle = !listener.isPumping;
    listener.write(isIdle ? `id: ${cursorText({ id: log }, listener.place)}\n: alive\n\n` : ": alive\n\n");
  }

  async function begin(listener: Listener): Promise<void> {
    listener.signal.addEventListener("abort", () => leave(listener));
    listeners.add(listener);
    guard.add(listener);
    alive ??= setInterval(() => void forEach(keepAlive), aliveMs).unref();
    await pump(listener);
  }

  function refuseMore(owner: string, share: number): void {
    const all = app.settings.get("changes.maxStreams");
    if (listeners.size + reserved.length >= all)
      throw new CairnError("unavailable", "There are too many open streams.");
    const most = Math.ceil(all * share);
    let count = 0;
    for (const name of reserved) if (name === owner) count += 1;
    for (const listener of listeners) if (listener.owner === owner) count += 1;
    if (count >= most) throw rateLimited(waitMs, `You have ${most} open streams already. Close one of them first.`);
  }

  return {
    async open(ctx, params) {
      const collections = readCollections(params);
      if (ctx.actor.kind === "anonymous" && !app.settings.get("changes.publicStreams")) fail("unauthenticated");
      for (const id of collections ?? []) {
        const collection = await openCollection(ctx, "read", id);
        if (historyMode(app, collection) === "off")
          refuse("collections", `The collection "${id}" keeps no history, so there is nothing to follow.`);
      }
      const state = await readLog(app.storage);
      const after = readStart(params);
      const owner = ctx.caller.name;
      refuseMore(owner, ctx.actor.kind === "anonymous" ? shareOfNetwork : shareOfCaller);
      reserved.push(owner);
      try {
        await tail.start();
      } finally {
        reserved.splice(reserved.indexOf(owner), 1);
      }
      log = state.id;
      const isReset = typeof after === "object" && isLost(after, state);
      const place = after === "now" || isReset ? tail.place() : after === undefined ? firstPlace : after.place;
      const includesObject = findText(params, "include") === "object";
      return {
        start(connection) {
          const asked = { owner, collections, includesObject, place };
          const listener = Object.assign(connection, { ...asked, isPumping: false });
          const first = `id: ${cursorText(state, place)}\n`;
          listener.write(isReset ? `${first}event: reset\ndata: {}\n\n` : `${first}: open\n\n`);
          void begin(listener);
        },
      };
    },
    close() {
      for (const listener of listeners) leave(listener);
      tail.stop();
      guard.close();
      clearInterval(alive);
    },
  };
}

async function withObject(
  ctx: Context,
  { row }: Followed,
  { text, isGone }: { text: string; isGone: boolean },
): Promise<string> {
  if (isGone || row.id === "") return text;
  const object = await getObject(ctx, row.collection, row.id).catch((error) => {
    if (error instanceof CairnError) return undefined;
    throw error;
  });
  return `${text.slice(0, -1)},"object":${object?.text ?? "null"}}`;
}

function readCollections(params: Params): string[] | undefined {
  const names = findText(params, "collections")
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names && names.length > maxCollections) refuse("collections", `At most ${maxCollections} collections.`);
  return names && [...new Set(names)];
}

function readStart(params: Params): "now" | NonNullable<ReturnType<typeof parseCursor>> | undefined {
  const text = findText(params, "after");
  if (text === undefined || text === "now") return text;
  return parseCursor(text) ?? refuse("after", "after must be a cursor of this log, or now.");
}
