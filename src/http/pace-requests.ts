// Requests for the code of extensions begin a few in each turn of the event loop, however many arrive together: those of others are
// answered between them.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnswerEarly, Route } from "./before-routing.ts";

/** In one turn. */
const perTurn = 4;

/** Those whose address begins so. */
export function paceRequests(prefix: string): AnswerEarly {
  const waiting: [IncomingMessage, ServerResponse, Route][] = [];
  let begun = 0;
  let isCounting = false;

  function nextTurn(): void {
    begun = 0;
    for (const [request, response, route] of waiting.splice(0, perTurn)) {
      begun += 1;
      // Its caller may have left by now.
      if (!response.destroyed) route(request, response);
    }
    isCounting = begun > 0;
    if (isCounting) setImmediate(nextTurn);
  }

  return (request, response, route) => {
    if (!request.url?.startsWith(prefix)) return false;
    if (!isCounting) setImmediate(nextTurn);
    isCounting = true;
    if (begun >= perTurn) {
      waiting.push([request, response, route]);
      return true;
    }
    begun += 1;
    return false;
  };
}
