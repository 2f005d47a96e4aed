// Answers to a form that was sent: by a browser, which gets a page, or by a client that wants JSON.

import type { FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import type { JsonObject } from "#contract/json.ts";
import type { OpenForm } from "#forms/open-form.ts";
import { ownFields, type RefusedSending, type SendOutcome } from "#forms/send-form.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import { type HttpParts, requestContexts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { answerPage } from "#site/pages/answer.ts";
import { isSiteServed } from "#site/pages/site-served.ts";
import { noRecorder } from "#site/template/recorder.ts";
import { pageRequest } from "./pages.ts";

export interface SendingPage {
  /** Path and query of the page that the form stood on; undefined: it did not say. */
  page: string | undefined;
  wantsJson: boolean;
}

const sentText = "Thank you. The form was sent.";

export function answerOutcome(reply: FastifyReply, form: OpenForm, outcome: SendOutcome, sending: SendingPage) {
  reply.header("cache-control", "private, no-store");
  if (outcome.kind === "challenge") return answerChallenge(reply, form, outcome, sending);
  const { message, redirect } = outcome;
  if (sending.wantsJson) {
    const data = { message: message || sentText, ...(redirect !== "" && { redirect }) };
    return sendJson(reply.code(201), { data });
  }
  const target = redirect !== "" ? redirect : sending.page && withSent(sending.page, form.name);
  if (target === undefined) return sendMessage(reply, "Sent", message || sentText);
  return reply.code(303).header("location", target).send();
}

/** The page of the form, where it shows that it was sent. */
function withSent(page: string, name: string): string {
  const [path = "/", search = ""] = page.split("?", 2);
  const query = new URLSearchParams(search);
  query.set("_sent", name);
  return `${path}?${query}`;
}

function answerChallenge(
  reply: FastifyReply,
  form: OpenForm,
  { token, isEarly, values }: SendOutcome & { kind: "challenge" },
  { page, wantsJson }: SendingPage,
): FastifyReply {
  if (wantsJson) return sendJson(reply.code(202), { data: { challenge: token, wait: 3 } });
  const inputs = [...hiddenOf(values), [ownFields.challenge, token], ...(page ? [[ownFields.page, page]] : [])];
  const hint = isEarly ? "That was too quick. Wait three seconds, then press the button again." : "Wait three seconds.";
  const body =
    `<main><h1>One more step</h1><p id="why">This keeps out programs that send forms. ${hint}</p>` +
    `<form method="post" action="/forms/${escapeHtml(form.id)}">` +
    inputs
      .map(
        ([name, value]) =>
          `<input type="hidden" name="${escapeHtml(String(name))}" value="${escapeHtml(String(value))}">`,
      )
      .join("") +
    `<button aria-describedby="why">Send</button></form></main>`;
  return sendPage(reply.code(200), { title: "One more step", body, saysOrigin: true });
}

function hiddenOf(values: JsonObject): [string, string][] {
  return Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
    return value === null || value === undefined ? [] : [[name, String(value)]];
  });
}

/** The page that the form stood on, with what was typed and what is wrong. */
export async function answerRefusal(
  { app }: HttpParts,
  reply: FastifyReply,
  {
    form,
    refused,
    sending,
    request,
  }: { form: OpenForm; refused: RefusedSending; sending: SendingPage; request: FastifyRequest },
): Promise<FastifyReply> {
  reply.header("cache-control", "private, no-store");
  if (sending.wantsJson) throw new CairnError("form-refused", refused.message, refused.details);
  if (sending.page !== undefined && (await isSiteServed(app))) {
    const ctx = requestContexts(app)(anonymous, request, reply);
    const errors = Object.keys(refused.details).length > 0 ? refused.details : { "": [refused.message] };
    const sentForm = { form: form.id, values: refused.values, errors };
    const asked = { ...pageRequest(app, request, () => ctx, sending.page), method: "POST" as const, sentForm };
    const answer = await answerPage(ctx, { ...asked, wantsJson: false }, noRecorder);
    if (answer.status === 200) {
      const headers = { ...answer.headers, "cache-control": "private, no-store" };
      return reply.removeHeader("x-robots-tag").code(422).headers(headers).send(answer.body);
    }
  }
  const problems = Object.entries(refused.details).map(
    ([name, texts]) => `<li>${escapeHtml(labelOf(form, name))}: ${escapeHtml(texts.join(", "))}</li>`,
  );
  const list = problems.length > 0 ? `<ul>${problems.join("")}</ul>` : `<p>${escapeHtml(refused.message)}</p>`;
  const back = sending.page ? `<p><a href="${escapeHtml(sending.page)}">Back to the form</a></p>` : "";
  return sendPage(reply.code(422), {
    title: "The form was not sent",
    body: `<main><h1>The form was not sent</h1>${list}${back}</main>`,
  });
}

function labelOf({ collection }: OpenForm, name: string): string {
  return collection.schema.properties.get(name)?.label || name;
}
