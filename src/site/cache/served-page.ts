// A page as the door sends it: its bytes, its tag, and what caches in between may do with it.

import { tagOf } from "#content/preconditions.ts";
import type { App } from "#context.ts";
import type { PageAnswer } from "#site/pages/page-request.ts";
import { tagsOf } from "./cache-tags.ts";
import type { PageRecord } from "./page-record.ts";

export interface ServedPage {
  status: number;
  /** Lower-case names; no cookie. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Strong, quoted; undefined for private pages. */
  etag: string | undefined;
  /** The body in encodings, by name. */
  encoded: Map<string, Buffer>;
  /** Called when a form was added to `encoded`. */
  onEncoded?: ((bytes: number) => void) | undefined;
}

export function servedPage(app: App, answer: PageAnswer, record: PageRecord): ServedPage {
  const isPrivate = answer.isPrivate || record.isPrivate;
  const { "set-cookie": _cookie, ...headers } = answer.headers;
  const control = headers["cache-control"] ?? "";
  if (isPrivate) headers["cache-control"] = "private, no-store";
  else if (record.isNever || answer.status >= 500) headers["cache-control"] = "no-store";
  // A template may be stricter than the site.
  else if (!/no-store|no-cache|private/.test(control)) headers["cache-control"] = cacheControl(app, record);
  const isForOne = /no-store|private/.test(headers["cache-control"] as string);
  const tags = isForOne || app.settings.get("site.sharedMaxAge") === 0 ? "" : tagsOf(record);
  if (tags !== "") headers["cache-tag"] = tags;
  return {
    status: answer.status,
    headers,
    body: Buffer.from(answer.body),
    etag: isForOne ? undefined : tagOf(`${answer.status} ${answer.body}`),
    encoded: new Map(),
  };
}

function cacheControl({ settings }: App, { seconds }: PageRecord): string {
  const maxAge = Math.min(settings.get("site.maxAge"), seconds);
  const shared = Math.min(settings.get("site.sharedMaxAge"), seconds);
  return `public, max-age=${maxAge}, ${shared > 0 ? `s-maxage=${shared}` : "must-revalidate"}`;
}
