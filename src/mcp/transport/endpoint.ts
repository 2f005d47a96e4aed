// The MCP endpoint behind the door: one path for the revision without sessions (2026-07-28) and for those with (2025).
// The library tells them apart and speaks both; what is decided here is whose message it is and whom it may reach.
// Loaded at the first request, because the library is large.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createMcpHandler, isLegacyRequest, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { callerOf } from "#access/callers.ts";
import { ownerOf } from "#access/mcp-sessions.ts";
import { type App, type Context, contextFor, type Origin } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { canSubscribe } from "#mcp/catalogue.ts";
import { invalidRequest, refuse } from "#mcp/refusal.ts";
import { makeServer as ownServer } from "#mcp/server.ts";
import type { Caller, Credentials } from "./authenticate.ts";
import { answerPlainCall, readPlainCall } from "./fast-tool-call.ts";
import { isStream, sendResponse, toRequest } from "./fetch-bridge.ts";
import { checkScopes } from "./method-scopes.ts";
import { openNoticeStream } from "./notice-stream.ts";
import { type Sender, senderOf } from "./sender.ts";
import { createSessions, findOpening, type ServerMaker, type Session } from "./sessions.ts";
import { createStreams, type Notice } from "./streams.ts";

export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  /** Undefined: there was none. */
  body: Json | undefined;
  caller: Caller;
  introduction: Credentials;
  origin: Origin;
}

export interface Endpoint {
  /**
   * Resolves to a JSON text that is to be sent, or answers on `res` by itself; `beforeSending` is called before it does.
   * Throws a Refusal before anything is sent.
   */
  serve(exchange: Exchange, beforeSending: () => void): Promise<string | undefined>;
  close(): Promise<void>;
}

function ownerOfExchange({ caller, origin }: Exchange): string {
  return ownerOf(caller.principal, caller.actor, origin.address);
}

const maxListened = 200;
/** The last revision in which several messages may come at once. */
const batchRevision = "2025-03-26";

