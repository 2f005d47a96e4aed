// The event `site.purge`: the tags (cache-tags.ts) of what writes have changed, for a CDN that keeps pages of the site. Each
// write notes its tags in its own transaction; a second later one event has those of all writes of all processes.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { CairnEvent, SitePart } from "#jobs/reactions.ts";
import { mayBeOnSite } from "#rules/on-site.ts";
import type { Tx } from "#storage/port.ts";
import { insertPurge, takePurges } from "#storage/tables/site/site-purges.ts";
import { collectionTag, objectTag, redirectsTag, siteTag, templateTag, viewTag } from "./cache-tags.ts";

const purgeKind = "site.purge";
const gatherMs = 1_000;
/** Beyond that the event names the whole site: a CDN takes only some tags at a time. */
const maxTags = 1_000;
const rowsAtOnce = 500;

export function registerPurges(app: App): void {
  app.reactions.add((tx, event) => note(app, tx, event));
  app.jobs.handle(purgeKind, () => announce(app), { concurrency: 1, keep: 20, retriesOnError: true });
}

/** What one transaction has changed. */
const changedIn = perInstance((_tx: Tx) => new Set<string>());

function note({ settings, clock }: App, tx: Tx, event: CairnEvent): undefined {
  if (settings.get("site.sharedMaxAge") === 0) return undefined;
  const tags = tagsOfEvent(event);
  if (tags.length === 0) return undefined;
  const changed = changedIn(tx);
  if (changed.size <= maxTags) for (const tag of tags) changed.add(tag);
  tx.beforeCommit(purgeKind, async () => {
    await insertPurge(tx, bounded(changed));
    const runAt = new Date(clock.now() + gatherMs).toISOString();
    await enqueue(tx, { kind: purgeKind, key: "site", payload: {}, runAt });
  });
  return undefined;
}

function tagsOfEvent(event: CairnEvent): readonly string[] {
  switch (event.type) {
    case "object.created":
    case "object.updated":
    case "object.deleted":
    case "import.created":
    case "import.updated": {
      const { collection, id } = event;
      // Of the others that are never on the site the schema is not known here; their tags stand on no page.
      if (!mayBeOnSite(collection, { schema: "" })) return [];
      return [objectTag(collection, id), collectionTag(collection)];
    }
    case "template.saved":
    case "template.deleted":
      return [templateTag(event.template)];
    case "collection.created":
    case "collection.updated":
    case "collection.deleted":
    case "schema.saved":
    case "schema.deleted":
      return [siteTag];
    case "site.changed":
      return [tagOfPart(event.part)];
    default:
      return [];
  }
}

function tagOfPart(part: SitePart): string {
  if (part === "all") return siteTag;
  if (part === "redirects") return redirectsTag;
  const [kind = "", id = ""] = part.split(/:(.*)/s);
  return kind === "view" ? viewTag(id) : templateTag(id);
}

async function announce(app: App): Promise<{ tags: number }> {
  let announced = 0;
  for (let rows = rowsAtOnce; rows === rowsAtOnce; ) {
    rows = await app.storage.write(async (tx) => {
      const taken = await takePurges(tx, rowsAtOnce);
      const tags = bounded(taken.tags);
      announced += tags.length;
      if (tags.length > 0) await app.reactions.run(tx, { type: "site.purge", tags });
      return taken.count;
    });
  }
  return { tags: announced };
}

function bounded(tags: ReadonlySet<string>): string[] {
  return tags.has(siteTag) || tags.size > maxTags ? [siteTag] : [...tags].sort();
}
