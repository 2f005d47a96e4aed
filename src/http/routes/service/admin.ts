// The addresses of the admin web app. Outside the rate limit: its files are in memory, and a page needs many.

import type { FastifyInstance } from "fastify";
import type { AdminApp } from "#http/admin/admin-app.ts";

export function adminRoutes(server: FastifyInstance, admin: AdminApp): void {
  server.get("/admin", async (_request, reply) => admin.sendPage(reply));
  server.get<{ Params: { "*": string } }>("/admin/*", async (request, reply) =>
    admin.send(request, reply, request.params["*"]),
  );
}
