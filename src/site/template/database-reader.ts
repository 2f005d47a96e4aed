// What templates read, from the database. Queries are asked on reader threads, as lists are; what was read is kept in memory
// until the next write to its collection. Call after the storage has caught up.

import { system } from "#access/actor.ts";
import { characterBytes, openStore } from "#base/caches/kind-store.ts";
import type { CacheKind } from "#base/caches/kinds.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedEntries, createVersionedValue } from "#base/caches/versioned-cache.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection, listOpenCollections } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { readQuerySelection } from "#content/query/filters.ts";
import { countAll, sourceOf } from "#content/query/lists.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Caller } from "#lanes/caller.ts";
import { isOnSite } from "#rules/on-site.ts";
import { cleanHtml, cleanSvg, findSvg, isKnownClean } from "#schemas/html/html.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { findShownForm } from "#site/forms/shown-form.ts";
import type { PagePreview } from "#site/pages/page-request.ts";
import { countSiteError } from "#site/site-errors.ts";
import type { Storage } from "#storage/port.ts";
import { decidingProperties } from "#storage/query/deciding-properties.ts";
import { noteShape } from "#storage/query/indexes.ts";
import { findDocuments, type VersionedDocument, versionOf } from "#storage/query/object-versions.ts";
import { askPage, versionedObjectsOf, versionsOf } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";
import { listDocuments } from "#storage/tables/objects.ts";
import { findLinkedAsset } from "./assets.ts";
import type { FoundList, FoundObject, ListQuestion, SiteReader } from "./reader.ts";
import { sourcesOf } from "./sources.ts";
import { readWords } from "./words.ts";

/** Characters of all that is kept, in each of the caches. */
const capacity = 16_000_000;
const largest = 1_000_000;

interface Entry {
  /** Another one as soon as its settings or its schema are. */
  collection: Collection;
  objects: FoundObject[];
  hasMore: boolean;
  size: number;
}

function createEntries(kind: CacheKind) {
  return createVersionedEntries<Storage, string, Entry>(
    (storage, collection) => storage.version(`objects:${collection}`),
    { kind, capacity, unit: characterBytes },
    ({ size }) => (size > largest ? Number.POSITIVE_INFINITY : size + 500),
  );
}

const lists = createEntries(cacheKinds.lists);
const singles = createEntries(cacheKinds.objects);
const cleaned = perInstance((storage: Storage) =>
  openStore<string>(storage, { kind: cacheKinds.objects, capacity, unit: characterBytes }),
);
const warned = perInstance((_storage: Storage) => new Set<string>());
const pageRecords = createVersionedValue<Storage, readonly JsonObject[]>((storage) =>
  storage.version("objects:builder-pages"),
);

/** `ctx`: of the public; templates have no rights of their own. */
export function createSiteReader(ctx: Context): SiteReader {
  const { storage, caller } = ctx;
  return {
    async open(id) {
      const collection = await findCollection(ctx, id);
      if (!collection) return { refusal: "absent" };
      return isOnSite(collection) ? { collection } : { refusal: "closed" };
    },
    list: (collection, question, preview) => list(ctx, collection, { question, preview, caller }),
    findMany: (collection, ids, preview) => findMany(ctx, collection, { ids, preview }),
    async referring(id) {
      const found: { collection: Collection; properties: string[] }[] = [];
      for (const collection of await listOpenCollections({ ...ctx, actor: system }, "read")) {
        const all = [...collection.schema.properties.values()];
        const properties = all.flatMap(({ name, definition }) => (definition.reference === id ? [name] : []));
        if (properties.length > 0 && isOnSite(collection)) found.push({ collection, properties });
      }
      return found;
    },
    count: (collection) => countAll(ctx, selectionOf(ctx, collection, {})),
    pages: async () => pageRecords.get(storage, () => readPages(ctx)),
    view: (id) => sourcesOf(ctx).view(id),
    words: (locale) => readWords(ctx, locale),
    asset: (path) => findLinkedAsset(ctx, path),
    isOpenFile: (collection, id, path) => sourcesOf(ctx).isOpenFile(collection, id, path),
    clean(html) {
      const rules = htmlclean(ctx);
      return isKnownClean(html, rules)
        ? html
        : keptClean(storage, `${JSON.stringify(rules)}${html}`, () => cleanHtml(html, rules));
    },
    async form(id) {
      const [collection = "", name = ""] = id.split("/");
      return findShownForm(ctx, await findCollection(ctx, collection), name);
    },
    cleanSvg(svg) {
      const drawing = findSvg(svg);
      return drawing === undefined ? "" : keptClean(storage, `svg${svg}`, () => cleanSvg(drawing));
    },
    refuse(message, { template, request }) {
      countSiteError(ctx, { kind: "read", template, message, path: request.path });
      const seen = warned(storage);
      const line = `${message} (template ${template})`;
      if (seen.has(line)) return;
      if (seen.size > 1_000) seen.clear();
      seen.add(line);
      ctx.log.warn(line);
    },
  };
}

