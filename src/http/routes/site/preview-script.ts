// The script of previews: pages that are looked at by a token load it, all others do not.

import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { PageAnswer } from "#site/pages/page-request.ts";

const path = "/-/preview.js";

export function previewScriptRoute(server: FastifyInstance): void {
  server.get(path, (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .send(pageScript("preview.js")),
  );
}

/** A script that changes the page in place. */
export function pageScript(name: "preview.js" | "dev.js"): string {
  return ["change-page.js", name].map((part) => readFileSync(new URL(`./${part}`, import.meta.url), "utf8")).join("\n");
}

/** The page with the script at its end; other kinds of answers stay as they are. */
export function withPreviewScript(answer: PageAnswer): PageAnswer {
  return withEnd(answer, `<script src="${path}" defer></script>`);
}

export function withEnd(answer: PageAnswer, html: string): PageAnswer {
  if (!answer.headers["content-type"]?.startsWith("text/html")) return answer;
  const at = answer.body.lastIndexOf("</body>");
  const end = at < 0 ? answer.body.length : at;
  return { ...answer, body: `${answer.body.slice(0, end)}${html}${answer.body.slice(end)}` };
}
