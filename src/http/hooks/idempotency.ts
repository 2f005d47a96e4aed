// `Idempotency-Key` on POST: a request that is sent again, because its answer was lost, is not carried out again and gets the
// answer of the first. Keys belong to the caller and the route. Answers are kept for a day, encrypted, over all processes.
// Answers that show a secret are not kept: it is shown once. Those of a session are not kept either: they set its cookie.

import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from "fastify";
import { claimRequest, endRequest, type KeptAnswer, type RequestClaim, runRequest } from "#access/kept-answers.ts";
import { fail } from "#base/errors.ts";
import type { App } from "#context.ts";
import { FormBody } from "#http/form-bodies.ts";
import { isOfSession } from "#openapi/route-doc.ts";

const keyForm = /^[\x21-\x7e]{1,255}$/;
const keptHeaders = ["content-type", "etag", "location", "x-ignored", "content-security-policy"];

/** For every POST of the scopes inside. */
export function keepAnswers(server: FastifyInstance, app: App): void {
  const claims = new WeakMap<FastifyRequest, RequestClaim>();

  const claim: preHandlerHookHandler = (request, reply, done) => {
    const key = request.headers["idempotency-key"];
    if (key === undefined) return done();
    begin(request, String(key)).then((begun) => {
      if ("status" in begun) return void repeat(reply, begun);
      claims.set(request, begun);
      runRequest(begun, done);
    }, done);
  };
  const keep: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const running = claims.get(request);
    if (running === undefined) return done(null, payload);
    claims.delete(request);
    const isSecret = request.routeOptions.config.doc?.showsSecret === true;
    endRequest(app, running, { answer: answerOf(reply, payload), isSecret }).then(
      () => done(null, payload),
      (error) => {
        app.log.warn({ err: error }, "the answer to a request with an Idempotency-Key could not be kept");
        done(null, payload);
      },
    );
  };

  server.addHook("onRoute", (route) => {
    if (route.method !== "POST" || isOfSession(route.url)) return;
    route.preHandler = [...[route.preHandler ?? []].flat(), claim];
    route.onSend = [...[route.onSend ?? []].flat(), keep];
  });
}

async function begin(request: FastifyRequest, key: string): Promise<RequestClaim | KeptAnswer> {
  if (!keyForm.test(key))
    fail("invalid", "Idempotency-Key must be 1 to 255 visible characters without spaces, such as a UUID.");
  const { method, url } = request;
  return claimRequest(request.ctx, { key, address: `${method} ${url}`, body: bodyText(request) });
}

/** Undefined for a stream, which is never the answer to a write. */
function answerOf(reply: FastifyReply, payload: unknown): KeptAnswer | undefined {
  const isText = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isText && payload !== undefined && payload !== null) return undefined;
  const headers = keptHeaders.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []));
  const answer = { status: reply.statusCode, headers: Object.fromEntries(headers) };
  // Of extensions alone.
  if (Buffer.isBuffer(payload) && !isUtf8(payload))
    return { ...answer, body: payload.toString("base64"), isBase64: true };
  return { ...answer, body: isText ? String(payload) : "" };
}

function repeat(reply: FastifyReply, { status, headers, body, isBase64 }: KeptAnswer): void {
  reply.code(status).headers(headers).header("idempotency-replayed", "true");
  if (body === "") reply.send();
  else reply.send(isBase64 ? Buffer.from(body, "base64") : body);
}

/** Uploads and imports are read by their routes, piece by piece. */
function bodyText({ body, headers }: FastifyRequest): string {
  if (body instanceof FormBody) return JSON.stringify([...body.fields()]);
  const isUnread = body === undefined && (headers["transfer-encoding"] ?? headers["content-length"] ?? "0") !== "0";
  const prototype = typeof body === "object" && body !== null ? Object.getPrototypeOf(body) : null;
  if (isUnread || ![null, Object.prototype, Array.prototype].includes(prototype))
    fail("invalid", "Idempotency-Key is for JSON bodies and forms without files.");
  return JSON.stringify(body) ?? "";
}
