// HTTP requests of a handler: guarded, so that it cannot reach our own network.

import { fail } from "#base/errors.ts";
import { nameSetting } from "#base/net/guarded-fetch.ts";
import { guardedRequest } from "#base/net/guarded-request.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const limits = { timeoutMs: 20_000, maxBytes: 1_000_000, maxRedirects: 5 };

/** A body that is not text is sent as JSON. */
export async function fetchForHandler(
  { settings }: Context,
  url: string,
  options: JsonObject,
  maxRedirects = limits.maxRedirects,
): Promise<JsonObject> {
  const method = String(options.method ?? "GET").toUpperCase();
  if (!methods.includes(method)) fail("invalid", `The method must be one of: ${methods.join(", ")}.`);
  const { body } = options;
  const isText = body === undefined || body === null || typeof body === "string";
  const headers = {
    "user-agent": "Cairn",
    ...(isText ? {} : { "content-type": "application/json" }),
    ...headersOf(options.headers),
  };
  const allowPrivateHosts = settings.get("automations.allowPrivateHosts");
  const answer = await guardedRequest(url, {
    ...limits,
    maxRedirects,
    allowPrivateHosts,
    method,
    headers,
    body: isText ? ((body ?? undefined) as string | undefined) : JSON.stringify(body),
  }).catch((error) => {
    throw allowPrivateHosts ? error : nameSetting(error, "automations.allowPrivateHosts");
  });
  if (answer.isCut) fail("too-large", `The answer is larger than ${limits.maxBytes} bytes.`);
  const { status } = answer;
  return { status, ok: status >= 200 && status < 300, headers: answer.headers, text: answer.body.toString("utf8") };
}

function headersOf(headers: Json | undefined): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (!isJsonObject(headers)) return fail("invalid", "The headers must be an object.");
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isPlain = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value));
      if (!isPlain) fail("invalid", `The header "${name.slice(0, 60)}" is not valid.`);
      return [name.toLowerCase(), String(value)];
    }),
  );
}
