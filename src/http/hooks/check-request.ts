// Refuses malformed and hostile requests before anything looks at them: bad query strings, encoded bodies,
// path segments that could be read as a path of their own.

import type { FastifyRequest } from "fastify";
import { fail } from "#base/errors.ts";
import { BadQuery } from "#http/query-string.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unsafe = /^\.{1,2}$|[/\\\u0000-\u001f\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const unsafeInAddress = /[\u0000-\u001f\u007f]/;

export function checkRequest(request: FastifyRequest): void {
  if (request.query instanceof BadQuery) throw request.query.error;
  const params = request.params as Record<string, string>;
  for (const name in params) {
    if (name !== "*" && unsafe.test(params[name] as string) && !mayHold(request, params[name] as string)) {
      fail("invalid", "The address holds characters that no name has.");
    }
  }
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    fail("unsupported-type", "Compressed bodies are not accepted.");
  }
}

function mayHold({ routeOptions }: FastifyRequest, name: string): boolean {
  return routeOptions.config.takesAddresses === true && !unsafeInAddress.test(name);
}
