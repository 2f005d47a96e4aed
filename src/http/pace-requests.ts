// Requests for the code of extensions begin a few in each turn of the event loop, however many arrive together: those of others are
// answered between them.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnswerEarly, Route } from "./before-routing.ts";
import { countAsWaiting } from "./waiting-requests.ts";

/** Where the code of extensions answers. */
export const addedRoutes = "/api/ext/";

/** In one turn. */
const perTurn = 4;

/** Those whose address begins so. */
export function paceRequests(prefix: string): AnswerEarly {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isCounting = false;

  /** What arrived in this turn has begun by now, up to the limit. */
  function endOfTurn(): void {
    const next = waiting.splice(0, perTurn - begun);
    begun = 0;
    isCounting = waiting.length > 0 || next.length > 0;
    if (isCounting) setImmediate(endOfTurn);
    for (const begin of next) begin();
  }

  function wait(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const endWait = countAsWaiting(request.socket, response);
    waiting.push(() => {
      endWait();
      // The caller may have left by now.
      if (!response.destroyed) route(request, response);
    });
  }

  return (request, response, route) => {
    if (!request.url?.startsWith(prefix)) return false;
    if (!isCounting) setImmediate(endOfTurn);
    isCounting = true;
    if (begun === perTurn || waiting.length > 0) {
      wait(request, response, route);
      return true;
    }
    begun += 1;
    return false;
  };
}
