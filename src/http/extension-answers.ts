// Sends what routes of extensions answer. Their bytes belong to the answer alone, and go with it.

import type { FastifyReply } from "fastify";
import type { SentAnswer } from "#extensions/route-answers.ts";

export function sendAdded(reply: FastifyReply, { status, headers, body }: SentAnswer): FastifyReply {
  if (body instanceof Uint8Array) reply.raw.once("finish", () => free(body));
  return reply.status(status).headers(headers).send(body);
}

/**
 * Node would leave it to its garbage collector, which holds everybody up once some tens of megabytes have come together. Only after
 * all was sent: of a connection that broke the system may still hold a part.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}
