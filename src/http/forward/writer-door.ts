// The door of the process that writes for the other processes of its server: a socket that only the owner of the data directory
// can open. It answers forwarded requests as if their callers were connected here, and calls of the processes themselves.

import { randomBytes } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { beginTurn } from "#base/caches/once-per-turn.ts";
import { CairnError } from "#base/errors.ts";
import type { WriterCalls } from "#base/writer-line.ts";
import type { App } from "#context.ts";
import type { Route } from "#http/before-routing.ts";
import { readBody } from "#http/bodies.ts";
import { answerBrokenRequest } from "#http/broken-requests.ts";
import { addedRoutes, paceRequests } from "#http/pace-requests.ts";
import { ledgerOf, refuseUnread, watchedAnswers } from "#http/unsent/watched-answers.ts";
import { adoptCaller, callHeader } from "./forwarded-request.ts";

/** More than a client may send, because of what is added on the way. */
const maxHeaderSize = 32 * 1024;
const lookMs = 20;
const maxCall = 64 * 1024 * 1024;

export interface WriterDoor {
  /** From now on each answer ends its connection, except those whose head is sent. */
  announceClose(): void;
  /** Resolves when no other process has a connection, or after so long. */
  emptied(ms: number): Promise<void>;
  /** Until the other processes have closed their connections, which they keep until they end; for at most so long. */
  drain(ms: number): Promise<void>;
}

interface Options {
  path: string;
  calls: WriterCalls;
  app: App;
}

export async function openWriterDoor(server: FastifyInstance, { path, calls, app }: Options): Promise<WriterDoor> {
  const { log } = app;
  const unsent = ledgerOf(app);
  const refuse = refuseUnread(unsent, () => randomBytes(8).toString("base64url"));
  // The public side has its own limits of time, and has looked for the header Host.
  const options = {
    maxHeaderSize,
    requestTimeout: 0,
    headersTimeout: 0,
    keepAliveTimeout: 0,
    requireHostHeader: false,
    // The process at the other end looks after its clients.
    ServerResponse: watchedAnswers(unsent, false),
  };
  // What the public side does before it routes.
  const pace = paceRequests(addedRoutes);
  const route: Route = (request, response) => server.routing(request, response);
  const door = createServer(options, (request, response) => {
    beginTurn();
    const name = request.headers[callHeader];
    if (name !== undefined) return void answerCall(calls.get(String(name)), request, response).catch(failed(response));
    adoptCaller(request);
    if (refuse(request, response, route) || pace(request, response, route)) return;
    route(request, response);
  });
  door.on("clientError", (error, socket) => answerBrokenRequest(error, socket as never));
  function failed(response: ServerResponse): (error: unknown) => void {
    return (error) => {
      log.warn({ err: error }, "a call of another process failed");
      response.writeHead(error instanceof CairnError ? error.status : 500, { "content-length": 0 }).end();
    };
  }
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    door.once("error", reject);
    // Exclusive: a worker would else share it with the others.
    door.listen({ path, exclusive: true }, resolve);
  });
  chmodSync(path, 0o600);
  const left = () => new Promise<number>((resolve) => door.getConnections((_error, count) => resolve(count)));
  async function emptied(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (performance.now() < deadline && (await left()) > 0) await sleep(lookMs);
  }
  return {
    announceClose() {
      door.prependListener("request", (_request: unknown, answer: ServerResponse) => {
        answer.shouldKeepAlive = false;
      });
    },
    async emptied(ms) {
      // Those that were opened a moment ago are not counted yet.
      await sleep(lookMs);
      await emptied(ms);
    },
    async drain(ms) {
      await emptied(ms);
      const closed = new Promise((resolve) => door.close(resolve));
      door.closeAllConnections();
      await closed;
    },
  };
}

async function answerCall(
  call: ((body: unknown) => Promise<unknown>) | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = (await readBody(request, { bytes: maxCall, isPublic: false })).toString("utf8");
  if (!call) throw new CairnError("not-found");
  const answer = JSON.stringify((await call(JSON.parse(body))) ?? null);
  response.writeHead(200, { "content-length": Buffer.byteLength(answer) }).end(answer);
}
