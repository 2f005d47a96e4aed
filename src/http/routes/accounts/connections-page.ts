// The applications that a signed-in user has approved, each with a button that ends it. Plain HTML, no script.
// Users see and end only their own; the form carries the session's own token.

import type { FastifyInstance } from "fastify";
import { csrfTokenOf, isCsrfTokenOf } from "#access/sessions.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import type { Query } from "#http/query-string.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { scopeList } from "#http/scope-labels.ts";
import { findVisitor } from "#http/visitor.ts";
import { type GrantAnswer, listOwnGrants, revokeOwnGrant } from "#oauth/grants.ts";
import { loginAddress } from "./login-page.ts";

const path = "/account/connections";

const styles = `
section{border-top:1px solid var(--line);margin-top:1.5rem;padding-top:1rem}
h2{font-size:1.1rem;margin:0;overflow-wrap:anywhere}
ul{margin:.5rem 0;padding-left:1.25rem}
code{color:var(--soft);font-size:.85rem}
button{margin-top:.5rem;color:var(--ink);background:var(--tint);border:1px solid var(--soft)}
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

function pageBody({ value, account }: SignedIn, grants: readonly GrantAnswer[]): string {
  const who = escapeHtml(account.name || account.id);
  const intro =
    grants.length === 0
      ? `<p>No application is connected to your account, <strong>${who}</strong>.</p>`
      : `<p>These applications may act for you, <strong>${who}</strong>. An application that you disconnect stops working at once.</p>`;
  const parts = grants.map((grant) => connectionPart(grant, csrfTokenOf(value)));
  return `<main><h1>Connected applications</h1>${intro}${parts.join("")}</main>`;
}

function connectionPart(
  { id, clientName, clientOrigin, scopes, created, lastUsed }: GrantAnswer,
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
    `<button type="submit" aria-describedby="c-${id}">Disconnect</button></form></section>`
  );
}

function day(time: string): string {
  const text = new Date(time).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return `<time datetime="${time}">${text}</time>`;
}
