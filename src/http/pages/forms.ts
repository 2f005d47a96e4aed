// Plain HTML forms: parsing, and a field with its label, hint and problem.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { CairnError } from "#base/errors.ts";
import { escapeHtml } from "#base/text.ts";
import { readBody } from "#http/bodies.ts";
import { BadQuery, parseQuery } from "#http/query-string.ts";

const formLimit = { bytes: 16_384, isPublic: false };

/** The routes of this scope accept only forms. */
export function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (_request: unknown, payload: IncomingMessage) => {
      const query = parseQuery((await readBody(payload, formLimit)).toString("utf8"));
      if (query instanceof BadQuery) throw query.error;
      return query;
    },
  );
}

export interface FormField {
  name: string;
  label: string;
  /** HTML. */
  attributes: string;
  /** HTML. */
  hint?: string;
  problem?: string | undefined;
}

export function formField({ name, label, attributes, hint = "", problem }: FormField): string {
  const about = [hint && `${name}-hint`, problem && `${name}-error`].filter(Boolean).join(" ");
  return (
    `<label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" ${attributes}${about && ` aria-describedby="${about}"`}${problem ? ' aria-invalid="true"' : ""}>` +
    (hint && `<p class="hint" id="${name}-hint">${hint}</p>`) +
    (problem ? `<p class="error" id="${name}-error">${escapeHtml(problem)}</p>` : "")
  );
}

/** Errors that a person can correct, with the status set; others are rethrown. */
export function refusalOf(error: unknown, reply: FastifyReply): string {
  if (!(error instanceof CairnError) || error.status >= 500) throw error;
  reply.code(error.status);
  if (error.retryAfter !== undefined) reply.header("retry-after", error.retryAfter);
  if (error.word === "rate-limited") return "There were too many requests. Try again later.";
  return Object.values(error.details ?? {})[0]?.join(" ") ?? error.message;
}
