// Answers requests before they are routed. No hook has run by then: such an answer has to make every check that the hooks make.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** True: it is answered, or will be. */
export type AnswerEarly = (request: IncomingMessage, response: ServerResponse) => boolean;

/** When the server is ready. The last one that is added is asked first. */
export function beforeRouting({ server }: FastifyInstance, answer: AnswerEarly): void {
  const routed = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!answer(request, response)) for (const route of routed) route(request, response);
  });
}
