// The mailer: previews, sending to one recipient or to a whole collection, and the log of sent mails.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { findText, readPaging } from "#content/query/parameters.ts";
import type { Json } from "#contract/json.ts";
import { mailStatuses } from "#contract/mail.ts";
import { listLimit } from "#contract/queries.ts";
import { parametersOf } from "#http/parameters.ts";
import { bodyOf } from "#http/request-helpers.ts";
import { sendData, sendJson } from "#http/send.ts";
import { cancelBulk, getBatch, listBatches, previewBulk, sendBulk } from "#mailer/bulk.ts";
import { listMailLog, retryMail } from "#mailer/mail-log.ts";
import { previewUnsaved, testMail } from "#mailer/mail-test.ts";
import { previewMail, sendMailer, testMailer } from "#mailer/mailer.ts";
import { anyValue, described, listOf, pages, text, wrapped } from "#openapi/route-doc.ts";

/** The whole body may be left out. */
const isBodyOptional = true;

interface MailerPath {
  id: string;
}

const tag = "Mailer";
const answer = wrapped(anyValue);
const object = { type: "object" };
const about = {
  data: { type: "object", description: "Values for the templates, as `data`." },
  collection: text("With `object`: an object whose properties are added to `data`."),
  object: text("The id of the object."),
};
const when = text("When to send; at once when left out.", { format: "date-time" });
const single = { ...object, properties: { ...about, scheduledAt: when } };
const bulk = {
  ...object,
  properties: {
    collection: text("One mail for each of its objects; the mailer's own when left out."),
    include: text("Only objects that match."),
    exclude: text("No objects that match."),
    ids: { type: "array", items: { type: "string" }, description: "Only these objects." },
    overrideTo: text("All mails go to this address instead."),
    resend: { type: "boolean", description: "Also to objects that were sent this mail before." },
    scheduledAt: when,
  },
};

export function mailerRoutes(server: FastifyInstance): void {
  server.post<{ Params: MailerPath }>(
    "/:id/preview",
    described({ tag, summary: "Compose a mail without sending it", body: single, isBodyOptional, answer }),
    async (request, reply) => sendData(reply, await previewMail(request.ctx, request.params.id, sentBy(request))),
  );
  server.post<{ Params: MailerPath }>(
    "/:id/send",
    described({
      tag,
      summary: "Send a mail",
      description: "Errors are reported at once; the mail is stored and sent in the background.",
      body: single,
      isBodyOptional,
      status: 202,
      answer,
    }),
    async (request, reply) =>
      sendData(reply.code(202), await sendMailer(request.ctx, request.params.id, sentBy(request))),
  );
  server.post<{ Params: MailerPath }>(
    "/:id/test",
    described({
      tag,
      summary: "Send a mail to one address and wait for the mail server",
      body: { ...object, properties: { to: text("The only recipient."), ...about }, required: ["to"] },
      answer,
    }),
    async (request, reply) => sendData(reply, await testMailer(request.ctx, request.params.id, bodyOf(request))),
  );
  server.post<{ Params: MailerPath }>(
    "/:id/bulk/preview",
    described({
      tag,
      summary: "Count the mails of a batch and compose the first",
      description:
        "With `look` the answer also says which objects are left out, and why: up to 10,000 are compared with the log, the mails of up to 20 are composed.",
      body: {
        ...bulk,
        properties: { ...bulk.properties, look: { type: "boolean", description: "Also what becomes of the others." } },
      },
      isBodyOptional,
      answer,
    }),
    async (request, reply) => sendData(reply, await previewBulk(request.ctx, request.params.id, sentBy(request))),
  );
  server.post<{ Params: MailerPath }>(
    "/:id/bulk",
    described({
      tag,
      summary: "Send a mail for each object of a collection",
      description: "With `expect` it is 412 when another number of objects matches; `details.expect` has the number.",
      body: {
        ...bulk,
        properties: { ...bulk.properties, expect: { type: "integer", description: "How many objects shall match." } },
      },
      isBodyOptional,
      status: 202,
      answer,
    }),
    async (request, reply) =>
      sendData(reply.code(202), await sendBulk(request.ctx, request.params.id, sentBy(request))),
  );
  batchRoutes(server);
}

