// Revision 2026-07-28: each request stands alone. A request to listen is answered by a stream of notices.

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { canSubscribe } from "#mcp/catalogue.ts";
import { authInfo, type OpenExchange, ownerOfExchange, type Revision, send } from "./exchange.ts";
import { isStream, sendResponse } from "./fetch-bridge.ts";
import { senderOf } from "./sender.ts";
import type { ServerMaker } from "./sessions.ts";
import type { Notice, Streams } from "./streams.ts";

const maxListened = 200;

export function createRevision2026(app: App, makeServer: ServerMaker, streams: Streams): Revision {
  const onerror = (error: Error) => app.log.debug({ err: error }, "MCP");
  const handler = createMcpHandler((request) => makeServer(senderOf(request.authInfo).ctx), {
    legacy: "reject",
    onerror,
  });

  async function listen(exchange: OpenExchange, request: Request, uris: string[]): Promise<void> {
    const { res, body, credentials, caller, ctx } = exchange;
    const owner = ownerOfExchange(exchange);
    streams.refuseMore(owner);
    for (const uri of uris) if (await canSubscribe(ctx, uri)) await streams.begin(ctx, uri);
    const leaving = new AbortController();
    // Each stream has a bus of its own, so that a receiver gets only the notices that are for it.
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
    const listener = createMcpHandler(() => makeServer(ctx), { legacy: "reject", onerror, bus });
    const response = await listener.fetch(request, { authInfo: authInfo(exchange, streams), parsedBody: body });
    const receiver = {
      credentials,
      principal: caller.principal,
      owner,
      uris: () => uris,
      send: (notice: Notice) => deliver?.(notice),
      end: () => leaving.abort(),
    };
    const leave = isStream(response) ? await streams.add(receiver) : () => {};
    await sendResponse(res, response, leaving.signal).finally(leave);
  }

  return {
    async serve(exchange, request) {
      const { body } = exchange;
      const uris = listenedUris(body);
      if (uris) return listen(exchange, request, uris);
      const response = await handler.fetch(request, { authInfo: authInfo(exchange, streams), parsedBody: body });
      return send(exchange, response, streams);
    },
    close: () => handler.close(),
  };
}

/** The addresses that a request to listen names; undefined: it is another request. */
function listenedUris(body: Json | undefined): string[] | undefined {
  if (!isJsonObject(body) || body.method !== "subscriptions/listen") return undefined;
  const notifications = (body.params as JsonObject | undefined)?.notifications as JsonObject | undefined;
  const uris = notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").slice(0, maxListened) : [];
}
