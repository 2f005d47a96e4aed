// Answers that lead elsewhere: to a path of this site, or to an http address. Nothing else ever becomes a Location.

import type { Context } from "#context.ts";
import { pageHeaders } from "./page-headers.ts";
import type { PageAnswer, PageRequest } from "./page-request.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unsafe = /[\u0000-\u0020\u007f\\]/;

/** What is wrong with the target of a redirect; undefined when it is good. */
export function targetProblem(target: string): string | undefined {
  if (unsafe.test(target)) return "must not hold spaces, backslashes or control characters";
  if (target.startsWith("//")) return "must begin with one slash";
  if (target.startsWith("/")) return undefined;
  return /^https?:\/\/[^/?#]+/i.test(target) && URL.canParse(target)
    ? undefined
    : "must be a path of this site such as /new, or an address that begins with http:// or https://";
}

export function redirectTo(
  { settings }: Pick<Context, "settings">,
  request: PageRequest,
  { target, status }: { target: string; status: number },
  { isPrivate = false }: { isPrivate?: boolean } = {},
): PageAnswer {
  if (targetProblem(target) !== undefined) throw new Error("the target of a redirect is not allowed");
  const asked = { kind: "txt", locale: "", isPrivate, isNoindex: false };
  const headers = pageHeaders(settings, asked, { scripts: [], styles: [] });
  // Bytes beyond ASCII are not allowed in a header.
  const location = target.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  return {
    status,
    headers: { ...headers, location },
    body: request.method === "HEAD" ? "" : `${location}\n`,
    isPrivate,
  };
}
