// Takes values out of the log that are passwords now. Readings hide them from the moment in which the schema says so; this job
// follows, whichever way the schema was saved, because it comes after the objects of each collection were renewed. What was
// done is stored with the names of the passwords: only a new one begins the walk from the start.

import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { type ContentChange, changeContents, type KeptContent, lengthOf } from "#storage/tables/history/contents.ts";
import { findLastPlace, firstPlace } from "#storage/tables/history/feed.ts";
import { findWalk, iterateKept, listHeads, setWalk } from "#storage/tables/history/retention.ts";
import { pauseWork, wholeHash } from "./empty.ts";
import { type Hasher, hasherOf } from "./seal-hash.ts";
import { passwordsOf, withoutPasswords } from "./version.ts";

const kind = "history.scrub";
const atOnce = 500;

export function handleScrubbing(app: App): void {
  app.jobs.handle(kind, (job, run) => runScrub(app, job, run), { concurrency: 1, keep: 1 });
}

/** After the objects of a collection follow a schema. */
export async function askScrub(tx: Tx, collection: string, schema: FlatSchema): Promise<void> {
  // Where nothing was ever recorded there is nothing to take out.
  if (passwordsOf(schema).length === 0 || !(await findLastPlace(tx))) return;
  await enqueue(tx, { kind, key: `${kind}:${collection}`, subject: collection, payload: { collection } });
}

async function runScrub(app: App, job: Job, run: JobRun): Promise<JsonObject> {
  const { collection: id } = job.payload as { collection: string };
  const collection = await findCollection(app, id);
  return { changes: collection ? await scrubPasswords(app, collection, run.signal) : 0 };
}

/** Returns how many changes have lost something. */
export async function scrubPasswords(app: App, { id, schema }: Collection, signal?: AbortSignal): Promise<number> {
  const { storage } = app;
  const name = `scrub:${id}`;
  const rule = JSON.stringify([...passwordsOf(schema)].sort());
  const found = await findWalk(storage, name);
  const known = new Set(found ? (JSON.parse(found.rule) as string[]) : []);
  const end = await findLastPlace(storage);
  if (!end) return 0;
  // They may have been text since then, or the collection another one: what is newer is looked at.
  const isKnown = passwordsOf(schema).every((path) => known.has(path));
  const hasher = hasherOf(app);
  let after = found && isKnown ? { tx: found.tx, seq: found.seq } : firstPlace;
  let done = 0;
  for (;;) {
    signal?.throwIfAborted();
    const began = performance.now();
    const heads = await listHeads(storage, { after, upTo: end }, atOnce);
    const reached = heads.at(-1);
    if (!reached) break;
    const changes: ContentChange[] = [];
    if (heads.some((head) => head.isKept === 1 && head.collection === id))
      for await (const rows of iterateKept(storage, { after, upTo: reached }, { collection: id, isAll: true }))
        changes.push(...rows.flatMap((row) => scrubbed(hasher, schema, row) ?? []));
    const count = changes.length === 0 ? 0 : await storage.write((tx) => changeContents(tx, changes, false));
    done += count;
    // What somebody else changed at the same moment is looked at once more.
    if (count === changes.length) after = reached;
    await (changes.length > 0 ? pauseWork(began) : yieldToEventLoop());
  }
  await storage.write((tx) => setWalk(tx, name, { tx: end.tx, seq: end.seq, rule }));
  return done;
}

/** Undefined: nothing in it is a password. */
function scrubbed(hasher: Hasher, schema: FlatSchema, row: KeptContent): ContentChange | undefined {
  const content = row.content === null ? undefined : (JSON.parse(row.content) as JsonObject);
  if (!content) return undefined;
  const text = JSON.stringify(
    isJsonObject(content.document) ? withoutInDeletion(schema, content) : withoutIn(schema, content),
  );
  if (text === JSON.stringify(content)) return undefined;
  const left = { content: text, secrets: row.secrets };
  const { seq, rid, contentHash } = row;
  return { seq, rid, contentHash, hash: hasher.rest(wholeHash(hasher, row), left), bytes: lengthOf(row), left };
}

/** The names that were absent stay. */
function withoutIn(schema: FlatSchema, { "": absent, ...values }: JsonObject): JsonObject {
  return { ...(absent !== undefined && { "": absent }), ...withoutPasswords(schema, values) };
}

function withoutInDeletion(schema: FlatSchema, content: JsonObject): JsonObject {
  const { document, attic } = content;
  return {
    ...content,
    document: isJsonObject(document) ? withoutPasswords(schema, document) : {},
    ...(isJsonObject(attic) && { attic: withoutPasswords(schema, attic) }),
  };
}
