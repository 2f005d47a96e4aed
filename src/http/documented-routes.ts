// Collects the descriptions of the routes while they are registered.

import type { FastifyInstance } from "fastify";
import type { DocumentedRoute } from "#openapi/route-doc.ts";

/** Aliases of routes that are described already. */
const aliases = ["/api/objects", "/collections"];

/** Must be called before the routes are added. */
export function collectRoutes(server: FastifyInstance): DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  // Addresses that differ only in the names of their parameters are one address.
  const paths = new Map<string, string>();
  server.addHook("onRoute", ({ url, method, config }) => {
    const doc = config?.doc;
    if (!doc || aliases.some((prefix) => url.startsWith(prefix))) return;
    // A prefix is registered both with and without the slash at its end.
    if (url.endsWith("/") && url.length > 1) return;
    const written = url.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
    const shape = written.replace(/\{\w+\}/g, "{}");
    const path = paths.get(shape) ?? written;
    paths.set(shape, path);
    for (const name of [method].flat()) if (name !== "HEAD") routes.push({ method: name.toLowerCase(), path, doc });
  });
  return routes;
}
