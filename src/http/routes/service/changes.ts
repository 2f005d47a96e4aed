// The log of changes over all collections: pages of it, its writers, and a stream that follows it (server-sent events).

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callerName } from "#access/callers.ts";
import { recognize } from "#access/credentials.ts";
import { feedLimit, listChanges, listWriters } from "#content/history/feed.ts";
import { doors } from "#contract/history.ts";
import { requestedAccess, sentCredentials } from "#http/hooks/authenticate.ts";
import { parametersOf } from "#http/parameters.ts";
import { addressOf, type HttpParts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { catchUpSettings } from "#installation/settings.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";
import { type Connection, createChangeStreams } from "#review/stream/streams.ts";

const byWriter = {
  grant: text("Only of this grant of the OAuth server."),
  key: text("Only of this API key."),
  user: text("Only of this user, and of applications that the user let in."),
};
const limit = whole(`Entries in a page; values above ${feedLimit.max} count as ${feedLimit.max}.`, {
  minimum: 1,
  default: feedLimit.default,
});

export function changeRoutes(server: FastifyInstance): void {
  server.get(
    "/changes",
    described({
      tag: "History",
      summary: "List the changes of all collections",
      description:
        "Oldest first. `meta.cursor` is where to go on, also at the end: what is new comes after it. A request looks through a bounded part of the log, so a page may have fewer entries than `limit`, even none, before the end. Administrators see all changes, others those of the collections that they may update.",
      query: {
        collection: text("Only changes of this collection."),
        writer: text("Only of this writer."),
        ...byWriter,
        door: text("Only changes that came this way.", { enum: [...doors] }),
        since: text("Only changes from this time on: an ISO time."),
        until: text("Only changes up to this time."),
        after: text("Only changes after this cursor."),
        limit,
      },
      answer: wrapped(listOf(ref("Change"))),
    }),
    async (request, reply) => {
      const { entries, cursor } = await listChanges(request.ctx, parametersOf(request));
      return sendJson(reply, { data: entries, meta: { cursor } });
    },
  );
  server.get(
    "/writers",
    described({
      tag: "History",
      summary: "List who has written",
      description: "Each combination of caller, door and run once. Callers who are no administrators see themselves.",
      query: { ...byWriter, cursor: text("Where to continue, from meta.cursor."), limit },
      answer: wrapped(listOf(ref("Writer"))),
    }),
    async (request, reply) => {
      const { writers, cursor } = await listWriters(request.ctx, parametersOf(request));
      return sendJson(reply, { data: writers, ...(cursor !== undefined && { meta: { cursor } }) });
    },
  );
}

export function changeStreamRoutes(server: FastifyInstance, { app }: HttpParts): void {
  const streams = createChangeStreams(app);
  server.addHook("preClose", async () => streams.close());
  server.get(
    "/changes/stream",
    described({
      tag: "History",
      summary: "Follow the changes",
      description:
        "Server-sent events in the order of commits: `change` with a change as data and its cursor as id, `reset` when the cursor is older than the log or of another log, so that everything must be read again. Reconnect with Last-Event-ID or `after`. An event may come more than once, none is left out.",
      query: {
        collections: text("Only changes of these collections, separated by commas; each must keep a history."),
        include: text("`object` adds the object as the caller sees it now.", { enum: ["object"] }),
        after: text("Start after this cursor; `now`: only what comes from now on. Without it: from the beginning."),
      },
      answerTypes: { "text/event-stream": { type: "string" } },
    }),
    async (request, reply) => {
      const sent = request.headers["last-event-id"];
      const params = parametersOf(request);
      const { start } = await streams.open(request.ctx, sent === undefined ? params : { ...params, after: sent });
      begin(request, reply, start);
      return reply;
    },
  );

  function begin(request: FastifyRequest, reply: FastifyReply, start: (connection: Connection) => void): void {
    reply.hijack();
    const { raw: response } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, {
      ...{ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
      "x-accel-buffering": "no",
    });
    if (request.method === "HEAD") return void response.end();
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    response.on("error", () => gone.abort());
    start({
      who: callerOf(request),
      authenticate: authenticator(request),
      write: (text) => void response.write(text),
      unread: () => response.writableLength,
      signal: gone.signal,
      end: () => {
        gone.abort();
        response.end();
      },
    });
  }

  /** What is kept of the request while the stream is open. */
  function authenticator(request: FastifyRequest): Connection["authenticate"] {
    const [sent, access] = [sentCredentials(request), requestedAccess(request)];
    return async () => {
      await catchUpSettings(app);
      const found = await recognize(app, sent, access);
      return found.refusal === undefined ? found.actor : undefined;
    };
  }
}

/** Sessions of one user may end one by one, tokens of one grant too. */
function callerOf(request: FastifyRequest): string {
  const { actor } = request.ctx;
  const { authorization } = request.headers;
  return `${callerName(actor, () => addressOf(request))} ${request.signedIn?.value ?? authorization ?? ""}`;
}
