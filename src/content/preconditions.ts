// `If-Match`: a caller that sends the tag of what it read gets an error when that has changed, and nothing is written.
// Tags are strong: different content has a different tag. The HTTP layer handles If-None-Match.

import { hash } from "node:crypto";
import { fail } from "#base/errors.ts";

export interface Precondition {
  /** The `If-Match` header as sent. */
  ifMatch?: string | undefined;
}

/** `current`: the tags of the stored content, in each of its forms; none when there is nothing. */
export function checkTag(ifMatch: string | undefined, ...current: string[]): void {
  if (ifMatch === undefined || (ifMatch.trim() === "*" && current.length > 0)) return;
  if (!ifMatch.split(",").some((tag) => current.some((etag) => isTagOf(tag.trim(), etag)))) fail("precondition-failed");
}

/** As it is, or with the suffix of an encoding: Cairn's own, and those that Apache adds. The content is the same. */
export function isTagOf(tag: string, etag: string): boolean {
  return tag === etag || tag.replace(encodingSuffix, '"') === etag;
}

const encodingSuffix = /-(?:br|zstd|gzip|deflate)"$/;

/** For content without a version number. Quoted. */
export function tagOf(text: string): string {
  return `"${digest(text)}"`;
}

export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
