// The addresses of the admin web app. Outside the rate limit: its files are in memory, and a page needs many.

import type { FastifyInstance } from "fastify";
import type { AdminApp } from "#http/admin/admin-app.ts";
import { localRead } from "#http/forward/forward-requests.ts";

const local = localRead({ config: { takesOldSettings: "if-needed" } as const });

export function adminRoutes(server: FastifyInstance, admin: AdminApp): void {
  server.get("/admin", local, async (_request, reply) => admin.sendPage(reply));
  server.get<{ Params: { "*": string } }>("/admin/*", local, async (request, reply) =>
    admin.send(request, reply, request.params["*"]),
  );
}
