// The consent page: which application asks, which host gets the answer, and what it may do. Plain HTML, no script.
// Only the button decides; the answer is a redirect by 303, so that the form is not sent along.

import type { FastifyInstance, FastifyReply } from "fastify";
import { anonymous } from "#access/actor.ts";
import { confirmPower, hasRecentProof } from "#access/recent-proof.ts";
import type { SignedIn } from "#access/signed-in.ts";
import { confirmByPassword } from "#accounts/identity-proof.ts";
import { fail } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { type App, contextFor } from "#context.ts";
import { acceptForms, formField, refusalOf } from "#http/pages/forms.ts";
import { sendMessage, sendPage } from "#http/pages/pages.ts";
import { type HttpParts, queryOf } from "#http/request-helpers.ts";
import { scopeList } from "#http/scope-labels.ts";
import { findVisitor } from "#http/visitor.ts";
import { type Reach, reachOf } from "#oauth/authority.ts";
import { type Consent, decideConsent, type Outcome, type Prove, showConsent } from "#oauth/authorize.ts";
import { OAuthError } from "#oauth/errors.ts";
import { sweepDaily } from "#oauth/gc.ts";
import { isKnownReceiver } from "#oauth/known-hosts.ts";
import { receiverKey, receiverOf } from "#oauth/redirect-uris.ts";
import { isOAuthOn } from "#oauth/switch.ts";
import { loginAddress } from "./login-page.ts";

const path = "/oauth/authorize";
const config = { config: { isOAuth: true } } as const;
const maxShown = 30;

const styles = `
form{display:flex;flex-flow:row-reverse wrap;gap:var(--space-4)}
form>.proof{flex:1 0 100%}
form>button{flex:1;margin:0}
summary{cursor:pointer}
[role=list]{padding:0;list-style:none}
.who{margin-block-start:var(--space-3)}
`;

export function oauthConsentRoutes(server: FastifyInstance, { app }: HttpParts): void {
  acceptForms(server);
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof OAuthError) return sendMessage(reply.code(error.status), "This does not work", error.message);
    return reply.send(error);
  });
  server.addHook("onRequest", (request, _reply, done) => {
    if (!isOAuthOn(app)) fail("not-found");
    request.ctx = contextFor(app, anonymous, { address: request.ip, requestId: request.id });
    done();
  });

  server.get(path, config, async (request, reply) => {
    sweepDaily(app);
    const visitor = await findVisitor(app, request);
    return send(app, reply, { outcome: await showConsent(app, queryOf(request), visitor), visitor });
  });
  server.post(path, config, async (request, reply) => {
    const visitor = await findVisitor(app, request);
    const prove: Prove = async (user, password) => {
      const ctx = { ...request.ctx, actor: user.actor };
      if (await hasRecentProof(ctx, user.session.hash)) return;
      if (password) await confirmByPassword(ctx, user, { password });
      await confirmPower(ctx);
    };
    try {
      return await send(app, reply, { outcome: await decideConsent(app, request.body, { visitor, prove }), visitor });
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      const problem = refusalOf(error, reply);
      return send(app, reply, { outcome: await showConsent(app, request.body, visitor), visitor, problem });
    }
  });
}

interface Answer {
  outcome: Outcome;
  visitor: SignedIn | undefined;
  /** Of the password. */
  problem?: string;
}

async function send(app: App, reply: FastifyReply, { outcome, visitor, problem }: Answer): Promise<FastifyReply> {
  if (outcome.kind === "redirect") return reply.redirect(outcome.location, 303);
  if (outcome.kind === "login" || !visitor) return reply.redirect(loginAddress(reply.request.raw.url ?? path), 303);
  const { consent } = outcome;
  const isKnown = await isKnownReceiver(app, consent.redirectUri, visitor.account.id);
  const reach = await reachOf(app, visitor.actor, consent);
  const isProven = !consent.scopes.includes("cms:admin") || (await hasRecentProof(app, visitor.session.hash));
  return sendPage(reply, {
    title: `${consent.client.name} wants access`,
    body: consentBody(consent, { visitor, isKnown, reach, proof: isProven ? "" : proofField(problem) }),
    styles,
    formTargets: targetsOf(consent.redirectUri),
  });
}

