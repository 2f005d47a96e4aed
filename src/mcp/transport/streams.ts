// Open streams: the receivers of notices, and whether each may still listen. The caller of every stream is authenticated
// again before each notice and every few seconds, so that a stream is closed soon when its rights have ended, or when that
// could not be checked. watch.ts finds changes, in whichever process they were written; nothing runs while
// nobody listens.

import { hash } from "node:crypto";
import { findMcpSession, isNobodys } from "#access/mcp-sessions.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { catchUpSettings, followSettings } from "#installation/settings.ts";
import { canSubscribe, listPrompts, listResources, listResourceTemplates, listTools } from "#mcp/catalogue.ts";
import { Refusal, refuse } from "#mcp/refusal.ts";
import { createWatch } from "#mcp/watch.ts";
import { createStreamGuard } from "#review/stream/stream-guard.ts";
import { authenticate, type Caller, type Credentials } from "./authenticate.ts";

export type Notice =
  | { kind: "resource_updated"; uri: string }
  | { kind: "tools_list_changed" | "resources_list_changed" | "prompts_list_changed" };

/** An answer that is still being sent. */
export interface Guarded {
  credentials: Credentials;
  end(): void;
}

interface Watched {
  stream: Guarded;
  end(): void;
}

export interface Receiver extends Guarded {
  principal: string;
  /** The owner that it counts for. */
  owner: string;
  /** Its subscriptions are those of this session. */
  sessionId?: string;
  uris(): readonly string[];
  send(notice: Notice): void;
}

export interface Streams {
  /** Returns the function that removes the stream. */
  guard(stream: Guarded): () => void;
  /** Resolves to the function that removes the stream, when the first change of a list after it would be noticed. */
  add(receiver: Receiver): Promise<() => void>;
  /** From now on changes of the resource are noticed. */
  begin(ctx: Context, uri: string): Promise<void>;
  /** Throws a Refusal when there are as many as this process takes, of all or of this owner. */
  refuseMore(owner: string, sessionId?: string): void;
  close(): void;
}

const tickMs = 100;
const maxReceivers = 5_000;
const maxOfOwner = 100;
const maxOfAddress = 10;

