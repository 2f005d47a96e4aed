// The arguments of a webhook's handler: the query, overridden by the body. Never credentials.

import { fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** Headers with credentials, or of the connection. */
const heldBack = /^(authorization|proxy-authorization|x-api-key|cookie|connection|transfer-encoding|content-length)$/;
const refusedNames = new Set(["__proto__", "constructor", "prototype"]);

export interface Sent {
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined: none. */
  body: Buffer | undefined;
  /** A parser for forms. */
  parseForm(text: string): Readonly<Record<string, unknown>>;
}

export async function readWebhook(sent: Sent): Promise<{ args: JsonObject; request: JsonObject }> {
  const body = await parseBody(sent);
  const query = JSON.parse(JSON.stringify(sent.query)) as JsonObject;
  const args: JsonObject = { ...query, ...(isJsonObject(body) ? body : body === undefined ? {} : { body }) };
  delete args.api_key;
  const headers = Object.entries(sent.headers).filter(([name]) => !heldBack.test(name));
  const text = sent.body?.toString("utf8") ?? "";
  return { args, request: { headers: Object.fromEntries(headers.map(([n, v]) => [n, String(v)])), body: text } };
}

/** Undefined: there is none. */
async function parseBody({ headers, body, parseForm }: Sent): Promise<Json | undefined> {
  if (body === undefined || body.length === 0) return undefined;
  const type = String(headers["content-type"] ?? "").toLowerCase();
  if (/^application\/([\w.-]+\+)?json\s*(;|$)/.test(type)) return parseJson(body);
  if (/^application\/x-www-form-urlencoded\s*(;|$)/.test(type))
    return JSON.parse(JSON.stringify(parseForm(body.toString("utf8")))) as Json;
  if (/^multipart\/form-data\s*;/.test(type)) return parseMultipart(body, String(headers["content-type"]));
  if (/^text\/plain\s*(;|$)/.test(type)) return body.toString("utf8");
  return fail("unsupported-type");
}

/** The fields of the form; files are refused. */
async function parseMultipart(body: Buffer, type: string): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch(() => fail("invalid", "The form cannot be read."));
  const fields = [...form.entries()].filter(([name, value]) => typeof value === "string" && !refusedNames.has(name));
  return Object.fromEntries(fields) as JsonObject;
}
