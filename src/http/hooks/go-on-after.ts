// Hooks that wait for something, and let the request go on when it is there. They are not async: the framework would take the
// promise for a second call of done, and run the request twice.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";

interface Waiting {
  request: FastifyRequest;
  reply: FastifyReply;
  done(error?: Error): void;
  log: Logger;
}

export function goOnAfter(work: Promise<unknown>, { request, reply, done, log }: Waiting): void {
  // What the rest of the request throws ends its connection: a promise that nobody holds would end the process.
  work
    .then(() => done(), done)
    .catch((error) => {
      log.error({ requestId: request.id, err: error }, "a request could not be answered");
      reply.raw.destroy();
    });
}
