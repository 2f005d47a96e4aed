// Open streams: who receives notices of changes, and whether each may still listen. Every stream is asked again who it
// is before each notice and every few seconds, so that one whose rights have ended is closed soon.
// What has changed is found by watch.ts, in whichever process it was written; nothing runs while nobody listens.

import { findMcpSession } from "#access/mcp-sessions.ts";
import { followSettings } from "#content/settings.ts";
import { type App, type Context, contextFor } from "#context.ts";
import { admit, type Caller, type Introduction } from "./caller.ts";
import { canSubscribe, listPrompts, listResources, listResourceTemplates, listTools } from "./catalogue.ts";
import { Refusal, refuse } from "./refusal.ts";
import { createWatch } from "./watch.ts";

export type Notice =
  | { kind: "resource_updated"; uri: string }
  | { kind: "tools_list_changed" | "resources_list_changed" | "prompts_list_changed" };

/** An answer that is still being sent. */
export interface Guarded {
  introduction: Introduction;
  end(): void;
}

export interface Receiver extends Guarded {
  principal: string;
  /** Its subscriptions are those of this session. */
  sessionId?: string;
  uris(): readonly string[];
  send(notice: Notice): void;
}

export interface Streams {
  /** What it returns takes the stream out again. */
  guard(stream: Guarded): () => void;
  add(receiver: Receiver): () => void;
  /** From now on changes of the resource are noticed. */
  begin(ctx: Context, uri: string): Promise<void>;
  /** Throws a Refusal when there are as many as this process takes. */
  refuseMore(): void;
  close(): void;
}

const tickMs = 100;
const askAgainMs = 5_000;
const maxReceivers = 5_000;

export function createStreams(app: App): Streams {
  const guarded = new Set<Guarded>();
  const receivers = new Map<Receiver, ReadonlySet<string>>();
  const watch = createWatch(app);
  /** What each principal was shown last, as far as lists go. */
  const shown = new Map<string, Lists>();
  let timer: NodeJS.Timeout | undefined;
  let askedAt = 0;
  let sessionsVersion = -1;

  function start(): void {
    timer ??= setTimeout(async () => {
      try {
        await tick();
      } catch (error) {
        app.log.error({ err: error }, "changes could not be told");
      }
      timer = undefined;
      if (guarded.size > 0) start();
      else shown.clear();
    }, tickMs).unref();
  }

  async function tick(): Promise<void> {
    followSettings(app);
    if (performance.now() - askedAt > askAgainMs) {
      askedAt = performance.now();
      for (const stream of guarded) await askAgain(stream);
    }
    await readSubscriptions();
    const isTold = app.settings.get("mcp.subscriptionsEnabled");
    for (const uri of await watch.look(followed())) if (isTold) await tellUpdate(uri);
    if (watch.haveListsChanged()) await tellLists(isTold);
  }

  /** The present caller of a stream; undefined: it was closed just now. */
  async function askAgain(stream: Guarded): Promise<Caller | undefined> {
    try {
      return await admit(app, stream.introduction);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      guarded.delete(stream);
      receivers.delete(stream as Receiver);
      stream.end();
      return undefined;
    }
  }

  /** A session may be told by another request, or in another process, what to follow. */
  async function readSubscriptions(): Promise<void> {
    const version = app.storage.version("mcp-sessions");
    if (version === sessionsVersion) return;
    sessionsVersion = version;
    for (const receiver of receivers.keys()) {
      if (receiver.sessionId === undefined) continue;
      const session = await findMcpSession(app, receiver.sessionId);
      if (session) receivers.set(receiver, session.subscriptions);
      else {
        guarded.delete(receiver);
        receivers.delete(receiver);
        receiver.end();
      }
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
    return (await canSubscribe(ctx, uri)) && (await watch.isVisible(ctx, uri));
  }

  async function tellLists(isTold: boolean): Promise<void> {
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
      if (isTold) for (const notice of notices) receiver.send(notice);
    }
  }

  function contextOf({ actor }: Caller): Context {
    return { ...contextFor(app, actor), surface: "mcp" };
  }

  async function rememberLists({ introduction, principal }: Receiver): Promise<void> {
    if (shown.has(principal)) return;
    const caller = await admit(app, introduction);
    const lists = await readLists(contextOf(caller));
    if (!shown.has(principal)) shown.set(principal, lists);
  }

  return {
    guard(stream) {
      guarded.add(stream);
      start();
      return () => guarded.delete(stream);
    },
    add(receiver) {
      guarded.add(receiver);
      receivers.set(receiver, new Set(receiver.uris()));
      if (receiver.sessionId !== undefined) sessionsVersion = -1;
      rememberLists(receiver).catch((error) => app.log.debug({ err: error }, "MCP lists"));
      start();
      return () => {
        guarded.delete(receiver);
        receivers.delete(receiver);
      };
    },
    begin: watch.begin,
    refuseMore() {
      if (receivers.size >= maxReceivers) refuse(503, "There are too many open streams.");
    },
    close() {
      clearTimeout(timer);
      for (const stream of guarded) stream.end();
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