function keptClean(storage: Storage, key: string, clean: () => string): string {
  const kept = cleaned(storage);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = clean();
  kept.set(key, made, key.length + made.length + 100);
  return made;
}

/** Never drafts, unless the maker of a preview may see them. */
function selectionOf(
  ctx: Context,
  collection: Collection,
  { params = {}, preview }: { params?: ListQuestion["params"]; preview?: PagePreview | undefined },
): Selection {
  const isShown = preview?.showsDrafts(collection.id) ?? false;
  const hideDrafts = collection.schema.properties.has("draft") && !isShown;
  return readQuerySelection(params, { ...sourceOf(ctx, collection), hideDrafts, now: undefined }).selection;
}

interface Asking {
  question: ListQuestion;
  preview: PagePreview | undefined;
  caller: Caller;
}

async function list(ctx: Context, collection: Collection, { question, preview, caller }: Asking): Promise<FoundList> {
  const { params, limit, offset } = question;
  const { storage } = ctx;
  const selection = selectionOf(ctx, collection, { params, preview });
  const page = { limit: limit + 1, offset };
  const key = `${collection.id} ${JSON.stringify([params, limit, offset, selection.hideDrafts])}`;
  const known = selection.shuffle ? undefined : lists.find(storage, collection.id, key);
  const load = async (): Promise<Entry> => {
    noteShape(storage, selection);
    const asked = { selection, page, caller, shows: versionedObjectsOf };
    const { rows } = await askPage<VersionedDocument>(storage, asked);
    const objects = rows.slice(0, limit).flatMap((row) => present(ctx, collection, row));
    const size = rows.reduce((sum, { doc }) => sum + doc.length, key.length);
    return { collection, objects, hasMore: rows.length > limit, size };
  };
  const entry = known?.collection === collection ? known : await lists.load(storage, collection.id, key, load);
  return {
    objects: entry.objects,
    hasMore: entry.hasMore,
    decidedBy: decidingProperties(selection),
    total: () => countAll({ ...ctx, caller }, selection),
    async ask() {
      const asked = { selection, page: { limit, offset }, caller, shows: versionsOf };
      const { rows } = await askPage<{ id: string; rid: number; rev: number }>(storage, asked);
      return rows.map((row) => ({ id: row.id, rev: versionOf(row) }));
    },
  };
}

/** A damaged object is left out. */
function present(ctx: App, collection: Collection, row: VersionedDocument): FoundObject[] {
  try {
    return [{ id: row.id, rev: versionOf(row), document: storedDocument(ctx, collection.schema, row) }];
  } catch (error) {
    ctx.log.warn({ collection: collection.id, id: row.id, err: error }, "an object could not be read");
    return [];
  }
}

async function findMany(
  ctx: Context,
  collection: Collection,
  { ids, preview }: { ids: readonly string[]; preview: PagePreview | undefined },
): Promise<(FoundObject | undefined)[]> {
  const { storage } = ctx;
  if (collection.isVirtual) return ids.map(() => undefined);
  const found = new Map<string, FoundObject>();
  const missing: string[] = [];
  for (const id of ids) {
    const entry = singles.find(storage, collection.id, `${collection.id}/${id}`);
    if (entry?.collection === collection && entry.objects[0]) found.set(id, entry.objects[0]);
    else missing.push(id);
  }
  if (missing.length > 0) {
    const version = storage.version(`objects:${collection.id}`);
    const rows = await findDocuments(storage, collection.id, missing);
    for (const row of rows) {
      const objects = present(ctx, collection, row);
      if (!objects[0]) continue;
      found.set(row.id, objects[0]);
      const entry = { collection, objects, hasMore: false, size: row.doc.length };
      if (storage.version(`objects:${collection.id}`) === version)
        singles.load(storage, collection.id, `${collection.id}/${row.id}`, () => entry);
    }
  }
  const showsDrafts = preview?.showsDrafts(collection.id) ?? false;
  return ids.map((id) => {
    const object = found.get(id);
    return object?.document.draft === true && !showsDrafts ? undefined : object;
  });
}

async function readPages(ctx: App): Promise<readonly JsonObject[]> {
  const rows = await listDocuments(ctx.storage, "builder-pages");
  const pages = rows.flatMap(({ doc }) => {
    try {
      return [JSON.parse(doc) as JsonObject];
    } catch {
      return [];
    }
  });
  const order = ({ order: place }: JsonObject) => (typeof place === "number" ? place : 0);
  return pages.filter(({ draft }) => draft !== true).sort((a, b) => order(a) - order(b));
}
