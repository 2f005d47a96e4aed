// Answers with a status instead of the page: the site's own page for that status, else a built-in one; JSON for clients that want it.

import { createHash } from "node:crypto";
import { CairnError, errorCatalogue } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { countPageError } from "#site/site-errors.ts";
import { pageHeaders } from "./page-headers.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";
import { renderRecord } from "./render-record.ts";
import { readPage } from "./resolve.ts";
import type { Look } from "./shown-objects.ts";
import { findSiteRoutes, type PageEntry, routeScopes } from "./site-routes.ts";

const texts: Readonly<Record<number, { title: string; text: string; json: string }>> = {
  401: { title: "Sign in", text: "Sign in to see this page.", json: errorCatalogue.unauthenticated.message },
  403: { title: "Forbidden", text: "You may not see this page.", json: errorCatalogue.forbidden.message },
  404: {
    title: "Page not found",
    text: "There is nothing at this address.",
    json: errorCatalogue["not-found"].message,
  },
  405: {
    title: "Not possible",
    text: "This page can only be read.",
    json: errorCatalogue["method-not-allowed"].message,
  },
  410: { title: "Page gone", text: "This page was removed.", json: "Gone" },
  451: {
    title: "Unavailable",
    text: "This page is unavailable for legal reasons.",
    json: "Unavailable for legal reasons",
  },
  500: {
    title: "Something went wrong",
    text: "The page cannot be shown right now. Try again later.",
    json: errorCatalogue.internal.message,
  },
  503: { title: "Unavailable", text: "The site is not available right now.", json: errorCatalogue.unavailable.message },
};

export async function answerStatus(
  look: Look,
  request: PageRequest,
  status: number,
  { isPrivate = false }: { isPrivate?: boolean } = {},
): Promise<PageAnswer> {
  if (request.wantsJson) return jsonStatus(look, request, status, isPrivate);
  const entry = await findStatusPage(look, status);
  if (entry) {
    try {
      const record = await readPage(look, entry.id);
      const made = record && (await renderRecord(look, request, { entry, record, params: {}, status, isPrivate }));
      if (made?.abort === undefined && made?.answer.status === status) return made.answer;
    } catch (error) {
      look.ctx.log.error({ requestId: request.requestId, page: entry.id, err: error }, "a status page failed");
      countPageError(look.ctx, request, { error });
    }
  }
  return builtInStatus(look, request, status, isPrivate);
}

/** The first by order, then id, that everybody may see. */
async function findStatusPage({ ctx, recorder }: Look, status: number): Promise<PageEntry | undefined> {
  const find = async () => {
    const { byStatus } = await findSiteRoutes(ctx);
    return byStatus.get(status)?.find(({ accessGroups, template }) => accessGroups.length === 0 && template !== "");
  };
  const entry = await find();
  const ask = async () => (await find())?.id ?? "";
  recorder.fact({ scopes: routeScopes, value: entry?.id ?? "", ask });
  return entry;
}

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem;color:#1d2523;background:#fff}" +
  "h1{font-size:1.6rem;margin:0 0 .5rem}p{margin:0;color:#52605b}" +
  "@media (prefers-color-scheme:dark){body{color:#e8eeeb;background:#151a19}p{color:#a3b1ab}}";
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

export function builtInStatus(
  { ctx }: Pick<Look, "ctx">,
  request: PageRequest,
  status: number,
  isPrivate = false,
): PageAnswer {
  const { title, text } = texts[status] ?? { title: `Status ${status}`, text: "The page cannot be shown." };
  const id = status >= 500 ? `<p>Request id: ${escapeHtml(request.requestId)}</p>` : "";
  const headers = pageHeaders(
    ctx.settings,
    { kind: "html", locale: "en", isPrivate: isPrivate || status >= 500, isNoindex: true },
    { scripts: [], styles: [styleHash] },
  );
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>` +
    `<meta name="color-scheme" content="light dark"><style>${style}</style></head>` +
    `<body><main><h1>${title}</h1><p>${text}</p>${id}</main></body></html>`;
  return { status, headers, body, isPrivate: isPrivate || status >= 500 };
}

function jsonStatus({ ctx }: Look, request: PageRequest, status: number, isPrivate: boolean): PageAnswer {
  const message = texts[status]?.json ?? `Status ${status}`;
  const headers = pageHeaders(
    ctx.settings,
    { kind: "json", locale: "", isPrivate: isPrivate || status >= 500, isNoindex: true },
    { scripts: [], styles: [] },
  );
  const told = status === 500 ? `${message} Request id: ${request.requestId}` : message;
  const body = JSON.stringify({ error: { code: status, message: told } });
  return { status, headers, body, isPrivate: isPrivate || status >= 500 };
}

/** What a failure while a page was made is answered with. */
export function statusOf(error: unknown): number {
  return error instanceof CairnError && error.status >= 500 ? error.status : 500;
}
