// The login page, for pages that need a signed-in user: plain HTML; a script adds sign-in by passkey where the browser
// supports it. Afterwards it redirects to the requested page, on this site only. Other sites cannot send the
// form: it needs the page's cookie.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anonymous } from "#access/actor.ts";
import { csrfTokenOf, isCsrfTokenOf } from "#access/sessions.ts";
import { logIn } from "#accounts/login.ts";
import { hasPasskeys, siteAt } from "#accounts/passkeys.ts";
import { escapeHtml } from "#base/text.ts";
import { adminAddress } from "#content/site-address.ts";
import { contextFor } from "#context.ts";
import { findCookie, findSessionCookie, setCookie, setSessionCookie } from "#http/cookies.ts";
import { acceptForms, formField, refusalOf } from "#http/pages/forms.ts";
import { sendPage } from "#http/pages/pages.ts";
import type { Query } from "#http/query-string.ts";
import { type HttpParts, queryOf } from "#http/request-helpers.ts";
import { findVisitor } from "#http/visitor.ts";

const path = "/login";
const scriptPath = `${path}/passkey.js`;
const scriptFile = new URL("./passkey-login.js", import.meta.url);
/** After signing in the consent page may redirect to the application at once, with an error. */
const formTargets = ["https:", "http://localhost:*", "http://127.0.0.1:*"];

const styles = "section button{inline-size:100%}.more{text-align:center}";

/** The login page for a visitor who must sign in first; `back`: the path and query to return to. */
export function loginAddress(back: string): string {
  return `${path}?redirect=${encodeURIComponent(back)}`;
}

/** A path on this site, however a browser may parse it; undefined for anything else. */
export function ownPath(address: unknown): string | undefined {
  if (typeof address !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(address)) return undefined;
  const url = URL.parse(address, "http://own.invalid");
  return url?.origin === "http://own.invalid" && !address.includes("\\") ? address : undefined;
}

export function loginPage(server: FastifyInstance, door: HttpParts): void {
  const { app } = door;
  acceptForms(server);
  server.addHook("onRequest", (request, _reply, done) => {
    request.ctx = contextFor(app, anonymous, { address: request.ip, requestId: request.id });
    done();
  });

  server.get(path, async (request, reply) => {
    const back = ownPath(queryOf(request).redirect);
    if (await findVisitor(app, request)) return leave(reply, back);
    return sendLogin(request, reply, { door, back });
  });

  server.get(scriptPath, async (_request, reply) =>
    reply.header("content-type", "text/javascript; charset=utf-8").send(await readFile(scriptFile, "utf8")),
  );

  server.post(path, async (request, reply) => {
    const form = (request.body ?? {}) as Query;
    const back = ownPath(form.redirect);
    const page = findCookie(request.headers.cookie, pageCookie(door));
    if (!page || !isCsrfTokenOf(page, form.csrf_token))
      return sendLogin(request, reply.code(403), { door, back, problem: "The page was open for too long. Try again." });
    const [login, password] = [form.email, form.password];
    if (typeof login !== "string" || typeof password !== "string" || login === "" || password === "")
      return sendLogin(request, reply.code(400), {
        door,
        back,
        problem: "Enter your email address and your password.",
      });
    try {
      const client = { address: request.ip, agent: request.headers["user-agent"] ?? "" };
      const previous = findSessionCookie(request.headers.cookie);
      const { session } = await logIn(request.ctx, { login, password, ...client, isRemembered: false, previous });
      setSessionCookie(reply, door, session, false);
    } catch (error) {
      return sendLogin(request, reply, { door, back, problem: refusalOf(error, reply) });
    }
    return leave(reply, back);
  });
}

function leave(reply: FastifyReply, back: string | undefined): FastifyReply {
  if (back !== undefined) return reply.redirect(back, 303);
  const title = "You are signed in";
  const body = `<main><h1>${title}</h1><p>You can close this page, or go on to the admin.</p><p><a class="button" href="/admin">Open the admin</a></p></main>`;
  return sendPage(reply, { title, body });
}

interface LoginForm {
  door: HttpParts;
  back: string | undefined;
  problem?: string;
}

function sendLogin(request: FastifyRequest, reply: FastifyReply, { door, back, problem }: LoginForm): FastifyReply {
  const page = findCookie(request.headers.cookie, pageCookie(door)) || newPageCookie(reply, door);
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  const body =
    `<main><h1>Sign in</h1>${problem ? `<p class="error" role="alert">${escapeHtml(problem)}</p>` : ""}` +
    `<form method="post" action="${path}">${hidden("csrf_token", csrfTokenOf(page))}` +
    (back === undefined ? "" : hidden("redirect", back)) +
    formField({
      name: "email",
      label: "Email",
      attributes: 'type="text" autocomplete="username" required autofocus',
    }) +
    formField({
      name: "password",
      label: "Password",
      attributes: 'type="password" autocomplete="current-password" required',
    }) +
    `<button type="submit">Sign in</button></form>${hasPasskeys(door.app) ? passkeyPart : ""}` +
    '<p class="more"><a href="/forgot-password">Forgotten your password?</a></p></main>';
  const scriptUrl = hasPasskeys(door.app) ? siteAt(adminAddress(door.app)).origin + scriptPath : undefined;
  return sendPage(reply, { title: "Sign in", body, styles, formTargets, scriptUrl });
}

/** Hidden until the script has found that the browser supports passkeys; it runs only where passkeys are enabled. */
const passkeyPart =
  '<section id="passkey" aria-label="Passkey" hidden>' +
  '<button type="button" class="second">Sign in with a passkey</button><p role="status"></p></section>';

/** Under https the prefix keeps other hosts of the same domain from planting one. */
function pageCookie(door: HttpParts): string {
  return isSecure(door) ? "__Host-cairn_login" : "cairn_login";
}

function newPageCookie(reply: FastifyReply, door: HttpParts): string {
  const value = randomBytes(16).toString("base64url");
  setCookie(reply, `${pageCookie(door)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(door) ? "; Secure" : ""}`);
  return value;
}

function isSecure({ baseUrl }: HttpParts): boolean {
  return baseUrl().startsWith("https:");
}
