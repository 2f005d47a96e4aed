// The MCP endpoint: checks the scopes of a message, answers a plain tool call at once, and hands every other message to
// its revision of the protocol. The library distinguishes the revisions.
// Loaded at the first request, because the library is large.

import { isLegacyRequest } from "@modelcontextprotocol/server";
import { callerOf } from "#access/callers.ts";
import { type App, contextFor } from "#context.ts";
import { createToolFinder } from "#mcp/catalogue.ts";
import { makeServer as ownServer } from "#mcp/server.ts";
import type { Exchange, OpenExchange } from "./exchange.ts";
import { answerPlainCall, readPlainCall } from "./fast-tool-call.ts";
import { toRequest } from "./fetch-bridge.ts";
import { checkScopes } from "./method-scopes.ts";
import { createRevision2025 } from "./revision-2025.ts";
import { createRevision2026 } from "./revision-2026.ts";
import type { ServerMaker } from "./sessions.ts";
import { createStreams } from "./streams.ts";

export interface Endpoint {
  /**
   * Resolves to a JSON text that is to be sent, or answers on `res` by itself; `beforeSending` is called before it does.
   * Throws a Refusal before anything is sent.
   */
  serve(exchange: Exchange, beforeSending: () => void): Promise<string | undefined>;
  close(): Promise<void>;
}

/** `makeServer`: in the place of the product's own. */
export function createEndpoint(app: App, makeServer: ServerMaker = ownServer): Endpoint {
  const streams = createStreams(app);
  const revision2025 = createRevision2025(app, makeServer, streams);
  const revision2026 = createRevision2026(app, makeServer, streams);

  function open(exchange: Exchange): OpenExchange {
    const { res, caller, origin } = exchange;
    const asked = callerOf(caller.actor, { address: () => origin.address, response: res });
    const ctx = contextFor(app, caller.actor, origin, asked);
    ctx.surface = "mcp";
    return { ...exchange, ctx, findTool: createToolFinder(ctx) };
  }

  return {
    async serve(exchange, beforeSending) {
      const opened = open(exchange);
      const { req, res, body } = exchange;
      const checked = checkScopes(opened);
      if (checked !== undefined) await checked;
      const call = makeServer === ownServer ? readPlainCall(req.headers, body) : undefined;
      if (call) {
        if (!call.isAlone) await revision2025.checkSession(exchange);
        const text = await answerPlainCall(opened, call);
        if (text !== undefined) return text;
      }
      const left = new AbortController();
      beforeSending();
      const request = toRequest({ method: req.method ?? "GET", headers: req.headers, signal: left.signal });
      res.once("close", () => {
        // Holds the request until then: a collected Request gets no signal, and the library keeps only its own signal.
        if (!res.writableFinished && !request.signal.aborted) left.abort();
      });
      const isOld = req.method !== "POST" || (await isLegacyRequest(request, body ?? {}));
      await (isOld ? revision2025 : revision2026).serve(opened, request);
      return undefined;
    },
    async close() {
      streams.close();
      await Promise.all([revision2025.close(), revision2026.close()]);
    },
  };
}
