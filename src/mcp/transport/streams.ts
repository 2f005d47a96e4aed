// Open streams: the receivers of notices, and whether each may still listen. The caller of every stream is authenticated
// again before each notice and every few seconds, so that a stream is closed soon when its rights have ended, or when that
// could not be checked. watch.ts finds changes, in whichever process they were written; nothing runs while
// nobody listens.

import { findMcpSession, isNobodys } from "#access/mcp-sessions.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { followSettings } from "#installation/settings.ts";
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
  add(receiver: Receiver): () => void;
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
  /** What each principal was shown last, as far as lists go. */
  const shown = new Map<string, Lists>();
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
    shown.clear();
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
    receivers.delete(stream as Receiver);
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
        notices = listNotices(shown.get(principal), lists);
        shown.set(principal, lists);
        changes.set(principal, notices);
      }
      if (isSubscribed) for (const notice of notices) receiver.send(notice);
    }
  }

  function contextOf({ actor }: Caller): Context {
    return { ...contextFor(app, actor), surface: "mcp" };
  }

  async function rememberLists({ credentials, principal }: Receiver): Promise<void> {
    if (shown.has(principal)) return;
    const caller = await authenticate(app, credentials);
    const lists = await readLists(contextOf(caller));
    if (!shown.has(principal)) shown.set(principal, lists);
  }

  return {
    guard(stream) {
      watch(stream);
      return () => leave(stream);
    },
    add(receiver) {
      receivers.set(receiver, new Set(receiver.uris()));
      if (receiver.sessionId !== undefined) sessionsVersion = -1;
      rememberLists(receiver).catch((error) => app.log.debug({ err: error }, "MCP lists"));
      watch(receiver);
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
    },
  };
}

interface Lists {
  tools_list_changed: string;
  resources_list_changed: string;
  prompts_list_changed: string;
}

async function readLists(ctx: Context): Promise<Lists> {
  return {
    tools_list_changed: JSON.stringify(await listTools(ctx)),
    resources_list_changed: JSON.stringify([await listResources(ctx), await listResourceTemplates(ctx)]),
    prompts_list_changed: JSON.stringify(await listPrompts(ctx)),
  };
}

function listNotices(before: Lists | undefined, now: Lists): Notice[] {
  const kinds = Object.keys(now) as (keyof Lists)[];
  return kinds.filter((kind) => before !== undefined && before[kind] !== now[kind]).map((kind) => ({ kind }));
}
