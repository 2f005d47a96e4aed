// What builders of the site see of a template that fails: what is wrong, where, and the way there. In development, and in previews of
// makers that may read templates.

import { createHash } from "node:crypto";
import { escapeHtml } from "#base/text.ts";
import { adminPrefix } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import { SiteTemplateError } from "#site/template/errors.ts";
import { kindOf, pageHeaders } from "./page-headers.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:3rem auto;padding:0 1.5rem;color:#1e2322;background:#f4f3ef}" +
  "h1{font-size:1.4rem}pre{overflow-x:auto;padding:1rem;background:#fff;border:1px solid #d9d6ce;border-radius:8px}" +
  "mark{display:block;background:#fbe4ea;color:inherit}ol{padding-inline-start:1.5rem}" +
  "@media (prefers-color-scheme:dark){body{color:#eceeec;background:#131615}pre{background:#1a1e1d;border-color:#303735}mark{background:#351620}a{color:#f0a063}}";
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

/** Undefined for visitors, and for failures that no template is to blame for. */
export function developerAnswer(
  ctx: Pick<Context, "settings" | "storage">,
  request: PageRequest,
  error: unknown,
): PageAnswer | undefined {
  const { settings } = ctx;
  const isBuilder = settings.get("environment") === "development" || request.preview?.showsErrors === true;
  if (!isBuilder || !(error instanceof SiteTemplateError)) return undefined;
  const kind = request.wantsJson || kindOf(request.path) === "json" ? "json" : "html";
  const headers = pageHeaders(
    settings,
    { kind, locale: "en", isPrivate: true, isNoindex: true, isPreview: request.preview !== undefined },
    { scripts: [], styles: [styleHash] },
  );
  const body = kind === "json" ? jsonOf(error, request) : htmlOf(error, request, adminPrefix(ctx));
  return { status: 500, headers, body, isPrivate: true };
}

function jsonOf(
  { message, template, line, column, way, lines }: SiteTemplateError,
  { requestId }: PageRequest,
): string {
  return JSON.stringify({ error: { code: 500, message, template, line, column, way, lines, requestId } });
}

function htmlOf(
  { message, template, line, column, way, lines }: SiteTemplateError,
  request: PageRequest,
  admin: string,
): string {
  const width = String(lines.at(-1)?.number ?? 0).length;
  const source = lines.map(({ number, text }) => {
    const shown = `${String(number).padStart(width)}  ${escapeHtml(text)}`;
    return number === line ? `<mark aria-label="Place of the mistake">${shown}</mark>` : `${shown}\n`;
  });
  const steps = way.map(({ template: name, args = [] }) => {
    const given = args.length === 0 ? "" : ` with ${escapeHtml(args.join(", "))}`;
    return `<li>${escapeHtml(name)}${given}</li>`;
  });
  const place = line === 0 ? "" : `, line ${line}, column ${column}`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Template error</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">` +
    `<style>${style}</style></head><body><main><h1>${escapeHtml(message)}</h1>` +
    `<p>${escapeHtml(template)}${place} — <a href="${escapeHtml(admin)}/admin/templates/${encodeURI(template)}">Open in the editor</a></p>` +
    `${source.length === 0 ? "" : `<pre>${source.join("")}</pre>`}` +
    `${steps.length === 0 ? "" : `<h2>The way there</h2><ol>${steps.join("")}</ol>`}` +
    `<p>Request id: ${escapeHtml(request.requestId)}</p></main></body></html>`
  );
}
