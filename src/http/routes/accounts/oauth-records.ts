// OAuth clients and grants for administrators. They stay reachable while OAuth is switched off.
// A client's secret is in the answer to its creation and nowhere else.

import type { FastifyInstance } from "fastify";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { createClient, deleteClient, listClients, pruneClients } from "#oauth/clients.ts";
import { listGrants, revokeGrant } from "#oauth/grants.ts";
import { described, listOf, ref, whole, wrapped } from "#openapi/route-doc.ts";

const tag = "OAuth";
const client = ref("OAuthClient");

export function oauthClientRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List OAuth clients",
      description: "Created ones and self-registered ones.",
      answer: wrapped(listOf(client)),
    }),
    async (request, reply) => sendData(reply, await listClients(request.ctx)),
  );
  server.post(
    "/",
    described({
      tag,
      summary: "Create an OAuth client",
      description: "The answer shows the secret of a confidential client as `secret`, only this once.",
      body: client,
      status: 201,
      answer: wrapped(client),
    }),
    async (request, reply) => sendData(reply.code(201), await createClient(request.ctx, bodyOf(request))),
  );
  server.post(
    "/prune",
    described({
      tag,
      summary: "Remove stale clients",
      description: "Clients that registered themselves at least 24 hours ago and have no grant.",
      answer: wrapped({ type: "object", properties: { clients: whole("Number of removed clients.") } }),
    }),
    async (request, reply) => sendData(reply, { clients: await pruneClients(request.ctx) }),
  );
  const removal = described({
    tag,
    summary: "Delete an OAuth client",
    description: "Its grants end too.",
    status: 204,
  });
  server.delete<{ Params: { id: string } }>(
    "/:id",
    // The id of a client that a document describes is the address of that document.
    { config: { ...removal.config, takesAddresses: true } },
    async (request, reply) => {
      await deleteClient(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}

export function oauthGrantRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({ tag, summary: "List active grants", answer: wrapped(listOf(ref("OAuthGrant"))) }),
    async (request, reply) => sendData(reply, await listGrants(request.ctx)),
  );
  server.delete<{ Params: { id: string } }>(
    "/:id",
    described({
      tag,
      summary: "Revoke a grant",
      description: "All its tokens are invalid with the next request.",
      status: 204,
    }),
    async (request, reply) => {
      await revokeGrant(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}
