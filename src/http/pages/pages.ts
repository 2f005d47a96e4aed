// HTML pages made on the server: one shell, one style sheet, a policy that blocks everything else.
// Every value in a page must go through escapeHtml; inline styles and scripts are allowed by their hash, a script of this
// site by its whole address.

import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { escapeHtml } from "#base/text.ts";
import { htmlType } from "#http/media-types.ts";

export interface Page {
  title: string;
  /** HTML. */
  body: string;
  styles?: string;
  script?: string;
  /** Address of a script of this site, which may also call it; it does not run under a different public address. */
  scriptUrl?: string | undefined;
  /** Allowed targets of the redirect after its form, besides this site: sources of a content policy. */
  formTargets?: readonly string[];
}

const baseStyles = `
:root{color-scheme:light dark;--ink:#1d2327;--soft:#5c666d;--line:#d8dee2;--paper:#fff;--tint:#f4f6f7;--accent:#0b6b57;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8ecee;--soft:#a3adb3;--line:#363d42;--paper:#15191c;--tint:#1e2428;--accent:#5cc9ae;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
a{color:var(--accent)}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;padding:.6rem .7rem;font:inherit;color:inherit;background:var(--tint);border:1px solid var(--soft);border-radius:.4rem}
button{margin-top:1.5rem;padding:.65rem 1.2rem;font:inherit;font-weight:600;color:var(--paper);background:var(--accent);border:0;border-radius:.4rem;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.hint{color:var(--soft);font-size:.9rem;margin:.25rem 0 0}
.error{color:var(--bad);font-weight:600;margin:.25rem 0 0}
`;

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const styles = baseStyles + (page.styles ?? "");
  const { scriptUrl } = page;
  return secure(reply, policy({ ...page, styles })).send(
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(page.title)}</title>` +
      `<style>${styles}</style></head><body>${page.body}` +
      `${page.script ? `<script>${page.script}</script>` : ""}` +
      `${scriptUrl ? `<script type="module" src="${new URL(scriptUrl).pathname}"></script>` : ""}</body></html>`,
  );
}

/** HTML from elsewhere, without style or script. */
export function sendTable(reply: FastifyReply, html: string): FastifyReply {
  return secure(reply, policy({})).send(html);
}

function secure(reply: FastifyReply, contentPolicy: string): FastifyReply {
  return reply
    .header("content-type", htmlType)
    .header("content-security-policy", contentPolicy)
    .header("cross-origin-opener-policy", "same-origin")
    .header("referrer-policy", "no-referrer")
    .header("x-frame-options", "DENY");
}

export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return sendMessage(reply.code(404), "Page not found", "There is nothing at this address.");
}

export function sendMessage(reply: FastifyReply, title: string, text: string): FastifyReply {
  return sendPage(reply, { title, body: `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>` });
}

function policy({ styles, script, scriptUrl, formTargets = [] }: Partial<Page>): string {
  const source = (name: string, text: string | undefined) => (text ? `${name} '${hashOf(text)}'; ` : "");
  return (
    `default-src 'none'; ${source("style-src", styles)}${source("script-src", script)}` +
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
