// The revisions of 2025: a client opens a session with `initialize` and names it with each further request.
// A GET opens the stream of notices of a session, a DELETE ends the session.

import type { IncomingMessage } from "node:http";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { invalidRequest, refuse } from "#mcp/refusal.ts";
import { authInfo, type Exchange, type OpenExchange, ownerOfExchange, type Revision, send } from "./exchange.ts";
import { openNoticeStream } from "./notice-stream.ts";
import { createSessions, findOpening, type ServerMaker, type Session } from "./sessions.ts";
import type { Streams } from "./streams.ts";

export interface SessionRevision extends Revision {
  /** Throws a Refusal when the request names no session of its caller. */
  checkSession(exchange: Exchange): Promise<void>;
}

/** The last revision that allows several messages in one body. */
const batchRevision = "2025-03-26";

export function createRevision2025(app: App, makeServer: ServerMaker, streams: Streams): SessionRevision {
  const sessions = createSessions(app, makeServer);
  /** By session: what ends its stream. */
  const noticeStreams = new Map<string, () => void>();

  async function serveSession(exchange: OpenExchange, request: Request, id: string): Promise<void> {
    const { req, res, body, ctx } = exchange;
    const owner = ownerOfExchange(exchange);
    await sessions.check(owner, id);
    if (req.method === "DELETE") {
      await sessions.end(id);
      res.writeHead(204).end();
    } else if (req.method === "GET" && req.headers["last-event-id"] === undefined) await serveNotices(exchange, id);
    else {
      const left = await sessions.sort(id, body);
      if (left === undefined && body !== undefined) return void res.writeHead(202).end();
      await serveIn(await sessions.get(ctx, owner, id), { ...exchange, body: left }, request);
    }
  }

  /** One stream a session: a client that comes back before its old connection is found broken replaces the old stream. */
  async function serveNotices(exchange: Exchange, sessionId: string): Promise<void> {
    const { res, credentials, caller } = exchange;
    const owner = ownerOfExchange(exchange);
    streams.refuseMore(owner, sessionId);
    const { send: sendNotice, begin, end, closed } = openNoticeStream(res, sessionId);
    noticeStreams.get(sessionId)?.();
    noticeStreams.set(sessionId, end);
    const { principal } = caller;
    const receiver = { credentials, principal, owner, sessionId, uris: () => [], send: sendNotice, end };
    const leave = await streams.add(receiver);
    begin();
    await closed;
    leave();
    if (noticeStreams.get(sessionId) === end) noticeStreams.delete(sessionId);
  }

  async function serveIn(session: Session, exchange: OpenExchange, request: Request): Promise<void> {
    const { body } = exchange;
    const { server, pending } = session;
    if (Array.isArray(body)) checkBatch(body, server.getNegotiatedProtocolVersion());
    const ids = requestIds(body);
    if (ids.some((id) => pending.has(id))) refuse(400, "A request of this id is being answered.", invalidRequest);
    for (const id of ids) pending.add(id);
    session.open += 1;
    try {
      const response = await session.transport.handleRequest(request, {
        authInfo: authInfo(exchange, streams),
        ...(body !== undefined && { parsedBody: body }),
      });
      await send(exchange, response, streams);
    } finally {
      session.open -= 1;
      for (const id of ids) pending.delete(id);
    }
  }

  return {
    async serve(exchange, request) {
      const { req, body, ctx } = exchange;
      const id = req.headers["mcp-session-id"];
      if (req.method === "HEAD") refuse(id ? 405 : 400, "HEAD is not supported here. Use GET or POST.");
      checkVersionHeader(req);
      if (typeof id === "string") return serveSession(exchange, request, id);
      const opening = findOpening(body) ?? refuse(400, "The Mcp-Session-Id header is missing. Begin with initialize.");
      const session = await sessions.begin(ctx, ownerOfExchange(exchange), opening);
      await serveIn(session, exchange, request);
      if (session.transport.sessionId === undefined) void session.server.close();
    },
    async checkSession(exchange) {
      checkVersionHeader(exchange.req);
      await sessions.check(ownerOfExchange(exchange), String(exchange.req.headers["mcp-session-id"]));
    },
    close: () => sessions.close(),
  };
}

function requestIds(body: Json | undefined): (string | number)[] {
  const messages = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isJsonObject(message as Json) || typeof (message as JsonObject).method !== "string") return [];
    const { id } = message as JsonObject;
    return typeof id === "string" || typeof id === "number" ? [id] : [];
  });
}

function checkVersionHeader({ headers }: IncomingMessage): void {
  const version = headers["mcp-protocol-version"];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  refuse(400, `Unsupported protocol version. Supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`);
}

function checkBatch(messages: Json[], revision: string | undefined): void {
  if (revision !== batchRevision) refuse(400, `Batches are part of revision ${batchRevision} only.`, invalidRequest);
  if (messages.length === 0) refuse(400, "The batch is empty.", invalidRequest);
  const ids = requestIds(messages);
  if (new Set(ids).size < ids.length) refuse(400, "Two requests have the same id.", invalidRequest);
}
