// A page as the door sends it: its bytes, its tag, and what caches in between may do with it.

import { tagOf } from "#content/preconditions.ts";
import type { App } from "#context.ts";
import type { PageAnswer } from "#site/pages/page-request.ts";
import type { PageRecord } from "#site/template/recorder.ts";
import { redirectsTag, tagsOf } from "./cache-tags.ts";

export interface ServedPage {
  status: number;
  /** Lower-case names; no cookie. */
  headers: Readonly<Record<string, string>>;
  /** The body in UTF-8, one byte a character: it is sent in one piece with its head, and nothing is encoded for that. */
  octets: string;
  /** Strong, quoted, of the status, the headers and the body; undefined for private pages. */
  etag: string | undefined;
  /** The same compressed, by the name of the encoding. */
  encoded: Map<string, string>;
  /** Called when a form was added to `encoded`. */
  onEncoded?: ((bytes: number) => void) | undefined;
}

export function servedPage(app: App, answer: PageAnswer, record: PageRecord): ServedPage {
  const isPrivate = answer.isPrivate || record.isPrivate;
  const { "set-cookie": _cookie, ...headers } = answer.headers;
  const content = `${answer.status} ${JSON.stringify(headers)} ${answer.body}`;
  const control = headers["cache-control"] ?? "";
  if (isPrivate) headers["cache-control"] = "private, no-store";
  else if (record.isNever || answer.status >= 500) headers["cache-control"] = "no-store";
  // A template may be stricter than the site.
  else if (!/no-store|no-cache|private/.test(control)) headers["cache-control"] = cacheControl(app, record);
  const isForOne = /no-store|private/.test(headers["cache-control"] as string);
  const tags = isForOne || app.settings.get("site.sharedMaxAge") === 0 ? "" : tagsOf(record);
  if (tags !== "") headers["cache-tag"] = headers.location === undefined ? tags : `${tags},${redirectsTag}`;
  return {
    status: answer.status,
    headers,
    octets: Buffer.from(answer.body).toString("latin1"),
    etag: isForOne ? undefined : tagOf(content),
    encoded: new Map(),
  };
}

function cacheControl({ settings }: App, { seconds }: PageRecord): string {
  const maxAge = Math.min(settings.get("site.maxAge"), seconds);
  const shared = Math.min(settings.get("site.sharedMaxAge"), seconds);
  return `public, max-age=${maxAge}, ${shared > 0 ? `s-maxage=${shared}` : "must-revalidate"}`;
}
