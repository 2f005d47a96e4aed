// `If-Match`: who sends the tag of what they read is told when somebody was faster, and nothing is written.
// Tags are strong: other content, another tag. If-None-Match is the door's.

import { hash } from "node:crypto";
import { fail } from "#base/errors.ts";

export interface Precondition {
  /** The `If-Match` header as sent. */
  ifMatch?: string | undefined;
}

/** `current`: the tags that what is stored has now, in each of its forms; none when there is nothing. */
export function checkTag(ifMatch: string | undefined, ...current: string[]): void {
  if (ifMatch === undefined || (ifMatch.trim() === "*" && current.length > 0)) return;
  if (!ifMatch.split(",").some((tag) => current.includes(tag.trim()))) fail("precondition-failed");
}

/** For what has no version of its own. Quoted. */
export function tagOf(text: string): string {
  return `"${digest(text)}"`;
}

export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
