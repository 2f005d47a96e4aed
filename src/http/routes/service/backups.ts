// Whole backups, for an administrator's session with a recent password.

import type { FastifyInstance } from "fastify";
import { sendFile } from "#http/file-answers.ts";
import { signedInOf } from "#http/routes/accounts/auth.ts";
import { sendData, sendJson } from "#http/send.ts";
import type { OpenedFile } from "#media/serving/open-file.ts";
import { described, listOf, ref, text, wrapped } from "#openapi/route-doc.ts";
import { deleteBackup, type KeptBackup, listBackups, openBackupFile, startBackup } from "#sync/backups/kept-backups.ts";

interface BackupPath {
  name: string;
}

const tag = "Backups";
const rights = "For administrators who gave their password within the last ten minutes (`POST /api/auth/confirm`).";

export function backupRoutes(server: FastifyInstance): void {
  server.addHook("preHandler", (request, _reply, done) => {
    signedInOf(request);
    done();
  });
  server.get(
    "/",
    described({
      tag,
      summary: "List the whole backups",
      description: `Newest first; \`meta\` has the disk space, and the job that makes one now. ${rights}`,
      answer: {
        type: "object",
        properties: { data: listOf(ref("Backup")), meta: ref("BackupPlace") },
        required: ["data"],
      },
    }),
    async (request, reply) => {
      const { backups, place } = await listBackups(request.ctx);
      return sendJson(reply, { data: backups, meta: place });
    },
  );
  server.post(
    "/",
    described({
      tag,
      summary: "Make a whole backup",
      description: `A job makes it; while one is under way, the answer names that one. ${rights}`,
      status: 202,
      answer: wrapped({ type: "object", properties: { job: text("The id of the job.") }, required: ["job"] }),
    }),
    async (request, reply) => sendData(reply.code(202), await startBackup(request.ctx)),
  );
  server.get<{ Params: BackupPath }>(
    "/:name",
    described({
      tag,
      summary: "Download a whole backup",
      description: `It holds every secret of the site. ${rights}`,
      answerTypes: { "application/zip": { type: "string", format: "binary" } },
    }),
    async (request, reply) => {
      const backup = await openBackupFile(request.ctx, request.params.name);
      reply.header("cache-control", "no-store");
      return sendFile(request, reply, asFile(backup), { disposition: "attachment", hasRanges: true });
    },
  );
  server.delete<{ Params: BackupPath }>(
    "/:name",
    described({ tag, summary: "Delete a whole backup", description: rights, status: 204 }),
    async (request, reply) => {
      await deleteBackup(request.ctx, request.params.name);
      return reply.code(204).send();
    },
  );
}

function asFile({ file, name, created }: KeptBackup): OpenedFile {
  const modified = Date.parse(created);
  return { ...file, name, modified, mime: "application/zip", isShared: false, count: () => {} };
}
