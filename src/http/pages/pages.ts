// HTML pages made on the server: one shell, one style sheet, a policy that blocks everything else.
// Every value in a page must go through escapeHtml; inline styles and scripts are allowed by their hash, a script of this
// site by its whole address.

import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "#base/text.ts";
import { markOwnPage } from "#http/admin/admin-host.ts";
import { htmlType } from "#http/media-types.ts";
import { baseStyles, mark } from "./page-styles.ts";

export interface Page {
  title: string;
  /** HTML. */
  body: string;
  /** The page has its own head, with the mark in it. */
  hasOwnHead?: boolean;
  styles?: string;
  script?: string;
  /** Its script calls this site. */
  callsSite?: boolean;
  /** Address of a script of this site, which may also call it; it does not run under a different public address. */
  scriptUrl?: string | undefined;
  /** Its form is taken from pages of this site alone: browsers say so where the policy lets them. */
  saysOrigin?: boolean;
  /** Allowed targets of the redirect after its form, besides this site: sources of a content policy. */
  formTargets?: readonly string[];
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { text, headers } = writePage(page);
  markOwnPage(reply);
  return reply.headers(headers).send(text);
}

/** For answers that are kept: the page and its headers. */
export function writePage(page: Page): { text: string; headers: Record<string, string> } {
  const styles = baseStyles + (page.styles ?? "");
  const { scriptUrl } = page;
  const headers = secureHeaders(policy({ ...page, styles }));
  if (page.saysOrigin) headers["referrer-policy"] = "same-origin";
  const text =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(page.title)}</title>` +
    `<meta name="color-scheme" content="light dark"><style>${styles}</style></head><body>` +
    `${page.hasOwnHead ? "" : `<header class="brand">${mark}Cairn</header>`}${page.body}` +
    `${page.script ? `<script>${page.script}</script>` : ""}` +
    `${scriptUrl ? `<script type="module" src="${new URL(scriptUrl).pathname}"></script>` : ""}</body></html>`;
  return { text, headers };
}

/** HTML from elsewhere, without style or script. */
export function sendTable(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(secureHeaders(policy({}))).send(html);
}

function secureHeaders(contentPolicy: string): Record<string, string> {
  return {
    "content-type": htmlType,
    "content-security-policy": contentPolicy,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
}

export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return sendMessage(reply.code(404), "Page not found", "There is nothing at this address.");
}

export function sendMessage(reply: FastifyReply, title: string, text: string): FastifyReply {
  return sendPage(reply, { title, body: `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>` });
}

function policy({ styles, script, scriptUrl, callsSite, formTargets = [] }: Partial<Page>): string {
  const source = (name: string, text: string | undefined) => (text ? `${name} '${hashOf(text)}'; ` : "");
  return (
    `default-src 'none'; ${source("style-src", styles)}${source("script-src", script)}` +
    (callsSite ? "connect-src 'self'; " : "") +
    (scriptUrl ? `script-src ${scriptUrl}; connect-src 'self'; ` : "") +
    `form-action ${["'self'", ...formTargets].join(" ")}; base-uri 'none'; frame-ancestors 'none'`
  );
}

const hashes = new Map<string, string>();

/** Pages use a few fixed texts, so each is hashed once. */
function hashOf(text: string): string {
  let known = hashes.get(text);
  if (known === undefined) {
    known = `sha256-${createHash("sha256").update(text).digest("base64")}`;
    hashes.set(text, known);
  }
  return known;
}
