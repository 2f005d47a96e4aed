// The page that asks a person for the password of a file. It works without JavaScript; programs get JSON instead.

import type { FastifyReply, FastifyRequest } from "fastify";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { pathOf } from "#http/errors.ts";
import { queryOf } from "#http/request-helpers.ts";
import { sendMessage, sendPage } from "./pages.ts";

/** Whether the error concerns the password of a file and the caller is a browser. */
export function asksForPassword(request: FastifyRequest, error: unknown): error is CairnError {
  if (!(error instanceof CairnError) || (error.word !== "password-required" && error.word !== "rate-limited")) {
    return false;
  }
  return /\btext\/html\b/i.test(request.headers.accept ?? "") && request.method !== "HEAD";
}

export function sendPasswordPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, wasSent }: { error: CairnError; wasSent: boolean },
): FastifyReply {
  reply.code(error.status).header("cache-control", "no-store");
  if (error.retryAfter !== undefined) {
    reply.header("retry-after", error.retryAfter);
    const minutes = Math.ceil(error.retryAfter / 60);
    return sendMessage(
      reply,
      "Too many wrong passwords",
      `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    );
  }
  const problem = wasSent ? `<p class="error" id="problem" role="alert">The password is wrong.</p>` : "";
  return sendPage(reply, {
    title: "This file has a password",
    body:
      `<main><h1>This file has a password</h1><form method="post" action="${escapeHtml(formAddress(request))}">` +
      `<label for="password">Password</label><input id="password" name="password" type="password" required autofocus` +
      ` autocomplete="off"${problem && ' aria-describedby="problem" aria-invalid="true"'}>${problem}` +
      `<button>Get the file</button></form></main>`,
  });
}

/** Only download takes a form; the folder of a depot is kept, a `pwd` that did not open is dropped. */
function formAddress(request: FastifyRequest): string {
  const path = pathOf(request).replace(/^\/stream\//, "/download/");
  const { path: folder } = queryOf(request);
  return typeof folder === "string" ? `${path}?path=${encodeURIComponent(folder)}` : path;
}
