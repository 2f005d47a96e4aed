// Rate limits of the API, and their headers. Callers without credentials are counted by address,
// keys and users by their id, tokens by their grant. The address is the socket's, or what a proxy named in `trustProxy`
// says it is.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#access/actor.ts";
import { callerName } from "#access/callers.ts";
import { CairnError, rateLimited } from "#base/errors.ts";
import type { App } from "#context.ts";
import { type ErrorHandler, pathOf } from "#http/errors.ts";
import { addressOf, isApiPath } from "#http/request-helpers.ts";

/** Counts the request and sets the headers; throws when there were too many. `actor`: where no route has found the caller. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply, actor?: Actor) => void;

/** An answer that has it was counted, unless there is no limit. */
const limitHeader = "x-ratelimit-limit";

export function createRateLimit(app: App): RateLimit {
  const { settings, limiter } = app;
  let end = 0;
  let endText = "";

  function setHeaders(reply: FastifyReply, limit: number, remaining: number): void {
    const windowEnd = limiter.windowEnd();
    if (windowEnd !== end) {
      end = windowEnd;
      endText = String(end / 1_000);
    }
    // As text: the framework would take a number for something that it has to look at twice.
    reply.header(limitHeader, String(limit));
    reply.header("x-ratelimit-remaining", String(remaining));
    reply.header("x-ratelimit-reset", endText);
  }

  // A request that was refused before its caller was known counts for its address.
  return (request, reply, actor: Actor | undefined = request.ctx?.actor) => {
    const limit = settings.get(limitOf(actor));
    if (limit === 0) return setHeaders(reply, 0, 0);
    const { remaining } = limiter.count(
      callerName(actor, () => addressOf(request)),
      limit,
    );
    setHeaders(reply, limit, Math.max(0, remaining));
    if (remaining < 0) throw rateLimited(limiter.windowEnd() - app.clock.now());
  };
}

/** For a request that another process answers, and counts. */
export function takeBackCount({ limiter }: App, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.hasHeader(limitHeader)) limiter.takeBack(callerName(request.ctx?.actor, () => addressOf(request)));
}

/** Counts requests that were refused before their caller was known, or guessing keys would have no limit. */
export function limitRefusals(limit: RateLimit, answerError: ErrorHandler): ErrorHandler {
  return (error, request, reply) => {
    let answered = error;
    try {
      const isCounted = reply.hasHeader(limitHeader) || isAway(error);
      if (!isCounted && isApiPath(pathOf(request))) limit(request, reply);
    } catch (tooMany) {
      answered = tooMany;
    }
    answerError(answered, request, reply);
  };
}

/** The key could not be checked: that is no guess, and not this caller's fault. */
function isAway(error: unknown): boolean {
  return error instanceof CairnError && error.word === "unavailable";
}

type LimitKey = "api.rateLimit" | "api.keyRateLimit" | "api.tokenRateLimit" | "api.sessionRateLimit";

function limitOf(actor: Actor | undefined): LimitKey {
  switch (actor?.kind) {
    case "key":
      return "api.keyRateLimit";
    case "token":
      return "api.tokenRateLimit";
    case "user":
      return "api.sessionRateLimit";
    default:
      return "api.rateLimit";
  }
}
