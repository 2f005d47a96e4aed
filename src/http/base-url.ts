// The address that links name: from the settings or the listening socket, never from what a request claims.

import type { FastifyInstance } from "fastify";
import type { App } from "#context.ts";

export function createBaseUrl(server: FastifyInstance, app: App): () => string {
  let known: string | undefined;
  return () => (known ??= app.settings.get("url").replace(/\/+$/, "") || listening(server));
}

function listening(server: FastifyInstance): string {
  const first = server.server.address();
  if (!first || typeof first === "string") return "http://localhost";
  return `http://${first.family === "IPv6" ? `[${first.address}]` : first.address}:${first.port}`;
}
