// The applications that a signed-in user has approved, each with a button that ends it. Plain HTML, no script.
// Users see and end only their own; the form carries the session's own token.

import type { FastifyInstance } from "fastify";
import { csrfTokenOf, isCsrfTokenOf } from "#access/sessions.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import type { OAuthGrant } from "#contract/oauth.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import type { Query } from "#http/query-string.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { scopeList } from "#http/scope-labels.ts";
import { findVisitor } from "#http/visitor.ts";
import { listOwnGrants, revokeOwnGrant } from "#oauth/grants.ts";
import { loginAddress } from "./login-page.ts";

const path = "/account/connections";

const styles = `
section{margin-block-start:var(--space-6);padding-block-start:var(--space-6);border-block-start:1px solid var(--line)}
h2{overflow-wrap:anywhere}
form{margin-block-start:var(--space-4)}
form>button:only-of-type{inline-size:auto;margin:0}
`;

/** In a scope that accepts forms. */
export function connectionsPage(server: FastifyInstance, { app }: HttpParts): void {
  server.get(path, async (request, reply) => {
    const visitor = await findVisitor(app, request);
    if (!visitor) return reply.redirect(loginAddress(path), 303);
    const body = pageBody(visitor, await listOwnGrants(request.ctx, visitor));
    return sendPage(reply, { title: "Connected applications", body, styles });
  });

  server.post(path, async (request, reply) => {
    const visitor = await findVisitor(app, request);
    if (!visitor) return reply.redirect(loginAddress(path), 303);
    const { csrf_token: token, connection } = (request.body ?? {}) as Query;
    if (!isCsrfTokenOf(visitor.value, token))
      return sendMessage(reply.code(403), "This does not work", "The page is not valid any more. Open it again.");
    try {
      await revokeOwnGrant(request.ctx, visitor, String(connection));
    } catch (error) {
      // A connection that has ended already is the wanted result.
      if (!(error instanceof CairnError) || error.status >= 500) throw error;
      if (error.word !== "not-found") return sendMessage(reply.code(error.status), "This does not work", error.message);
    }
    return reply.redirect(path, 303);
  });
}

function pageBody({ value, account }: SignedIn, grants: readonly OAuthGrant[]): string {
  const who = escapeHtml(account.name || account.email);
  const intro =
    grants.length === 0
      ? `<p>No application is connected to your account, <strong>${who}</strong>.</p>`
      : `<p>These applications may act for you, <strong>${who}</strong>. An application that you disconnect stops working at once.</p>`;
  const parts = grants.map((grant) => connectionPart(grant, csrfTokenOf(value)));
  return `<main class="wide"><h1>Connected applications</h1>${intro}${parts.join("")}</main>`;
}

function connectionPart(
  { id, clientName, clientOrigin, scopes, created, lastUsed }: OAuthGrant,
  token: string,
): string {
  const name = escapeHtml(clientName);
  const mark = clientOrigin === "static" ? "" : " It registered itself under this name.";
  const used = lastUsed === null ? "not used yet" : `last used ${day(lastUsed)}`;
  return (
    `<section aria-labelledby="c-${id}"><h2 id="c-${id}">${name}</h2>` +
    `<p class="hint">Connected ${day(created)}, ${used}.${mark}</p>${scopeList(scopes)}` +
    `<form method="post" action="${path}"><input type="hidden" name="csrf_token" value="${token}">` +
    `<input type="hidden" name="connection" value="${id}">` +
    `<button type="submit" class="second" aria-describedby="c-${id}">Disconnect</button></form></section>`
  );
}

function day(time: string): string {
  const text = new Date(time).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `<time datetime="${time}">${text}</time>`;
}
