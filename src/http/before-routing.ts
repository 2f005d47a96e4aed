// Answers requests before they are routed. No hook has run by then: such an answer has to make every check that the hooks make.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { HostCheck } from "./hooks/check-host.ts";
import type { Metrics } from "./metrics/metrics.ts";

export type Route = (request: IncomingMessage, response: ServerResponse) => void;

/** True: it is answered, or will be. `route`: for one that is to be routed later. */
export type AnswerEarly = (request: IncomingMessage, response: ServerResponse, route: Route) => boolean;

export interface EarlyParts {
  nextId: () => string;
  host: HostCheck;
  metrics: Pick<Metrics, "countOf">;
}

/** When the server is ready. The last one that is added is asked first. */
export function beforeRouting({ server }: FastifyInstance, answer: AnswerEarly): void {
  const listeners = server.listeners("request") as Route[];
  const route: Route = (request, response) => {
    for (const listener of listeners) listener(request, response);
  };
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (!answer(request, response, route)) route(request, response);
  });
}
