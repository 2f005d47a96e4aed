// The script of previews: pages that are looked at by a token load it, all others do not.

import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { PageAnswer } from "#site/pages/page-request.ts";

const path = "/-/preview.js";
const file = new URL("./preview.js", import.meta.url);

export function previewScriptRoute(server: FastifyInstance): void {
  server.get(path, (_request, reply) =>
    reply
      .header("content-type", "text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=300")
      .send(readFileSync(file, "utf8")),
  );
}

/** The page with the script at its end; other kinds of answers stay as they are. */
export function withPreviewScript(answer: PageAnswer): PageAnswer {
  if (!answer.headers["content-type"]?.startsWith("text/html")) return answer;
  const at = answer.body.lastIndexOf("</body>");
  const end = at < 0 ? answer.body.length : at;
  const body = `${answer.body.slice(0, end)}<script src="${path}" defer></script>${answer.body.slice(end)}`;
  return { ...answer, body };
}
