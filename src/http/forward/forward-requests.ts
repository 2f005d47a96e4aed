// Decides which requests a process that only reads sends on to the one that writes: all but reads of routes that say
// `isLocalRead`, and pages of the site. A read that turns out to need a write is sent on too, as long as nothing was answered.

import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { NeedsWriter } from "#base/writer-line.ts";
import type { App } from "#context.ts";
import type { AnswerEarly } from "#http/before-routing.ts";
import type { ErrorHandler } from "#http/errors.ts";
import { takeBackCount } from "#http/hooks/rate-limit.ts";
import type { Forwarder } from "./forwarder.ts";

export interface Forwarding {
  /** True: another process answers. To be called before anything else looks at the request. */
  take(request: FastifyRequest, reply: FastifyReply): boolean;
  insteadOf(answerError: ErrorHandler): ErrorHandler;
  /** What is no read needs no route to be known. */
  takeEarly: AnswerEarly;
}

export function forwardRequests(forwarder: Forwarder, app: App): Forwarding {
  function leave(request: FastifyRequest, reply: FastifyReply): void {
    request.isForwarded = true;
    reply.hijack();
  }

  return {
    take(request, reply) {
      // Addresses without a route are pages, public files, or unknown.
      if (request.is404 || request.routeOptions.config.isLocalRead) return false;
      leave(request, reply);
      forwarder.pass(request.raw, reply.raw, request.originalUrl);
      return true;
    },
    insteadOf: (answerError) => (error, request, reply) => {
      if (!(error instanceof NeedsWriter) || reply.raw.headersSent) return answerError(error, request, reply);
      takeBackCount(app, request, reply);
      leave(request, reply);
      forwarder.passLate(request.raw, reply.raw, request.originalUrl);
    },
    takeEarly(request, response) {
      if (isRead(request)) return false;
      forwarder.pass(request, response, request.url ?? "/");
      return true;
    },
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Marks a route, as `localRead(described({...}))`. */
export function localRead<T extends { config: object }>(route: T): T {
  return { ...route, config: { ...route.config, isLocalRead: true } };
}