/** `makeServer`: in the place of the product's own. */
export function createEndpoint(app: App, makeServer: ServerMaker = ownServer): Endpoint {
  const sessions = createSessions(app, makeServer);
  const streams = createStreams(app);
  /** By session: what ends its stream. */
  const noticeStreams = new Map<string, () => void>();
  const onerror = (error: Error) => app.log.debug({ err: error }, "MCP");
  const modern = createMcpHandler((request) => makeServer(senderOf(request.authInfo).ctx), {
    legacy: "reject",
    onerror,
  });

  /** 2026-07-28: each request stands alone. */
  async function serveAlone(exchange: Exchange, ctx: Context, request: Request): Promise<void> {
    const { res, body, introduction } = exchange;
    const options = { authInfo: authInfo(exchange, ctx), parsedBody: body };
    const uris = listenedUris(body);
    if (!uris) return send(exchange, await modern.fetch(request, options));
    const owner = ownerOfExchange(exchange);
    streams.refuseMore(owner);
    for (const uri of uris) if (await canSubscribe(ctx, uri)) await streams.begin(ctx, uri);
    const leaving = new AbortController();
    // A stream of its own has a bus of its own, so that each receiver is told only what it may know.
    let deliver: ((notice: Notice) => void) | undefined;
    const bus = {
      publish() {},
      subscribe(listener: (notice: Notice) => void) {
        deliver = listener;
        return () => {
          deliver = undefined;
        };
      },
    };
    const handler = createMcpHandler(() => makeServer(ctx), { legacy: "reject", onerror, bus });
    const response = await handler.fetch(request, options);
    const receiver = {
      introduction,
      principal: exchange.caller.principal,
      owner,
      uris: () => uris,
      send: (notice: Notice) => deliver?.(notice),
      end: () => leaving.abort(),
    };
    const leave = isStream(response) ? streams.add(receiver) : () => {};
    await sendResponse(res, response, leaving.signal).finally(leave);
  }

  /** 2025: the client has introduced itself before, or does so now. */
  async function serveSession(exchange: Exchange, ctx: Context, request: Request): Promise<void> {
    const { req, body } = exchange;
    if (req.method === "HEAD") refuse(req.headers["mcp-session-id"] ? 405 : 400, "HEAD tells nothing here.");
    checkVersionHeader(req);
    const id = req.headers["mcp-session-id"];
    const opening = findOpening(body);
    if (typeof id === "string") {
      const owner = ownerOfExchange(exchange);
      await sessions.check(owner, id);
      if (req.method === "DELETE") {
        await sessions.end(id);
        exchange.res.writeHead(204).end();
      } else if (req.method === "GET" && req.headers["last-event-id"] === undefined) await serveNotices(exchange, id);
      else {
        const left = await sessions.sort(id, body);
        if (left === undefined && body !== undefined) return void exchange.res.writeHead(202).end();
        await serveIn(await sessions.get(ctx, owner, id), { ...exchange, body: left }, ctx, request);
      }
    } else if (opening) {
      const session = await sessions.begin(ctx, ownerOfExchange(exchange), opening);
      await serveIn(session, exchange, ctx, request);
      if (session.transport.sessionId === undefined) void session.server.close();
    } else refuse(400, "The Mcp-Session-Id header is missing. Begin with initialize.");
  }

  /** One stream a session: whoever comes back before we notice that they have gone takes the place of the old one. */
  async function serveNotices(exchange: Exchange, sessionId: string): Promise<void> {
    const { res, introduction, caller } = exchange;
    const owner = ownerOfExchange(exchange);
    streams.refuseMore(owner, sessionId);
    const { send: tell, end, closed } = openNoticeStream(res, sessionId);
    noticeStreams.get(sessionId)?.();
    noticeStreams.set(sessionId, end);
    const { principal } = caller;
    const leave = streams.add({ introduction, principal, owner, sessionId, uris: () => [], send: tell, end });
    await closed;
    leave();
    if (noticeStreams.get(sessionId) === end) noticeStreams.delete(sessionId);
  }

  async function serveIn(session: Session, exchange: Exchange, ctx: Context, request: Request): Promise<void> {
    const { body } = exchange;
    const { server, pending } = session;
    if (Array.isArray(body)) checkBatch(body, server.getNegotiatedProtocolVersion());
    const ids = requestIds(body);
    if (ids.some((id) => pending.has(id))) refuse(400, "A request of this id is being answered.", invalidRequest);
    for (const id of ids) pending.add(id);
    session.open += 1;
    try {
      const response = await session.transport.handleRequest(request, {
        authInfo: authInfo(exchange, ctx),
        ...(body !== undefined && { parsedBody: body }),
      });
      await send(exchange, response);
    } finally {
      session.open -= 1;
      for (const id of ids) pending.delete(id);
    }
  }

  /** Undefined: it is for the library. */
  async function answerPlain(exchange: Exchange, ctx: Context) {
    const { req, body } = exchange;
    const call = makeServer === ownServer ? readPlainCall(req.headers, body) : undefined;
    if (!call) return undefined;
    if (!call.isAlone) {
      checkVersionHeader(req);
      await sessions.check(ownerOfExchange(exchange), String(req.headers["mcp-session-id"]));
    }
    return answerPlainCall(ctx, call);
  }

  /** A long answer ends as well when its caller may no longer speak. */
  async function send({ res, introduction }: Exchange, response: Response): Promise<void> {
    const leave = isStream(response) ? streams.guard({ introduction, end: () => res.destroy() }) : () => {};
    await sendResponse(res, response).finally(leave);
  }

  function authInfo({ caller }: Exchange, ctx: Context) {
    const sender: Sender = { ctx, beginWatching: (uri) => streams.begin(ctx, uri) };
    return { token: "", clientId: caller.principal, scopes: [], extra: { sender } };
  }

  return {
    async serve(exchange, beforeSending) {
      const { req, res, body, caller, origin } = exchange;
      const asked = callerOf(caller.actor, { address: () => origin.address, response: res });
      const ctx = contextFor(app, caller.actor, origin, asked);
      ctx.surface = "mcp";
      const checked = checkScopes(ctx, exchange.introduction, body);
      if (checked !== undefined) await checked;
      const text = await answerPlain(exchange, ctx);
      if (text !== undefined) return text;
      const left = new AbortController();
      beforeSending();
      const request = toRequest({ method: req.method ?? "GET", headers: req.headers, signal: left.signal });
      res.once("close", () => {
        // Held until then: a Request that is collected hears no signal, and the library keeps only its own signal.
        if (!res.writableFinished && !request.signal.aborted) left.abort();
      });
      const isOld = await isLegacyRequest(request, body ?? {});
      await (isOld || req.method !== "POST" ? serveSession : serveAlone)(exchange, ctx, request);
      return undefined;
    },
    async close() {
      streams.close();
      sessions.close();
      await modern.close();
    },
  };
}

/** The addresses that a request to listen names; undefined: it is another request. */
function listenedUris(body: Json | undefined): string[] | undefined {
  if (!isJsonObject(body) || body.method !== "subscriptions/listen") return undefined;
  const notifications = (body.params as JsonObject | undefined)?.notifications as JsonObject | undefined;
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").slice(0, maxListened) : [];
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
