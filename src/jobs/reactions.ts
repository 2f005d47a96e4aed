// Consequences of a write that must survive the death of the process: rows that are written in the
// write's own transaction. A reaction without anything to do returns synchronously: it is called on every write.

import type { Tx } from "#storage/port.ts";

export type CairnEvent =
  | { type: "object.created" | "object.updated" | "object.deleted"; collection: string; id: string }
  | { type: "collection.created" | "collection.updated" | "collection.deleted"; collection: string }
  | { type: "schema.saved" | "schema.deleted"; schema: string }
  | { type: "template.saved" | "template.deleted"; template: string }
  | { type: "user.login" | "user.logout"; user: string }
  | { type: "import.created" | "import.updated"; collection: string; id: string }
  /** Up to a hundred rows of an import, for those that take them together. */
  | { type: "import.stored"; collection: string; done: "created" | "updated"; ids: string[] }
  | { type: "import.completed"; collection: string; created: number; updated: number }
  | { type: `extension.${"enabled" | "disabled" | "failed" | "quarantined"}`; extension: string }
  /** Something that pages of the site show and that no other event is about. */
  | { type: "site.changed"; part: SitePart }
  /** The log of changes up to now cannot be rewritten unnoticed by those who know this root. */
  | { type: "history.sealed"; number: number; root: string }
  /** A CDN must drop pages with one of these tags. */
  | { type: "site.purge"; tags: string[] };

export type SitePart = "all" | "redirects" | `template:${string}` | `view:${string}`;

/** Changes nothing but the database: the transaction may run again. */
export type Reaction = (tx: Tx, event: CairnEvent, cause: Cause | undefined) => Promise<void> | undefined;

/** The automation that made the write, so that none triggers itself without end. */
export interface Cause {
  automation: string;
  /** Number of automations in the chain before this write. */
  depth: number;
}

export interface Reactions {
  add(reaction: Reaction): void;
  run(tx: Tx, event: CairnEvent, cause?: Cause): Promise<void> | undefined;
}

export function createReactions(): Reactions {
  const reactions: Reaction[] = [];
  return {
    add: (reaction) => reactions.push(reaction),
    run(tx, event, cause) {
      let last: Promise<void> | undefined;
      for (const reaction of reactions) {
        last = last ? last.then(() => reaction(tx, event, cause)) : reaction(tx, event, cause);
      }
      return last;
    },
  };
}
