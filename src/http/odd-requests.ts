// Requests that Node would refuse by itself, with an empty body and no id: HTTP/1.1 without Host, and an `Expect` that nobody knows.
// They get the usual error shape, before anything is routed or forwarded. Invalid HTTP is answered in broken-requests.ts.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { AnswerEarly } from "./before-routing.ts";
import { lingerOnClose } from "./bodies.ts";
import { errorText } from "./errors.ts";
import { jsonType } from "./media-types.ts";

type NextId = () => string;

/** HTTP/1.0 has no Host. */
export function refuseNameless(nextId: NextId): AnswerEarly {
  return (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== "1.1") return false;
    refuse(request, response, { id: nextId(), status: 400, message: "The Host header is missing." });
    return true;
  };
}

export function refuseExpectations({ server }: FastifyInstance, nextId: NextId): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    refuse(request, response, { id: nextId(), status: 417, message: "Expect may only be 100-continue." });
  });
}

interface Refusal {
  id: string;
  status: number;
  message: string;
  /** In seconds. */
  retryAfter?: number;
}

/** In the usual shape, before routing. The connection ends. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { id, status, message, retryAfter }: Refusal,
): void {
  if (!request.complete) lingerOnClose(request.socket);
  const body = errorText(status, message);
  response.writeHead(status, {
    "content-type": jsonType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow",
    "x-request-id": id,
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    connection: "close",
  });
  response.end(body);
}
