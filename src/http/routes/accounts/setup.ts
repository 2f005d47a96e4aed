// The form that creates the first administrator. Plain HTML, no script; open only to the holder of the console's token.

import type { FastifyInstance, FastifyReply } from "fastify";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { acceptForms, formField } from "#http/pages/forms.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import type { SetupGate } from "#http/pages/setup.ts";
import type { Query } from "#http/query-string.ts";
import { originOf, queryOf } from "#http/request-helpers.ts";

interface Form {
  token: string;
  email: string;
  name: string;
  password: string;
  repeat: string;
}

type Problems = Partial<Record<keyof Form | "form", string>>;

export function setupRoutes(server: FastifyInstance, gate: SetupGate): void {
  acceptForms(server);
  const send = (reply: FastifyReply, form: Form, problems: Problems) =>
    sendForm(reply, form, problems, gate.minPassword());

  server.get("/setup", async (request, reply) => {
    const { token } = queryOf(request);
    if (!(await gate.admits(token))) return refuse(reply);
    return send(reply, { token: String(token), email: "", name: "", password: "", repeat: "" }, {});
  });

  server.post("/setup", async (request, reply) => {
    const form = readForm((request.body ?? {}) as Query);
    if (!(await gate.admits(form.token))) return refuse(reply);
    const problems = findProblems(form, gate.minPassword());
    if (Object.keys(problems).length > 0) return send(reply.code(400), form, problems);
    try {
      const { email, name, password } = form;
      await gate.createAdmin({ email, password, ...(name && { name }) }, originOf(request));
    } catch (error) {
      if (!(error instanceof CairnError) || error.status >= 500) throw error;
      if (error.status === 403) return refuse(reply);
      return send(reply.code(error.status), form, problemsOf(error));
    }
    return sendMessage(
      reply.code(201),
      "Cairn is set up",
      `The administrator ${form.email} can sign in now. This page is closed.`,
    );
  });
}

function refuse(reply: FastifyReply): FastifyReply {
  return sendMessage(
    reply.code(403),
    "Setup is closed",
    "Open the setup link that Cairn printed on its console at start. It works until the first administrator exists.",
  );
}

function readForm(body: Query): Form {
  const text = (name: keyof Form) => (typeof body[name] === "string" ? body[name] : "");
  return {
    token: text("token"),
    email: text("email").trim(),
    name: text("name").trim(),
    password: text("password"),
    repeat: text("repeat"),
  };
}

function findProblems({ email, password, repeat }: Form, minPassword: number): Problems {
  return {
    ...(!/^[^\s@]+@[^\s@]+$/.test(email) && { email: "Enter an e-mail address." }),
    ...([...password].length < minPassword && { password: `Use at least ${minPassword} characters.` }),
    ...(password !== repeat && { repeat: "The two passwords differ." }),
  };
}

function problemsOf({ message, details = {} }: CairnError): Problems {
  const known = ["email", "name", "password"] as const;
  const named = known.filter((name) => details[name]).map((name) => [name, details[name]?.join(" ")]);
  return named.length > 0 ? Object.fromEntries(named) : { form: message };
}

function sendForm(reply: FastifyReply, form: Form, problems: Problems, minPassword: number): FastifyReply {
  const field = (name: keyof Form, label: string, attributes: string, hint = "") =>
    formField({ name, label, attributes, hint, problem: problems[name] });
  const summary =
    Object.keys(problems).length > 0
      ? `<p class="error" role="alert">${escapeHtml(problems.form ?? "Please correct the fields below.")}</p>`
      : "";
  const body =
    `<main><h1>Set up Cairn</h1><p>Create the first administrator of this installation.</p>${summary}` +
    `<form method="post" action="/setup"><input type="hidden" name="token" value="${escapeHtml(form.token)}">` +
    field("email", "E-mail", `type="email" autocomplete="email" required value="${escapeHtml(form.email)}"`) +
    field("name", "Name", `type="text" autocomplete="name" value="${escapeHtml(form.name)}"`, "Optional.") +
    field(
      "password",
      "Password",
      `type="password" autocomplete="new-password" required minlength="${minPassword}"`,
      `At least ${minPassword} characters.`,
    ) +
    field("repeat", "Password again", 'type="password" autocomplete="new-password" required') +
    `<button type="submit">Create administrator</button></form></main>`;
  return sendPage(reply, { title: "Set up Cairn", body });
}
