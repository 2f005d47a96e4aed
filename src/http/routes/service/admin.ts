// The addresses of the admin web app. Outside the rate limit: its files are in memory, and a page needs many.

import type { FastifyInstance } from "fastify";
import type { AdminApp } from "#http/admin/admin-app.ts";
import { localRead } from "#http/forward/forward-requests.ts";

export function adminRoutes(server: FastifyInstance, admin: AdminApp): void {
  server.get("/admin", localRead({ config: {} }), async (_request, reply) => admin.sendPage(reply));
  server.get<{ Params: { "*": string } }>("/admin/*", localRead({ config: {} }), async (request, reply) =>
    admin.send(request, reply, request.params["*"]),
  );
}
