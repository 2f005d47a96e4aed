// Jobs, for the admin persona: list, get, retry, cancel, clear.

import type { FastifyInstance } from "fastify";
import { findText, readPaging } from "#content/query/parameters.ts";
import { jobStatuses } from "#contract/jobs.ts";
import { parametersOf } from "#http/parameters.ts";
import type { Query } from "#http/query-string.ts";
import { sendData } from "#http/send.ts";
import { cancelJob, clearJobs, getJob, listJobs, retryJob } from "#installation/jobs.ts";
import { described, listOf, pages, ref, text, wrapped } from "#openapi/route-doc.ts";

interface JobPath {
  id: string;
}

const tag = "Jobs";
const page = { default: 50, max: 100 };
const choosing = {
  kind: text("Only jobs of this kind."),
  subject: text("Only jobs of this subject."),
  status: text("Only these.", { enum: [...jobStatuses] }),
};

export function jobRoutes(server: FastifyInstance): void {
  server.get(
    "/",
    described({
      tag,
      summary: "List jobs",
      query: {
        ...choosing,
        ...pages("Jobs", page),
      },
      answer: wrapped(listOf(ref("Job"))),
    }),
    async (request, reply) => {
      const query = parametersOf(request);
      const { limit, offset } = readPaging(query, page);
      const { jobs, total } = await listJobs(request.ctx, { ...readFilter(query), limit, offset });
      return sendData(reply.header("x-total-count", total), jobs);
    },
  );
  server.get<{ Params: JobPath }>(
    "/:id",
    described({ tag, summary: "Get a job", answer: wrapped(ref("Job")) }),
    async (request, reply) => sendData(reply, await getJob(request.ctx, request.params.id)),
  );
  server.post<{ Params: JobPath }>(
    "/:id/retry",
    described({ tag, summary: "Queue a failed job again", answer: wrapped(ref("Job")) }),
    async (request, reply) => sendData(reply, await retryJob(request.ctx, request.params.id)),
  );
  server.post<{ Params: JobPath }>(
    "/:id/cancel",
    described({
      tag,
      summary: "Cancel a job",
      description:
        "One that waits ends at once, one that runs after the step that it is at. What is done stays done. Both are then " +
        "failed, with `cancelledAt`, and can be retried.",
      answer: wrapped(ref("Job")),
    }),
    async (request, reply) => sendData(reply, await cancelJob(request.ctx, request.params.id)),
  );
  server.delete(
    "/",
    described({
      tag,
      summary: "Remove finished jobs",
      query: { ...choosing, status: text("Only these.", { enum: ["succeeded", "failed"] }) },
      answer: wrapped({ type: "object", properties: { cleared: { type: "integer" } } }),
    }),
    async (request, reply) => sendData(reply, await clearJobs(request.ctx, readFilter(parametersOf(request)))),
  );
}

function readFilter(query: Query) {
  return { kind: findText(query, "kind"), subject: findText(query, "subject"), status: readStatus(query) };
}

/** Validated by the route's description. */
export function readStatus(query: Query) {
  return findText(query, "status") as (typeof jobStatuses)[number] | undefined;
}
