// Settings of the installation, a section at a time.

import type { FastifyInstance } from "fastify";
import { bodyOf, ifMatchOf } from "#http/request-helpers.ts";
import { confirmingRegistration, confirmsRegistration } from "#http/routes/accounts/confirmed-registration.ts";
import { sendData, sendFresh, sendObject, tagged, wrapInData } from "#http/send.ts";
import { listSettings } from "#installation/list-settings.ts";
import { getSettingsSection, putSettingsSection } from "#installation/settings.ts";
import { anyValue, described, listOf, wrapped } from "#openapi/route-doc.ts";

interface SectionPath {
  section: string;
}

const tag = "Settings";
const answer = wrapped(anyValue);

export function settingsRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List all settings, with where their values come from",
      description: "Secrets have no value here; `isSet` says whether there is one.",
      answer: wrapped(listOf({ type: "object" })),
    }),
    async (request, reply) => sendData(reply, await listSettings(request.ctx)),
  );
  server.get<{ Params: SectionPath }>(
    "/:section",
    described({ tag, summary: "Get a section of the settings", isTagged: true, answer }),
    async (request, reply) =>
      sendFresh(request, reply, wrapInData(tagged(await getSettingsSection(request.ctx, request.params.section)))),
  );
  server.put<{ Params: SectionPath }>(
    "/:section",
    described({
      isOfPower: true,
      tag,
      summary: "Change a section of the settings",
      description: `Null removes the saved value. ${confirmingRegistration.note}`,
      query: confirmingRegistration.query,
      body: anyValue,
      isConditional: true,
      answer,
    }),
    async (request, reply) => {
      const options = { ifMatch: ifMatchOf(request), isConfirmed: confirmsRegistration(request) };
      const saved = await putSettingsSection(request.ctx, request.params.section, bodyOf(request), options);
      return sendObject(reply, tagged(saved));
    },
  );
}