/** Some browsers apply the page's policy to the redirects after a form as well. */
function targetsOf(redirectUri: string): string[] {
  return ["https:", receiverKey(redirectUri)];
}

interface Shown {
  visitor: SignedIn;
  isKnown: boolean;
  reach: Reach;
  /** HTML. */
  proof: string;
}

function consentBody(
  { client, redirectUri, scopes, fields }: Consent,
  { visitor, isKnown, reach, proof }: Shown,
): string {
  const name = escapeHtml(client.name);
  const receiver = escapeHtml(receiverOf(redirectUri).name);
  const who = escapeHtml(visitor.account.name || visitor.account.email);
  const hidden = Object.entries(fields).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  return (
    `<main class="wide"><h1>${name} wants access</h1><p class="who">It asks to act for you, <strong>${who}</strong>. ` +
    `Your approval goes to <strong>${receiver}</strong>.</p>${markOf(client.origin)}` +
    (isKnown ? "" : warning(receiver)) +
    `<h2 id="may">What it may do</h2>${scopeList(scopes, "may")}` +
    `<h2 id="reach">What it reaches</h2><ul role="list" aria-labelledby="reach">${reachItems(reach)}</ul>` +
    `<p class="hint">It can never do more than you can, and you can end it at any time under <a href="/account/connections">connected applications</a>.</p>` +
    `<form method="post" action="${path}">${hidden.join("")}${proof}` +
    `<button type="submit" name="decision" value="allow">Allow</button>` +
    `<button type="submit" name="decision" value="deny" class="second" formnovalidate>Deny</button></form></main>`
  );
}

/** An open browser is not enough to give away the rights of an administrator. */
function proofField(problem: string | undefined): string {
  const hint =
    "It asks for the rights of an administrator. If you have no password, confirm a passkey in the admin first.";
  const attributes = 'type="password" autocomplete="current-password" required';
  return `<div class="proof">${formField({ name: "password", label: "Your password", attributes, hint, problem })}</div>`;
}

function markOf(origin: Consent["client"]["origin"]): string {
  if (origin === "static") return "";
  return '<p class="hint">This application is <strong>self-registered</strong>: it chose its name itself, and the name was not checked.</p>';
}

function warning(receiver: string): string {
  return (
    `<p class="note" role="alert"><strong>Unknown host.</strong> You have never sent an approval to ${receiver} before. ` +
    "Allow it only if you started this yourself and trust it.</p>"
  );
}

function reachItems({ isUnlimited, reads, writes }: Reach): string {
  if (isUnlimited) return "<li>Everything: it can do whatever an administrator can.</li>";
  if (reads.length + writes.length === 0) return "<li>It can read or write no collection.</li>";
  return reachItem("Read", reads) + reachItem("Write", writes);
}

function reachItem(verb: string, collections: Reach["reads"]): string {
  if (collections.length === 0) return `<li>${verb}: nothing.</li>`;
  const total = collections.reduce((sum, { count = 0 }) => sum + count, 0);
  const items = collections
    .slice(0, maxShown)
    .map(({ name, count }) => `<li>${escapeHtml(name)}${count === undefined ? "" : ` (${objects(count)})`}</li>`);
  const more = collections.length > maxShown ? `<li>and ${collections.length - maxShown} more</li>` : "";
  const summary = `${verb}: ${collections.length} ${collections.length === 1 ? "collection" : "collections"}, ${objects(total)}`;
  return `<li><details open><summary>${summary}</summary><ul>${items.join("")}${more}</ul></details></li>`;
}

function objects(count: number): string {
  return count === 1 ? "1 object" : `${count} objects`;
}
