// The form that creates the first administrator. Plain HTML, no script; open only to the holder of the console's token.
// The steps after it are pages of the admin web app, for administrators who are signed in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { findSignedIn } from "#access/signed-in.ts";
import { confirmByPassword } from "#accounts/identity-proof.ts";
import { logIn } from "#accounts/login.ts";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { contextFor } from "#context.ts";
import type { AdminApp } from "#http/admin/admin-app.ts";
import { findSessionCookie, setSessionCookie } from "#http/cookies.ts";
import { acceptForms, formField } from "#http/pages/forms.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import type { SetupGate } from "#http/pages/setup.ts";
import type { Query } from "#http/query-string.ts";
import { type HttpParts, originOf, queryOf } from "#http/request-helpers.ts";
import { findVisitor } from "#http/visitor.ts";
import { loginAddress } from "./login-page.ts";

const steps = ["environment", "content", "server-config", "complete"];
const firstStep = `/setup/${steps[0]}`;

interface Form {
  token: string;
  email: string;
  name: string;
  password: string;
  repeat: string;
}

type Problems = Partial<Record<keyof Form | "form", string>>;

export interface SetupParts {
  gate: SetupGate;
  admin: AdminApp;
}

export function setupRoutes(server: FastifyInstance, door: HttpParts, { gate, admin }: SetupParts): void {
  acceptForms(server);
  const send = (reply: FastifyReply, form: Form, problems: Problems) =>
    sendForm(reply, form, problems, gate.minPassword());

  server.get("/setup", async (request, reply) => {
    const { token } = queryOf(request);
    if (await gate.admits(token))
      return send(reply, { token: String(token), email: "", name: "", password: "", repeat: "" }, {});
    return (await findAdmin(door, request)) === "admin" ? reply.redirect(firstStep, 303) : refuse(reply);
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
    await startSession(request, reply, { door, form });
    return sendDone(reply.code(201), form.email);
  });

  for (const step of steps)
    server.get(`/setup/${step}`, async (request, reply) => {
      const visitor = await findAdmin(door, request);
      return visitor === "admin" ? admin.sendPage(reply) : refuseStep(reply, { isOpen: await gate.isOpen(), visitor });
    });
}

type Visitor = "admin" | "other" | undefined;

async function findAdmin({ app }: HttpParts, request: FastifyRequest): Promise<Visitor> {
  const visitor = await findVisitor(app, request);
  if (!visitor) return undefined;
  return isAllowed(visitor.actor, "update", { kind: "settings" }) ? "admin" : "other";
}

/** The administrator exists by now, so a refusal here is no reason to fail: the next page asks for the password. */
async function startSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { door, form }: { door: HttpParts; form: Form },
): Promise<void> {
  const ctx = contextFor(door.app, anonymous, originOf(request));
  try {
    const { session } = await logIn(ctx, {
      login: form.email,
      password: form.password,
      address: request.ip,
      agent: request.headers["user-agent"] ?? "",
      isRemembered: false,
      previous: findSessionCookie(request.headers.cookie),
    });
    setSessionCookie(reply, door, session, false);
    // The password has just been chosen and typed twice: the first steps are not interrupted by asking for it again.
    const signedIn = await findSignedIn(door.app, session.value);
    if (signedIn) await confirmByPassword(ctx, signedIn, { password: form.password });
  } catch (error) {
    if (!(error instanceof CairnError) || error.status >= 500) throw error;
  }
}

function sendDone(reply: FastifyReply, email: string): FastifyReply {
  const title = "Cairn is set up";
  const body =
    `<main><h1>${title}</h1><p>You are signed in as the administrator <strong>${escapeHtml(email)}</strong>.</p>` +
    `<p><a class="button" href="${firstStep}">Continue</a></p></main>`;
  return sendPage(reply, { title, body });
}

function refuseStep(reply: FastifyReply, { isOpen, visitor }: { isOpen: boolean; visitor: Visitor }): FastifyReply {
  const title = "For administrators only";
  const signIn = `<a class="button" href="${loginAddress(firstStep)}">Sign in</a>`;
  const cure = isOpen
    ? "<p>There is no administrator yet. Open the setup link that Cairn printed on its console at start.</p>"
    : visitor === "other"
      ? "<p>You are signed in, but not as an administrator. Ask one of them to open this page.</p>"
      : `<p>Sign in as an administrator to open this page.</p><p>${signIn}</p>`;
  return sendPage(reply.code(403), { title, body: `<main><h1>${title}</h1>${cure}</main>` });
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
    ...(!/^[^\s@]+@[^\s@]+$/.test(email) && { email: "Enter an email address." }),
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
    field("email", "Email", `type="email" autocomplete="email" required value="${escapeHtml(form.email)}"`) +
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
