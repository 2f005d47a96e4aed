// OAuth clients, grants and signing keys for administrators. They stay reachable while OAuth is switched off.
// A client's secret is in the answer to its creation and nowhere else.

import type { FastifyInstance } from "fastify";
import { findText } from "#content/query/parameters.ts";
import type { Json } from "#contract/json.ts";
import type { PruneResult } from "#contract/oauth.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { createClient, deleteClient, listClients, pruneClients } from "#oauth/clients.ts";
import { getReach, listGrants, revokeGrant, revokeGrantsFor } from "#oauth/grants.ts";
import { changeKeys, getKeyState } from "#oauth/keys.ts";
import { described, listOf, ref, text, whole, wrapped } from "#openapi/route-doc.ts";

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
      isOfPower: true,
      tag,
      summary: "Create an OAuth client",
      description: "The answer shows the secret of a confidential client as `secret`, only this once.",
      showsSecret: true,
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
      body: { type: "object", properties: { dryRun: { type: "boolean", description: "Only count them." } } },
      isBodyOptional: true,
      answer: wrapped({ type: "object", properties: { clients: whole("Number of removed clients.") } }),
    }),
    async (request, reply) => {
      const result: PruneResult = { clients: await pruneClients(request.ctx, request.body as Json | undefined) };
      return sendData(reply, result);
    },
  );
  const removal = described({
    isOfPower: true,
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
  server.get<{ Params: { id: string } }>(
    "/:id/reach",
    described({
      tag,
      summary: "Get what a grant reaches",
      description:
        "The collections that its tokens read and write at this moment, by the user's present rights, its scopes and what the collections open to MCP; as the consent page shows it.",
      answer: wrapped(ref("GrantReach")),
    }),
    async (request, reply) => sendData(reply, await getReach(request.ctx, request.params.id)),
  );
  server.delete(
    "/",
    described({
      tag,
      summary: "Revoke all grants of a client",
      query: { client: text("The id of the client.") },
      answer: wrapped({ type: "object", properties: { grants: whole("Number of revoked grants.") } }),
    }),
    async (request, reply) => {
      const grants = await revokeGrantsFor(request.ctx, findText(parametersOf(request), "client"));
      return sendData(reply, { grants });
    },
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

export function oauthKeyRoutes(server: FastifyInstance): void {
  const answer = wrapped(ref("SigningKeys"));
  server.get("/", described({ tag, summary: "Get the state of the signing keys", answer }), async (request, reply) =>
    sendData(reply, await getKeyState(request.ctx)),
  );
  server.post(
    "/",
    described({
      tag,
      summary: "Make the signing keys",
      description: "Keys that are there stay, unless `force` replaces them: that ends every grant and every token.",
      body: { type: "object", properties: { force: { type: "boolean", description: "Replace the keys." } } },
      isBodyOptional: true,
      answer,
    }),
    async (request, reply) => sendData(reply, await changeKeys(request.ctx, request.body as Json | undefined)),
  );
}
