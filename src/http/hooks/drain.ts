// The end of a server's connections, without cutting off a request. HTTP/1.1 has one way to announce the end of a
// connection: `Connection: close` in an answer. So a connection that is in use is announced first, and one that is not in use
// is closed only when no client is likely to be writing to it.

import type { Server as HttpServer, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** Running requests may take this long after the last connection was accepted. */
export const drainMs = 7_500;
/** A client that was using a connection when the end began sends its next request within this time, or is idle. */
const quietMs = 250;
const sweepMs = 100;

export type Served = Pick<FastifyInstance, "server" | "close">;

/** From now on each answer says `Connection: close`, except those whose head is sent. */
export function announceClose(server: Served): void {
  // Before the handler, which may answer at once.
  server.server.prependListener("request", (_request: unknown, answer: ServerResponse) => {
    answer.shouldKeepAlive = false;
  });
}

/** New connections are refused; open ones live on. `Server.close` of HTTP would close those that are idle. */
export function stopAccepting(server: Served): void {
  NetServer.prototype.close.call(server.server);
}

/** Resolves when clients have closed every connection, or got an answer that closed it. */
export async function allClosed(server: Served, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await countConnections(server.server)) > 0)
    await sleep(sweepMs, undefined, { signal }).catch(() => {});
}

/** Running requests may end, for a while; connections that are idle now are closed. */
export async function drain(server: Served): Promise<void> {
  const quiet = new AbortController();
  const timer = setTimeout(() => quiet.abort(), quietMs);
  stopAccepting(server);
  await allClosed(server, quiet.signal);
  clearTimeout(timer);
  const sweep = setInterval(() => server.server.closeIdleConnections(), sweepMs);
  const deadline = setTimeout(() => server.server.closeAllConnections(), drainMs - quietMs);
  await server.close();
  clearInterval(sweep);
  clearTimeout(deadline);
}

function countConnections(server: HttpServer): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
