// Settings of the installation, a section at a time.

import type { FastifyInstance } from "fastify";
import { getSettingsSection, putSettingsSection } from "#content/settings.ts";
import { sendData } from "#http/answers.ts";
import { bodyOf } from "#http/door.ts";
import { anyValue, described, wrapped } from "#http/route-doc.ts";

interface SectionPath {
  section: string;
}

const tag = "Settings";
const answer = wrapped(anyValue);

export function settingsRoutes(server: FastifyInstance): void {
  server.get<{ Params: SectionPath }>(
    "/:section",
    described({ tag, summary: "Get a section of the settings", answer }),
    async (request, reply) => sendData(reply, await getSettingsSection(request.ctx, request.params.section)),
  );
  server.put<{ Params: SectionPath }>(
    "/:section",
    described({ tag, summary: "Change a section of the settings", body: anyValue, answer }),
    async (request, reply) =>
      sendData(reply, await putSettingsSection(request.ctx, request.params.section, bodyOf(request))),
  );
}
