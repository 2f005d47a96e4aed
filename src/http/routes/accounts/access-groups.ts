// Access groups, for the admin persona.

import type { FastifyInstance } from "fastify";
import { createGroup, deleteGroup, getGroup, listGroups, replaceGroup } from "#access/access-groups.ts";
import { bodyOf, type HttpParts } from "#http/request-helpers.ts";
import { sendData } from "#http/send.ts";
import { described, listOf, ref, wrapped } from "#openapi/route-doc.ts";
import { confirmingRegistration, confirmsRegistration } from "./confirmed-registration.ts";

interface GroupPath {
  id: string;
}

const tag = "Access groups";
const group = ref("AccessGroup");
const answer = wrapped(group);

export function accessGroupRoutes(server: FastifyInstance, door: HttpParts): void {
  server.get(
    "/",
    described({ tag, summary: "List access groups", answer: wrapped(listOf(group)) }),
    async (request, reply) => sendData(reply, await listGroups(request.ctx)),
  );
  server.post(
    "/",
    described({
      isOfPower: true,
      tag,
      summary: "Create an access group",
      description: confirmingRegistration.note,
      query: confirmingRegistration.query,
      body: group,
      status: 201,
      answer,
    }),
    async (request, reply) => {
      const isConfirmed = confirmsRegistration(request);
      const made = await createGroup(request.ctx, bodyOf(request), { isConfirmed });
      reply.code(201).header("location", `${door.baseUrl()}/api/access-groups/${made.id}`);
      return sendData(reply, made);
    },
  );
  server.get<{ Params: GroupPath }>(
    "/:id",
    described({ tag, summary: "Get an access group", answer }),
    async (request, reply) => sendData(reply, await getGroup(request.ctx, request.params.id)),
  );
  server.put<{ Params: GroupPath }>(
    "/:id",
    described({
      isOfPower: true,
      tag,
      summary: "Create or replace an access group",
      description: `Parts left out grant nothing. 201 when the group is new. ${confirmingRegistration.note}`,
      query: confirmingRegistration.query,
      body: group,
      mayCreate: true,
      answer,
    }),
    async (request, reply) => {
      const isConfirmed = confirmsRegistration(request);
      const saved = await replaceGroup(request.ctx, request.params.id, bodyOf(request), { isConfirmed });
      return sendData(reply.code(saved.isNew ? 201 : 200), saved.group);
    },
  );
  server.delete<{ Params: GroupPath }>(
    "/:id",
    described({ isOfPower: true, tag, summary: "Delete an access group", status: 204 }),
    async (request, reply) => {
      await deleteGroup(request.ctx, request.params.id);
      return reply.code(204).send();
    },
  );
}
