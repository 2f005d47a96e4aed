// Sessions of clients of the 2025 revisions, as this process holds them: a server object and its transport for each.
// Unused ones are closed; a session that the installation knows but this process does not is resumed.

import { randomBytes } from "node:crypto";
import { McpServer, type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { endMcpSession, findMcpSession, type McpSession, openMcpSession } from "#access/mcp-sessions.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { refuse, unknownSession } from "#mcp/refusal.ts";
import { createAnswers } from "./client-replies.ts";
import { createReplay } from "./replay.ts";

export interface Session {
  id: string;
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  /** Ids of requests that are being answered. */
  pending: Set<string | number>;
  /** Answers that are being sent, streams included: it is not closed while there are any. */
  open: number;
}

export interface Sessions {
  /** For a client that introduces itself; stored once the introduction is found in order. */
  begin(ctx: Context, principal: string, opening: JsonObject): Promise<Session>;
  /** Throws a Refusal when there is no such session of this principal. */
  check(principal: string, id: string): Promise<McpSession>;
  /** The same, and holds it. */
  get(ctx: Context, principal: string, id: string): Promise<Session>;
  /** The rest of the body, once replies to questions have gone to their process. */
  sort(id: string, body: Json | undefined): Promise<Json | undefined>;
  end(id: string): Promise<void>;
  readonly count: number;
  close(): void;
}

/** How the server object of a session or a request is made. */
export type ServerMaker = (ctx: Context) => Server | McpServer;

const maxHeld = 200;
const maxOpening = 16_384;
/** How long a client waits before it takes up a stream again. */
const retryInterval = 1_000;

export function createSessions(app: App, makeServer: ServerMaker): Sessions {
  const held = new Map<string, Session>();
  const answers = app.storage.isShared
    ? createAnswers(app, { find: (id) => held.get(id)?.transport, held: () => held.keys() })
    : undefined;

  async function make(ctx: Context, id: string, whenOpened: (session: Session) => void | Promise<void>) {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: createReplay(),
      retryInterval,
      onsessioninitialized: () => whenOpened(session),
    });
    const made = makeServer(ctx);
    const server = made instanceof McpServer ? made.server : made;
    const session: Session = { id, server, transport, pending: new Set(), open: 0 };
    await server.connect(transport);
    answers?.mark(transport);
    return session;
  }

  /** The last used is the last in the map. */
  function keep(session: Session): void {
    held.delete(session.id);
    held.set(session.id, session);
    if (held.size <= maxHeld) return;
    for (const [id, old] of held) {
      if (held.size <= maxHeld) break;
      if (old.open > 0) continue;
      held.delete(id);
      void old.server.close();
    }
  }

  /** Another process has begun it, or this one before it was restarted: the introduction is played again. */
  async function takeUp(ctx: Context, id: string, { opening }: McpSession): Promise<Session> {
    const session = await make(ctx, id, () => {});
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const request = new Request("http://localhost/mcp", { method: "POST", headers });
    const parsedBody = { jsonrpc: "2.0", id: 0, method: "initialize", params: opening };
    const response = await session.transport.handleRequest(request, { parsedBody });
    await response.text();
    return session;
  }

  async function check(principal: string, id: string): Promise<McpSession> {
    const known = id.length <= 200 ? await findMcpSession(app, id) : undefined;
    if (known?.principal === principal) return known;
    if (!known) drop(id);
    refuse(404, "Session not found", unknownSession);
  }

  return {
    async begin(ctx, principal, opening) {
      if (JSON.stringify(opening).length > maxOpening) refuse(400, "The params of initialize are too long.");
      const id = randomBytes(24).toString("base64url");
      return make(ctx, id, async (session) => {
        await openMcpSession(app, id, { principal, opening });
        keep(session);
      });
    },
    check,
    sort: async (id, body) => (answers ? answers.sort(id, body) : body),
    async get(ctx, principal, id) {
      const known = await check(principal, id);
      const session = held.get(id) ?? (await takeUp(ctx, id, known));
      // Two requests may have taken it up at the same moment.
      const kept = held.get(id) ?? session;
      keep(kept);
      return kept;
    },
    async end(id) {
      await endMcpSession(app, id);
      drop(id);
    },
    get count() {
      return held.size;
    },
    close() {
      answers?.close();
      for (const id of held.keys()) drop(id);
    },
  };

  function drop(id: string): void {
    const session = held.get(id);
    held.delete(id);
    void session?.server.close();
  }
}

/** The params of a message that introduces a client. */
export function findOpening(body: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(body) || body.method !== "initialize" || body.id === undefined) return undefined;
  return isJsonObject(body.params) ? body.params : {};
}
