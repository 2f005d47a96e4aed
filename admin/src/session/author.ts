// Who made a change, in words. Pure.

import type { ChangeAuthor } from "@contract/history.ts";
import type { author } from "#words/en/authors.ts";

type AuthorWords = typeof author;

export function authorName({ actor, user, impersonator, client, key, automation }: ChangeAuthor, words: AuthorWords) {
  if (automation !== undefined) return words.automation(automation);
  if (key) return words.key(key.name);
  if (client) return user === undefined ? client.name : words.clientFor(client.name, user);
  if (user !== undefined) return impersonator === undefined ? user : words.actingAs(impersonator, user);
  const [kind = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (kind === "extension" || kind === "form") return words[kind](name);
  if (kind === "system" || kind === "anonymous") return words[kind];
  return name || actor;
}

/** With the door, unless the name says it. */
export function authorText(by: ChangeAuthor, words: AuthorWords): string {
  const name = authorName(by, words);
  const isSaid =
    (by.door === "automation" && by.automation !== undefined) ||
    (by.door === "extension" && by.actor.startsWith("extension:"));
  return isSaid ? name : words.through(name, words.doors[by.door]);
}
