// The state of the MCP endpoint and the examination of one, for administrators.

import type { FastifyInstance } from "fastify";
import type { Json } from "#contract/json.ts";
import { sendData } from "#http/send.ts";
import { runDoctor } from "#mcp/doctor.ts";
import { getMcpStatus } from "#mcp/status.ts";
import { described, ref, text, wrapped } from "#openapi/route-doc.ts";

const tag = "MCP";

export function mcpStateRoutes(server: FastifyInstance): void {
  server.get(
    "/mcp-status",
    described({
      tag,
      summary: "Get the set-up of the MCP endpoint",
      description: "With what each collection opens to clients.",
      answer: wrapped(ref("McpStatus")),
    }),
    async (request, reply) => sendData(reply, await getMcpStatus(request.ctx)),
  );
  server.post(
    "/mcp-doctor",
    described({
      tag,
      summary: "Examine an MCP endpoint",
      description:
        "Takes the steps of a client that has never seen the site, and answers with what it found and what to do. It reaches this site and public addresses.",
      body: { type: "object", properties: { url: text("The endpoint; that of this site unless set.") } },
      isBodyOptional: true,
      answer: wrapped(ref("DoctorReport")),
    }),
    async (request, reply) => sendData(reply, await runDoctor(request.ctx, (request.body as Json | undefined) ?? {})),
  );
}
