// Routes of extensions, below /api/ext/{vendor}/{name}/. The manifest says who may call each; this door asks it first.

import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { answerRoute, findRoute } from "#extensions/routes.ts";
import { type BodyLimit, bodyLimit, isKnownTooLarge, readBody, tooLarge } from "#http/bodies.ts";
import { sendAdded } from "#http/extension-answers.ts";
import { addressOf, type HttpParts } from "#http/request-helpers.ts";
import { cutWhenIdle } from "#http/uploads.ts";

interface Address {
  Params: { vendor: string; name: string; "*": string };
}

const timeoutMs = 30_000;

/** Bodies that are no JSON are read when the route and the caller are known. */
export function extensionCallRoutes(server: FastifyInstance, { app, baseUrl }: HttpParts): void {
  server.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
  const reader = ({ ctx, body }: FastifyRequest) => {
    if (!(body instanceof IncomingMessage)) return undefined;
    return async (as: "bytes" | "stream") => {
      const ofAll = app.settings.get(as === "bytes" ? "api.maxBodySize" : "files.maxUploadSize");
      const limit = bodyLimit(app, ofAll, ctx);
      if (as === "bytes") return new Uint8Array(await readBody(body, limit));
      if (isKnownTooLarge(body, limit)) throw tooLarge(limit);
      cutWhenIdle(body);
      return Readable.toWeb(Readable.from(limited(body, limit))) as ReadableStream;
    };
  };
  const answer = async (request: FastifyRequest<Address>, reply: FastifyReply) => {
    const { ctx, method, headers } = request;
    const { vendor, name, "*": rest } = request.params;
    const asked = { extension: `${vendor}/${name}`, method, path: `/${rest}` };
    const { match, methods } = await findRoute(ctx, asked);
    if (!match && methods.length > 0) {
      reply.header("allow", [...new Set(methods)].sort().join(", "));
      fail("method-not-allowed");
    }
    const sent = await answerRoute(ctx, match ?? fail("not-found"), {
      ...asked,
      query: request.query as Record<string, string | string[]>,
      headers,
      body: request.body instanceof IncomingMessage ? null : (request.body ?? null),
      readRaw: reader(request),
      address: addressOf(request),
      baseUrl: baseUrl(),
      timeoutMs,
    });
    return sendAdded(reply, sent);
  };
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    server.route<Address>({ method, url: "/:vendor/:name/*", handler: answer });
}

/** Ends with an error where more comes than is allowed. */
async function* limited(body: IncomingMessage, limit: BodyLimit): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    if (length > limit.bytes) throw tooLarge(limit);
    yield new Uint8Array(chunk as Buffer);
  }
}
