// Forms as the body of a create, without files. A browser sends a form to any address without asking first, so where it comes
// from is checked here: pages of other origins need theirs in `cors.origins`, and never act for the user who is signed in.

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CairnError, fail } from "#base/errors.ts";
import type { SentFields } from "#forms/sent-values.ts";
import { bodyLimit, readBody } from "./bodies.ts";
import { mayWrite } from "./hooks/cors.ts";
import { isFromHere } from "./own-origin.ts";
import { csrfField } from "./pages/form-csrf.ts";
import type { HttpParts } from "./request-helpers.ts";

export const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];
const maxBytes = 1_048_576;
const maxFields = 500;

export class FormBody {
  /** Read and removed by hooks/csrf.ts. */
  [csrfField]?: string;
  readonly #fields = new Map<string, string[]>();

  constructor(entries: Iterable<[string, unknown]>) {
    let count = 0;
    for (const [name, value] of entries) {
      if (++count > maxFields) fail("invalid", `The form has more than ${maxFields} fields.`);
      if (typeof value === "string") this.#add(name, value);
      else if (isFile(value)) {
        fail("validation-failed", undefined, { [name]: ["takes no file here; upload it once the object is created"] });
      }
    }
  }

  #add(name: string, value: string): void {
    if (name === csrfField) this[csrfField] = value;
    else this.#fields.set(name, [...(this.#fields.get(name) ?? []), value]);
  }

  fields(): SentFields {
    return this.#fields;
  }
}

/** For every route of the scope. */
export function acceptForms(scope: FastifyInstance, door: HttpParts): void {
  scope.addContentTypeParser(formTypes, async (request: FastifyRequest, payload: IncomingMessage) => {
    checkSender(request, door);
    const bytes = await readBody(payload, bodyLimit(door.app, maxBytes, request.ctx));
    const type = request.headers["content-type"] ?? "";
    return new FormBody(type.startsWith("multipart/") ? await readParts(bytes, type) : readText(bytes));
  });
}

function checkSender(request: FastifyRequest, door: HttpParts): void {
  if (isFromHere(request, door)) return;
  const { origin } = request.headers;
  if (request.signedIn) fail("forbidden", "A page of another origin cannot send a form for the user who is signed in.");
  if (origin === undefined || !mayWrite(door.app, "POST", origin)) {
    fail("forbidden", "This form comes from a page of another origin, which the setting cors.origins does not name.");
  }
}

function readText(bytes: Buffer): Iterable<[string, string]> {
  return new URLSearchParams(bytes.toString("utf8"));
}

async function readParts(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch {
    throw new CairnError("invalid", "The form cannot be read.");
  }
}

/** A file input in which nothing was chosen sends an empty file without a name. */
function isFile(value: unknown): boolean {
  return value instanceof File && (value.name !== "" || value.size > 0);
}
