// The one translator from errors to HTTP answers: `{error: {code, message, details?}}`, for bad uploads `{error: text}`.
// Only messages of a CairnError are sent. Every other error becomes a fixed text; its stack is logged.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { CairnError, type ErrorDetails, type ErrorWord, errorCatalogue } from "#base/errors.ts";
import { closeUnread } from "./bodies.ts";
import { jsonType } from "./media-types.ts";

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

export function createErrorHandler(log: Pick<Logger, "error">): ErrorHandler {
  return (error, request, reply) => {
    const known = asCairnError(error);
    if (!known) {
      if (hasLeft(request)) return void reply.code(400).send();
      log.error({ requestId: request.id, method: request.method, path: pathOf(request), err: error }, "request failed");
    }
    closeUnread(request, reply);
    reply.header("cache-control", "no-store");
    const { word, status, message, details, retryAfter } = known ?? internal(request.id);
    if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
    const challenge = challenges[word];
    if (challenge !== undefined && !reply.hasHeader("www-authenticate")) reply.header("www-authenticate", challenge);
    reply
      .code(status)
      .header("content-type", jsonType)
      .send(isBadUpload(request, status) ? uploadText(message, details) : errorText(status, message, details));
  };
}

/** The expected credential; a hook that knows more has set it already. */
const challenges: { [word in ErrorWord]?: string } = {
  unauthenticated: 'Bearer realm="Cairn"',
  "invalid-key": 'Bearer realm="Cairn"',
  "invalid-token": 'Bearer realm="Cairn", error="invalid_token"',
  "insufficient-scope": 'Bearer realm="Cairn", error="insufficient_scope"',
};

/** The file itself is wrong, not the caller or the address. */
function isBadUpload({ routeOptions }: FastifyRequest, status: number): boolean {
  return routeOptions?.config?.isUpload === true && [400, 413, 422].includes(status);
}

function uploadText(message: string, details: ErrorDetails = {}): string {
  const more = Object.values(details).flat();
  return JSON.stringify({ error: [message, ...more.filter((text) => !message.includes(text))].join(" ") });
}

export function errorText(code: number, message: string, details?: ErrorDetails): string {
  return JSON.stringify({ error: { code, message, ...(details && { details }) } });
}

/** The path without the query string, which may carry a key. */
export function pathOf(request: FastifyRequest): string {
  return pathIn(request.raw.url ?? "/");
}

export function pathIn(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function internal(requestId: string): CairnError {
  return new CairnError("internal", `${errorCatalogue.internal.message} Request id: ${requestId}`);
}

/** Fastify and its plugins set 4xx as `statusCode`; only the status is used, not their texts. */
const wordOfStatus: Record<number, ErrorWord> = {
  404: "not-found",
  405: "method-not-allowed",
  406: "unsupported-type",
  413: "too-large",
  // A segment longer than any id.
  414: "not-found",
  415: "unsupported-type",
  416: "range-not-satisfiable",
  429: "rate-limited",
  503: "unavailable",
};

export function asCairnError(error: unknown): CairnError | undefined {
  if (error instanceof CairnError) return error;
  const { statusCode } = error as Partial<FastifyError>;
  if (statusCode === undefined || (statusCode >= 500 && statusCode !== 503)) return undefined;
  return new CairnError(wordOfStatus[statusCode] ?? "invalid");
}

/** Not by `raw.destroyed`, which is also true of a request whose body has been read to its end. */
function hasLeft(request: FastifyRequest): boolean {
  return request.raw.socket.destroyed;
}
