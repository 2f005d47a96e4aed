// The answers of a server whose unsent bytes are counted, whichever way they are written. An answer that leaves at once costs one look.

import { type IncomingMessage, ServerResponse } from "node:http";
import { totalmem } from "node:os";
import { constrainedMemory } from "node:process";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { AnswerEarly } from "#http/before-routing.ts";
import { refuse } from "#http/odd-requests.ts";
import { networkReader } from "./client-network.ts";
import { createLedger, type Ledger, unsentBounds } from "./ledger.ts";

const retrySeconds = 5;
/** Balancers ask them, and the answers are small. */
const probes = new Set(["/healthz", "/readyz"]);

/** One for all doors of the process. */
export const ledgerOf = perInstance((app: App): Ledger => {
  const { settings, log } = app;
  const limit = constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return createLedger({
    bounds: unsentBounds(memory, Math.max(1, settings.get("workers"))),
    networkOf: networkReader(settings.get("trustProxy")),
    log,
  });
});

/** For the options of a server. `isOfClients`: the other ends of its connections are clients, not processes of this server. */
export function watchedAnswers(ledger: Ledger, isOfClients: boolean): typeof ServerResponse {
  class WatchedAnswer<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    override write(...args: unknown[]): boolean {
      const isTaken = super.write(...(args as [unknown]));
      if (!isTaken) ledger.note(this, isOfClients);
      return isTaken;
    }

    // biome-ignore lint/suspicious/noExplicitAny: the ways to call it are Node's
    override end(chunk?: any, encoding?: any, done?: any): this {
      super.end(chunk, encoding, done);
      if (this.writableLength > 0) ledger.note(this, isOfClients);
      return this;
    }
  }
  return WatchedAnswer as typeof ServerResponse;
}

/** Before anything is made for a network that does not read what it was sent. */
export function refuseUnread(ledger: Ledger, nextId: () => string): AnswerEarly {
  return (request, response) => {
    if (!ledger.refuses(request) || probes.has(request.url ?? "")) return false;
    const message = "Too much of earlier answers was not read yet. Read it, or try again in a moment.";
    refuse(request, response, { id: nextId(), status: 503, message, retryAfter: retrySeconds });
    return true;
  };
}
