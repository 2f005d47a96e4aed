// Plain HTML forms: how they arrive, and a field with its label, hint and problem.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "#base/text.ts";
import { readBody } from "./bodies.ts";
import { BadQuery, parseQuery } from "./query-string.ts";

const maxForm = 16_384;

/** The routes of this scope take forms and nothing else. */
export function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (_request: unknown, payload: IncomingMessage) => {
      const query = parseQuery((await readBody(payload, maxForm)).toString("utf8"));
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
