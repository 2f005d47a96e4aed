// Where nodes share a database: the answer to a request that may change something waits until what it has logged can be read on every
// node. Reads do not wait; the little that they log is there a moment later.

import type { FastifyInstance } from "fastify";
import { settleLogs } from "#access/logs/shared-logs.ts";
import type { App } from "#context.ts";

export function settleLogsFirst(server: FastifyInstance, app: App): void {
  if (!app.storage.isShared) return;
  server.addHook("onSend", (request, reply, payload, done) => {
    const settling = request.method === "GET" || request.method === "HEAD" ? undefined : settleLogs(app);
    if (!settling) return done(null, payload);
    // Else a handler that has ended without a value would send a second answer while this one waits.
    reply.hijack();
    settling
      .then(() => done(null, payload))
      .catch((error) => {
        app.log.error({ err: error }, "an answer could not be sent");
        reply.raw.destroy();
      });
  });
}
