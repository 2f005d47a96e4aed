// `{% query %}` and `{% get %}`: objects of a collection. What was asked is recorded, and asked again when the page is checked.

import type { ValueToken } from "liquidjs";
import { CairnError } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { didYouMean } from "#rules/near-names.ts";
import { idsOf, type Relation, relationsOf } from "#schemas/relations.ts";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";
import { PageEnd } from "#site/template/errors.ts";
import { textOf } from "#site/template/html-value.ts";
import type { FoundObject } from "#site/template/reader.ts";
import { countQuery, type Rendering, refuse } from "#site/template/rendering.ts";
import { findObjectMeta, objectValue, recordedOf, resolvedValue } from "#site/template/values.ts";
import { usualSort } from "#site/usual-sort.ts";

const defaultLimit = 20;
const maxLimit = 100;
const queryNames = ["include", "exclude", "search", "sort", "limit", "page", "with"];

interface Asked {
  name: string;
  from: ValueToken;
  args: Arguments;
}

/** A collection that the site may show. A closed one is a mistake while the site is built, and nothing for visitors. */
export async function openForSite(rendering: Rendering, id: string): Promise<Collection | undefined> {
  const { reader } = rendering;
  const opened = await reader.open(id);
  if ("collection" in opened) return opened.collection;
  const message =
    opened.refusal === "closed"
      ? `The collection "${id}" is not on the site. Its setting "onSite" opens it to templates`
      : `There is no collection "${id}"`;
  refuse(rendering, message);
  return undefined;
}

const queryTag: SiteTag<Asked> = {
  parse(source) {
    const name = source.readName();
    source.expect("from");
    return { name, from: source.readValue(), args: source.readArguments(queryNames) };
  },
  *render({ name, from, args }, run) {
    const { named } = yield* run.arguments(args);
    const collectionId = textOf(yield* run.value(from));
    run.assign(name, yield askQuery(run.rendering, collectionId, named));
  },
};

export async function askQuery(
  rendering: Rendering,
  collectionId: string,
  named: Readonly<Record<string, unknown>>,
): Promise<unknown[]> {
  countQuery(rendering);
  const { reader, recorder, request } = rendering;
  const page = pageNumber(named.page);
  const limit = wholeNumber(named.limit, defaultLimit, "limit");
  if (limit > maxLimit) throw new Error(`limit may be at most ${maxLimit}`);
  const collection = await openForSite(rendering, collectionId);
  if (!collection) return pageValue([], { page, limit, hasMore: false, total: async () => 0 });
  const { include, exclude, search } = named;
  const sort = named.sort ?? (textOf(search) === "" ? defaultSort(collection) : "");
  const params = Object.fromEntries(
    Object.entries({ include, exclude, search, sort }).map(([name, value]) => [name, textOf(value)]),
  );
  const offset = (page - 1) * limit;
  const found = await asVisitor(rendering, () => reader.list(collection, { params, limit, offset }, request.preview));
  if (page > 1 && found.objects.length === 0) throw new PageEnd({ kind: "abort", status: 404 });
  const items = found.objects.map((object) => objectValue(rendering, collection, object));
  const seen: { total: number | undefined } = { total: undefined };
  recorder.query({
    collection: collection.id,
    objects: items.map(recordedOf),
    get total() {
      return seen.total;
    },
    decidedBy: found.decidedBy,
    ask: async () => {
      const rows = await found.ask();
      // Whether there is a next page is always seen: the library looks at `next` to tell lists from iterators.
      const after = await reader.list(collection, { params, limit: 1, offset: offset + limit });
      if (after.objects.length > 0 !== found.hasMore) return { rows: [] };
      return { rows, ...(seen.total !== undefined && { total: await totalNow(reader, collection, params) }) };
    },
  });
  if (named.with !== undefined) await resolveReferences(rendering, collection, items, textOf(named.with));
  const total = async () => {
    seen.total ??= await found.total();
    return seen.total;
  };
  return pageValue(items, { page, limit, hasMore: found.hasMore, total });
}

function totalNow(
  reader: Rendering["reader"],
  collection: Collection,
  params: Record<string, string>,
): Promise<number> {
  return reader.list(collection, { params, limit: 1, offset: 0 }).then((list) => list.total());
}

function defaultSort(collection: Collection): string {
  const sort = usualSort(collection);
  return collection.settings.reverseSort ? `-${sort}` : sort;
}

/** A value of the query string that no query can be made of is the visitor's mistake, not the template's. */
export async function asVisitor<T>(rendering: Rendering, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isInvalid = error instanceof CairnError && error.word === "invalid";
    if (isInvalid && rendering.parameters.size > 0 && !rendering.isDevelopment)
      throw new PageEnd({ kind: "abort", status: 404 });
    throw error;
  }
}

interface PageOfObjects {
  page: number;
  limit: number;
  hasMore: boolean;
  total(): Promise<number>;
}

/** A list that also knows its place among all pages. */
export function pageValue(items: object[], { page, limit, hasMore, total }: PageOfObjects): object[] {
  const list = [...items];
  const pages = async () => Math.max(1, Math.ceil((await total()) / limit));
  const known = { items, count: items.length, page, prev: page > 1 ? page - 1 : null };
  for (const [name, value] of Object.entries(known)) Object.defineProperty(list, name, { value });
  Object.defineProperty(list, "total", { get: total });
  Object.defineProperty(list, "pages", { get: pages });
  Object.defineProperty(list, "next", { value: hasMore ? page + 1 : null });
  return list;
}

