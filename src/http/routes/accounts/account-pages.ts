// Pages for accounts: the targets of links in mails, the form that requests one, and the connected
// applications. Plain HTML, no script. Opening a link changes nothing, because mail programs open links. Only the button does.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { isAddressToken, verifyAddress } from "#accounts/address-verification.ts";
import { isResetToken, requestReset, resetPassword } from "#accounts/password-reset.ts";
import { minPasswordLength } from "#accounts/password-rule.ts";
import { escapeHtml } from "#base/text.ts";
import { adminAddress } from "#content/site-address.ts";
import { contextFor } from "#context.ts";
import { acceptForms, formField, refusalOf } from "#http/pages/forms.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import type { Query } from "#http/query-string.ts";
import { type HttpParts, queryOf } from "#http/request-helpers.ts";
import { addressVerified, mailSent, passwordSet } from "./account.ts";
import { connectionsPage } from "./connections-page.ts";

export function accountPages(server: FastifyInstance, door: HttpParts): void {
  const { app } = door;
  acceptForms(server);
  // Mailed links do nothing in the name of the signed-in user, so cookies are ignored.
  server.addHook("onRequest", (request, _reply, done) => {
    request.ctx = contextFor(app, anonymous, { address: request.ip, requestId: request.id });
    done();
  });

  connectionsPage(server, door);

  server.get("/forgot-password", async (_request, reply) => sendForgot(reply));
  server.post("/forgot-password", async (request, reply) => {
    const { email } = fieldsOf(request);
    if (!email.includes("@")) return sendForgot(reply.code(400), "Enter an email address.");
    try {
      await requestReset(request.ctx, email, adminAddress(app));
    } catch (error) {
      return sendForgot(reply, refusalOf(error, reply));
    }
    return sendMessage(reply.code(202), "Check your mail", mailSent);
  });

  server.get("/reset-password", async (request, reply) => {
    const token = tokenIn(queryOf(request));
    return (await isResetToken(request.ctx, token))
      ? sendReset(reply, { token, minLength: minPasswordLength(app) })
      : sendVoid(reply);
  });
  server.post("/reset-password", async (request, reply) => {
    const { token, password, repeat } = fieldsOf(request);
    if (!(await isResetToken(request.ctx, token))) return sendVoid(reply);
    const form = { token, minLength: minPasswordLength(app) };
    if (password !== repeat) return sendReset(reply.code(400), { ...form, repeat: "The two passwords differ." });
    try {
      await resetPassword(request.ctx, token, password);
    } catch (error) {
      return sendReset(reply, { ...form, password: refusalOf(error, reply) });
    }
    return sendMessage(reply, "Your password is changed", passwordSet);
  });

  server.get("/verify-email", async (request, reply) => {
    const token = tokenIn(queryOf(request));
    return (await isAddressToken(request.ctx, token)) ? sendVerify(reply, token) : sendVoid(reply);
  });
  server.post("/verify-email", async (request, reply) => {
    try {
      await verifyAddress(request.ctx, fieldsOf(request).token);
    } catch (error) {
      refusalOf(error, reply);
      return sendVoid(reply);
    }
    return sendMessage(reply, "Thank you", addressVerified);
  });
}

function fieldsOf(request: FastifyRequest): { email: string; token: string; password: string; repeat: string } {
  const form = (request.body ?? {}) as Query;
  const text = (name: string) => (typeof form[name] === "string" ? form[name] : "");
  return { email: text("email").trim(), token: text("token"), password: text("password"), repeat: text("repeat") };
}

function tokenIn({ token }: Query): string {
  return typeof token === "string" ? token : "";
}

function sendVoid(reply: FastifyReply): FastifyReply {
  const body =
    "<main><h1>This link is not valid any more</h1><p>It was used already, or it has expired.</p>" +
    '<p><a href="/forgot-password">Ask for a new password</a></p></main>';
  return sendPage(reply.code(400), { title: "This link is not valid any more", body });
}

function sendForgot(reply: FastifyReply, problem?: string): FastifyReply {
  const body =
    "<main><h1>Forgotten your password?</h1><p>Enter the address of your account. We send a link to choose a new password there.</p>" +
    '<form method="post" action="/forgot-password">' +
    formField({ name: "email", label: "Email", attributes: 'type="email" autocomplete="email" required', problem }) +
    '<button type="submit">Send the link</button></form></main>';
  return sendPage(reply, { title: "Forgotten your password?", body });
}

interface ResetForm {
  token: string;
  minLength: number;
  /** Validation errors. */
  password?: string;
  repeat?: string;
}

function sendReset(reply: FastifyReply, { token, minLength, ...problems }: ResetForm): FastifyReply {
  const attributes = 'type="password" autocomplete="new-password" required';
  const body =
    '<main><h1>Choose a new password</h1><form method="post" action="/reset-password">' +
    hidden(token) +
    formField({
      name: "password",
      label: "New password",
      attributes: `${attributes} minlength="${minLength}"`,
      hint: `At least ${minLength} characters.`,
      problem: problems.password,
    }) +
    formField({ name: "repeat", label: "New password again", attributes, problem: problems.repeat }) +
    '<button type="submit">Set the password</button></form></main>';
  return sendPage(reply, { title: "Choose a new password", body });
}

function sendVerify(reply: FastifyReply, token: string): FastifyReply {
  const body =
    '<main><h1>Verify your email address</h1><form method="post" action="/verify-email">' +
    `${hidden(token)}<button type="submit">Verify the address</button></form></main>`;
  return sendPage(reply, { title: "Verify your email address", body });
}

function hidden(token: string): string {
  return `<input type="hidden" name="token" value="${escapeHtml(token)}">`;
}