function sentBy({ body }: FastifyRequest): Json {
  return (body ?? {}) as Json;
}

function batchRoutes(server: FastifyInstance): void {
  server.get(
    "/log",
    described({
      tag,
      summary: "List sent mails, newest first",
      query: {
        mailer: text("Only of this mailer."),
        batch: text("Only of this batch."),
        status: text("Only in this state.", { enum: [...mailStatuses] }),
        ...pages("Mails", listLimit),
      },
      answer: wrapped(listOf(object)),
    }),
    async (request, reply) => {
      const params = parametersOf(request);
      const { limit, offset } = readPaging(params, listLimit);
      const [mailer, batch, status] = ["mailer", "batch", "status"].map((name) => findText(params, name));
      const { mails, total } = await listMailLog(request.ctx, { mailer, batch, status, limit, offset });
      return sendJson(reply.header("x-total-count", total), { data: mails, meta: { total, limit, offset } });
    },
  );
  server.post<{ Params: { mail: string } }>(
    "/log/:mail/retry",
    described({
      tag,
      summary: "Send a mail again that failed or was left out",
      description: "It is composed from its object, with the rights of the caller, who is the sender from now on.",
      status: 202,
      answer: wrapped(object),
    }),
    async (request, reply) => sendData(reply.code(202), await retryMail(request.ctx, request.params.mail)),
  );
  server.get(
    "/batches",
    described({
      tag,
      summary: "List batches, newest first, with the number of mails in each state",
      query: { mailer: text("Only of this mailer."), ...pages("Batches", listLimit) },
      answer: wrapped(listOf(object)),
    }),
    async (request, reply) => {
      const params = parametersOf(request);
      const { limit, offset } = readPaging(params, listLimit);
      const { batches, total } = await listBatches(request.ctx, { mailer: findText(params, "mailer"), limit, offset });
      return sendJson(reply.header("x-total-count", total), { data: batches, meta: { total, limit, offset } });
    },
  );
  server.get<{ Params: { batch: string } }>(
    "/batches/:batch",
    described({ tag, summary: "Count the mails of a batch by status", answer }),
    async (request, reply) => sendData(reply, await getBatch(request.ctx, request.params.batch)),
  );
  server.delete<{ Params: { batch: string } }>(
    "/batches/:batch",
    described({ tag, summary: "Stop a batch: mails not sent yet are cancelled", answer }),
    async (request, reply) => sendData(reply, await cancelBulk(request.ctx, request.params.batch)),
  );
}

/** Beside the mails themselves: the settings tried, and a mail before it is saved. */
export function mailTrialRoutes(server: FastifyInstance): void {
  server.post(
    "/mail-test",
    described({
      tag,
      summary: "Send a mail to try the settings, and wait for the mail server",
      description: "503 says what the mail server answered, and what to check. At most 30 an hour.",
      body: { ...object, properties: { to: text("The only recipient.") }, required: ["to"] },
      answer: wrapped({ ...object, properties: { to: text("The recipient."), subject: text("The subject.") } }),
    }),
    async (request, reply) => sendData(reply, await testMail(request.ctx, bodyOf(request))),
  );
  server.post(
    "/mail-preview",
    described({
      tag,
      summary: "Compose a mail that need not be saved, as far as it can be",
      description: "Nothing is sent. `problems` of the answer names what is wrong, by property.",
      body: {
        ...object,
        properties: { mail: { ...object, description: "As an object of the collection mailer." }, ...about },
        required: ["mail"],
      },
      answer: wrapped(object),
    }),
    async (request, reply) => sendData(reply, await previewUnsaved(request.ctx, bodyOf(request))),
  );
}
