// Marked secrets: words that stand for values which not everybody may read. Each has a name, and an audience that alone may get it.
// A word consists of small letters and digits, so that JSON, HTML, CSV, addresses and the search leave it as it is.

import { randomBytes } from "node:crypto";

/** To add one: a line here, `secrets.mark(name, audience)` in site.ts, and the audience in the persons who may see it. */
export const audiences = {
  everyone: "live objects of the public collection",
  draft: "drafts of the public collection",
  closed: "live objects of the closed collection",
  "closed-draft": "drafts of the closed collection",
  "closed-file": "files of live objects of the closed collection",
  "draft-file": "files of drafts",
  locked: "a file that a password locks",
  members: "a file that a group locks",
  history: "former values of the public collection, of live objects and of drafts",
  "closed-history": "former values of the closed collection",
  trash: "deleted objects of the public collection",
  "closed-trash": "deleted objects of the closed collection",
  users: "the records of other users",
  code: "handlers of automations",
  runs: "what an automation answers to those that may start it",
  views: "data views and their results",
  mail: "mailers and the log of mails",
  builder: "templates, pages in the making, redirects",
  admin: "webhooks, keys, settings, the audit log",
  nobody: "passwords, and secrets of the installation",
} as const;
export type Audience = keyof typeof audiences;

/** By HTTP, or by agents, for whom properties can be hidden (`mcp.expose`). */
export type Surface = "http" | "mcp";

export interface Secret {
  name: string;
  word: string;
  audience: Audience;
  /** No agent gets it, whoever it acts for. */
  isHiddenFromAgents: boolean;
}

const prefix = "zqmarkzqword";
const pattern = new RegExp(`${prefix}[a-z0-9]{1,16}`, "g");
/** How the prefix looks in Base64 behind 0, 1 and 2 other bytes, and how many characters stand before it in its block. */
const encoded = [0, 1, 2].map((before) => {
  const start = Math.ceil((before * 8) / 6);
  const text = Buffer.from("\0".repeat(before) + prefix).toString("base64");
  return { start, text: text.slice(start, Math.floor(((before + prefix.length) * 8) / 6)) };
});
const longest = 96;

/** Every marked word in these bytes, also inside Base64, and also the beginning of one that was cut short. */
export function wordsIn(text: string): Set<string> {
  const found = new Set<string>(text.toLowerCase().match(pattern));
  for (const { start, text: part } of encoded)
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
      const decoded = Buffer.from(text.slice(Math.max(at - start, 0), at + longest), "base64").toString("latin1");
      for (const word of decoded.toLowerCase().match(pattern) ?? []) found.add(word);
    }
  return found;
}

export const hashes = "hash of a password";

export class Secrets {
  readonly all: Secret[] = [];

  /** The word to store where the secret lies. */
  mark(name: string, audience: Audience, isHiddenFromAgents = false): string {
    // No two begin alike: the beginning tells which one was cut short.
    const number = this.all.length.toString(36).padStart(2, "0");
    const word = `${prefix}${number}${randomBytes(6).toString("hex")}`;
    this.all.push({ name, word, audience, isHiddenFromAgents });
    return word;
  }

  /** A secret that has its own text, which is looked for as it is. */
  literal(name: string, text: string): void {
    this.all.push({ name, word: text, audience: "nobody", isHiddenFromAgents: false });
  }

  /** The secrets in the text. What the caller has sent is none to the caller. */
  find(text: string, sent = ""): Secret[] {
    const words = [...wordsIn(text)];
    const isThere = (word: string) =>
      word.startsWith(prefix) ? words.some((one) => word.startsWith(one)) : text.includes(word);
    return this.all.filter(({ word }) => isThere(word) && !sent.includes(word));
  }

  named(name: string): string {
    const secret = this.all.find((one) => one.name === name);
    if (!secret) throw new Error(`no secret is called ${name}`);
    return secret.word;
  }
}