export function createStreams(app: App): Streams {
  /** With what the guard holds of it. */
  const guarded = new Map<Guarded, Watched>();
  const guard = createStreamGuard<Watched>(app, async ({ stream }) => {
    followSettings(app);
    await askAgain(stream);
  });
  const receivers = new Map<Receiver, ReadonlySet<string>>();
  const changes = createWatch(app);
  /** By principal, while it has a stream. */
  const shown = new Map<string, Shown>();
  let timer: NodeJS.Timeout | undefined;
  let sessionsVersion = -1;

  function start(): void {
    timer ??= setTimeout(async () => {
      try {
        await tick();
      } catch (error) {
        app.log.error({ err: error }, "failed to send MCP notices");
      }
      timer = undefined;
      if (guarded.size > 0) start();
      else stop();
    }, tickMs).unref();
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function watch(stream: Guarded): void {
    const watched = { stream, end: () => drop(stream) };
    guarded.set(stream, watched);
    guard.add(watched);
    start();
  }

  function leave(stream: Guarded): void {
    const watched = guarded.get(stream);
    if (watched) guard.remove(watched);
    guarded.delete(stream);
    const receiver = stream as Receiver;
    if (receivers.delete(receiver)) forget(receiver.principal);
  }

  function forget(principal: string): void {
    const entry = shown.get(principal);
    if (entry && --entry.streams === 0) shown.delete(principal);
  }

  function drop(stream: Guarded): void {
    leave(stream);
    stream.end();
  }

  async function tick(): Promise<void> {
    followSettings(app);
    await readSubscriptions();
    const isSubscribed = app.settings.get("mcp.subscriptionsEnabled");
    for (const uri of await changes.look(followed())) if (isSubscribed) await tellUpdate(uri);
    if (changes.haveListsChanged()) await tellLists(isSubscribed);
  }

  /** The present caller of a stream; undefined: it was closed just now. */
  async function askAgain(stream: Guarded): Promise<Caller | undefined> {
    try {
      await catchUpSettings(app);
      const caller = await authenticate(app, stream.credentials);
      const watched = guarded.get(stream);
      if (watched) guard.add(watched);
      return caller;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      drop(stream);
      return undefined;
    }
  }

  /** Another request, also in another process, may change what a session follows. */
  async function readSubscriptions(): Promise<void> {
    const version = app.storage.version("mcp-sessions");
    if (version === sessionsVersion) return;
    sessionsVersion = version;
    for (const receiver of receivers.keys()) {
      if (receiver.sessionId === undefined) continue;
      const session = await findMcpSession(app, receiver.sessionId);
      if (!receivers.has(receiver)) continue;
      if (session) receivers.set(receiver, session.subscriptions);
      else drop(receiver);
    }
  }

  function followed(): ReadonlySet<string> {
    const uris = new Set<string>();
    for (const wanted of receivers.values()) for (const uri of wanted) uris.add(uri);
    return uris;
  }

  async function tellUpdate(uri: string): Promise<void> {
    const verdicts = new Map<string, boolean>();
    for (const [receiver, uris] of receivers) {
      if (!uris.has(uri)) continue;
      const caller = await askAgain(receiver);
      if (!caller) continue;
      const { principal } = receiver;
      const mayKnow = verdicts.get(principal) ?? (await mayKnowOf(contextOf(caller), uri));
      verdicts.set(principal, mayKnow);
      if (mayKnow) receiver.send({ kind: "resource_updated", uri });
    }
  }

  async function mayKnowOf(ctx: Context, uri: string): Promise<boolean> {
    return (await canSubscribe(ctx, uri)) && (await changes.isVisible(ctx, uri));
  }

  async function tellLists(isSubscribed: boolean): Promise<void> {
    const changes = new Map<string, Notice[]>();
    for (const receiver of [...receivers.keys()]) {
      const caller = await askAgain(receiver);
      if (!caller) continue;
      const { principal } = receiver;
      let notices = changes.get(principal);
      if (!notices) {
        const lists = await readLists(contextOf(caller));
        const entry = shown.get(principal);
        notices = listNotices(entry?.lists, lists);
        if (entry) entry.lists = lists;
        changes.set(principal, notices);
      }
      if (isSubscribed) for (const notice of notices) receiver.send(notice);
    }
  }

  function contextOf({ actor }: Caller): Context {
    return { ...contextFor(app, actor), surface: "mcp" };
  }

  /** Changes are found by comparison with these. */
  async function rememberLists({ credentials, principal }: Receiver): Promise<void> {
    const entry = shown.get(principal) ?? { streams: 0 };
    shown.set(principal, entry);
    entry.streams += 1;
    if (entry.lists) return;
    const caller = await authenticate(app, credentials);
    const lists = await readLists(contextOf(caller));
    entry.lists ??= lists;
  }

  return {
    guard(stream) {
      watch(stream);
      return () => leave(stream);
    },
    async add(receiver) {
      receivers.set(receiver, new Set(receiver.uris()));
      if (receiver.sessionId !== undefined) sessionsVersion = -1;
      watch(receiver);
      await rememberLists(receiver).catch((error) => app.log.debug({ err: error }, "MCP lists"));
      return () => leave(receiver);
    },
    begin: changes.begin,
    refuseMore(owner, sessionId) {
      if (receivers.size >= maxReceivers) refuse(503, "There are too many open streams.");
      const most = isNobodys(owner) ? maxOfAddress : maxOfOwner;
      let count = 0;
      // The stream that a session has already is replaced.
      for (const other of receivers.keys())
        if (other.owner === owner && (sessionId === undefined || other.sessionId !== sessionId)) count += 1;
      if (count >= most) refuse(429, `You have ${most} open streams already. Close one of them first.`);
    },
    close() {
      stop();
      guard.close();
      for (const stream of guarded.keys()) stream.end();
      guarded.clear();
      receivers.clear();
      shown.clear();
    },
  };
}

/** What a principal was shown last. */
interface Shown {
  /** Of the principal. */
  streams: number;
  lists?: Lists;
}

/** A digest of each. */
interface Lists {
  tools_list_changed: string;
  resources_list_changed: string;
  prompts_list_changed: string;
}

async function readLists(ctx: Context): Promise<Lists> {
  return {
    tools_list_changed: digestOf(await listTools(ctx)),
    resources_list_changed: digestOf([await listResources(ctx), await listResourceTemplates(ctx)]),
    prompts_list_changed: digestOf(await listPrompts(ctx)),
  };
}

function digestOf(list: unknown): string {
  return hash("sha256", JSON.stringify(list), "base64url");
}

function listNotices(before: Lists | undefined, now: Lists): Notice[] {
  const kinds = Object.keys(now) as (keyof Lists)[];
  return kinds.filter((kind) => before !== undefined && before[kind] !== now[kind]).map((kind) => ({ kind }));
}