export function pageNumber(value: unknown): number {
  const text = textOf(value);
  if (text === "") return 1;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new PageEnd({ kind: "abort", status: 404 });
}

function wholeNumber(value: unknown, fallback: number, name: string): number {
  const text = textOf(value);
  if (text === "") return fallback;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name} must be a whole number of at least 1`);
  return Number(text);
}

const maxHops = 3;

interface Step {
  /** As it was written, for messages. */
  path: string;
  /** What is left of it. */
  rest: readonly string[];
  collection: Collection;
  items: readonly object[];
}

/** All references of all objects, level by level: one statement for each collection that they are in. */
export async function resolveReferences(
  rendering: Rendering,
  collection: Collection,
  items: readonly object[],
  names: string,
): Promise<void> {
  const paths = names.split(",").map((name) => name.trim());
  let steps: Step[] = paths.flatMap((path) =>
    path === "" ? [] : [{ path, rest: path.split("."), collection, items }],
  );
  for (let hop = 1; steps.length > 0; hop += 1) {
    if (hop > maxHops) throw new Error(`"${steps[0]?.path}" follows more than ${maxHops} references.`);
    const byTarget = Map.groupBy(
      steps.map((step) => ({ step, relation: findRelation(step) })),
      ({ relation }) => relation.target,
    );
    steps = [];
    for (const [target, hops] of byTarget) {
      const ids = hops.flatMap(({ step, relation }) => idsOfItems(step.items, relation));
      const found = await getObjects(rendering, target, ids);
      for (const { step, relation } of hops) {
        setResolved(step.items, relation, found);
        steps.push(...stepsBehind(step, relation, found));
      }
    }
  }
}

function findRelation({ path, rest, collection }: Step): Relation {
  const relations = relationsOf(collection.schema);
  const found = relations.find((one) => one.path.every((name, at) => name === rest[at]));
  if (found) return found;
  const names = relations.map(({ name }) => name);
  throw new Error(`"${path}" is not a reference of the collection "${collection.id}".${didYouMean(path, names)}`);
}

function idsOfItems(items: readonly object[], { path }: Relation): string[] {
  return items.flatMap((item) => {
    const meta = findObjectMeta(item);
    return meta ? idsOf(meta.collection.schema, meta.recorded.document, path) : [];
  });
}

function setResolved(items: readonly object[], { name, path }: Relation, found: ReadonlyMap<string, object>): void {
  for (const meta of items.flatMap((item) => findObjectMeta(item) ?? [])) {
    const [property = ""] = path;
    meta.recorded.properties.add(property);
    if (path.length > 1) meta.nested.set(name, found);
    else meta.resolved.set(name, resolvedValue(meta.recorded.document[property], found));
  }
}

function stepsBehind({ path, rest, items }: Step, relation: Relation, found: ReadonlyMap<string, object>): Step[] {
  const behind = rest.slice(relation.path.length);
  const objects = [...new Set(idsOfItems(items, relation))].flatMap((id) => found.get(id) ?? []);
  const collection = findObjectMeta(objects[0])?.collection;
  return behind.length > 0 && collection ? [{ path, rest: behind, collection, items: objects }] : [];
}

/** Objects by id, in one statement; recorded, and so are those that are not there. */
export async function getObjects(
  rendering: Rendering,
  collectionId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  const values = new Map<string, object>();
  if (ids.length === 0) return values;
  countQuery(rendering);
  const collection = await openForSite(rendering, collectionId);
  if (!collection) return values;
  const { reader, recorder, request } = rendering;
  const wanted = [...new Set(ids)];
  const found = await reader.findMany(collection, wanted, request.preview);
  for (const [at, id] of wanted.entries()) {
    const object: FoundObject | undefined = found[at];
    if (!object) {
      recorder.absence(collection.id, id);
      continue;
    }
    const value = objectValue(rendering, collection, object);
    recorder.object(recordedOf(value));
    values.set(id, value);
  }
  return values;
}

interface Got {
  name: string;
  from: ValueToken;
  id: ValueToken | undefined;
  args: Arguments;
}

const getTag: SiteTag<Got> = {
  parse(source) {
    const name = source.readName();
    source.expect("from");
    const from = source.readValue();
    const args = source.readArguments(["required", "with"]);
    return { name, from, id: args.values[0], args };
  },
  *render({ name, from, id, args }, run) {
    const { named } = yield* run.arguments(args);
    const collection = textOf(yield* run.value(from));
    const wanted = id ? textOf(yield* run.value(id)) : "";
    const found =
      wanted === "" ? undefined : ((yield getObjects(run.rendering, collection, [wanted])) as Map<string, object>);
    const object = found?.get(wanted);
    if (!object && named.required === true) throw new PageEnd({ kind: "abort", status: 404 });
    const meta = findObjectMeta(object);
    if (meta && named.with !== undefined)
      yield resolveReferences(run.rendering, meta.collection, [object as object], textOf(named.with));
    run.assign(name, object);
  },
};

registerTag("query", queryTag);
registerTag("get", getTag);
