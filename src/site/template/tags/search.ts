// `{% search %}` over several collections, and `{% view %}`: results of data views.

import type { ValueToken } from "liquidjs";
import { escapeHtml, foldWords, htmlToText } from "#base/text.ts";
import type { Collection } from "#content/collections/collection.ts";
import { searchEach } from "#content/query/search-everywhere.ts";
import type { Json } from "#contract/json.ts";
import { findAddress } from "#site/template/addresses.ts";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";
import { markup, textOf } from "#site/template/html-value.ts";
import { countQuery, type Rendering, refuse } from "#site/template/rendering.ts";
import { bareCopy, objectValue, recordedOf } from "#site/template/values.ts";
import { titleOf } from "./navigation.ts";
import { asVisitor, openForSite, pageNumber, pageValue } from "./query.ts";

const fewestLetters = 2;
const maxCollections = 10;
const mostHits = 200;
const excerptLength = 180;

interface SearchState {
  name: string;
  words: ValueToken;
  among: ValueToken;
  args: Arguments;
}

const searchTag: SiteTag<SearchState> = {
  parse(source) {
    const name = source.readName();
    source.expect("for");
    const words = source.readValue();
    source.expect("in");
    return { name, words, among: source.readValue(), args: source.readArguments(["limit", "page"]) };
  },
  *render({ name, words, among, args }, run) {
    const { named } = yield* run.arguments(args);
    const text = textOf(yield* run.value(words)).trim();
    const ids = textOf(yield* run.value(among))
      .split(",")
      .map((id) => id.trim());
    run.assign(name, yield searchAll(run.rendering, { text, ids: ids.filter(Boolean), named }));
  },
};

interface Wish {
  text: string;
  ids: readonly string[];
  named: Readonly<Record<string, unknown>>;
}

async function searchAll(rendering: Rendering, { text, ids, named }: Wish): Promise<object[]> {
  const limit = Math.min(Number(textOf(named.limit)) || 20, 100);
  const page = pageNumber(named.page);
  if (ids.length > maxCollections) throw new Error(`A search takes at most ${maxCollections} collections`);
  const nothing = { page, limit, hasMore: false, total: async () => 0 };
  if ([...text].length < fewestLetters || page * limit > mostHits) return pageValue([], nothing);
  const collections: Collection[] = [];
  for (const id of ids) {
    const collection = await openForSite(rendering, id);
    if (collection) collections.push(collection);
  }
  const found = await searchEach(collections, (collection) =>
    searchOne(rendering, collection, { text, most: mostHits }),
  );
  const hits = found.slice((page - 1) * limit, page * limit);
  const values = await Promise.all(hits.map((hit) => hitValue(rendering, hit, text)));
  return pageValue(values, { page, limit, hasMore: found.length > page * limit, total: async () => found.length });
}

interface Hit {
  object: object;
  collection: Collection;
}

async function searchOne(
  rendering: Rendering,
  collection: Collection,
  { text, most }: { text: string; most: number },
): Promise<Hit[]> {
  countQuery(rendering);
  const { reader, recorder, request } = rendering;
  const question = { params: { search: text.slice(0, 200) }, limit: Math.min(most, 100), offset: 0 };
  const found = await asVisitor(rendering, () => reader.list(collection, question, request.preview));
  const objects = found.objects.map((object) => objectValue(rendering, collection, object));
  const ask = async () => ({ rows: await found.ask() });
  recorder.query({ collection: collection.id, objects: objects.map(recordedOf), ask });
  return objects.map((object) => ({ object, collection }));
}

async function hitValue(rendering: Rendering, { object, collection }: Hit, text: string): Promise<object> {
  const url = await findAddress(rendering, object);
  const excerpt = markup(markedExcerpt(bodyOf(object, collection), text));
  return Object.assign(Object.create(null), {
    object,
    collection: collection.id,
    title: titleOf(object),
    url,
    excerpt,
  });
}

/** All text of the object but its title. */
function bodyOf(object: object, { schema }: Collection): string {
  const texts: string[] = [];
  for (const { name, kind } of schema.properties.values()) {
    if (kind.type !== "string" || ["id", "title", "name"].includes(name)) continue;
    texts.push(textOf((object as Record<string, unknown>)[name]));
  }
  return htmlToText(texts.filter(Boolean).join(" ")).replace(/\s+/g, " ").trim().slice(0, 20_000);
}

/** The place of the first word, with all words marked. */
export function markedExcerpt(text: string, query: string): string {
  const words = foldWords(query)
    .split(" ")
    .filter((word) => word.length > 1)
    .slice(0, 10);
  const parts = text.split(/([\p{L}\p{N}]+)/u);
  const isHit = (part: string) => words.some((word) => foldWords(part).startsWith(word));
  const first = parts.findIndex((part, at) => at % 2 === 1 && isHit(part));
  let start = Math.max(0, first);
  for (let length = 0; start > 0 && length < excerptLength / 3; start--) length += parts[start - 1]?.length ?? 0;
  let shown = start > 0 ? "…" : "";
  let length = 0;
  let at = start;
  for (; at < parts.length && length < excerptLength; at++) {
    const part = parts[at] ?? "";
    length += part.length;
    shown += at % 2 === 1 && isHit(part) ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part);
  }
  return at < parts.length ? `${shown}…` : shown;
}

const viewTag: SiteTag<{ name: string; from: ValueToken }> = {
  parse(source) {
    const name = source.readName();
    source.expect("from");
    return { name, from: source.readValue() };
  },
  *render({ name, from }, run) {
    const { rendering } = run;
    const id = textOf(yield* run.value(from));
    countQuery(rendering);
    rendering.recorder.scope(`view:${id}`);
    const data = (yield rendering.reader.view(id)) as Json | undefined;
    if (data === undefined) refuse(rendering, `There is no data view "${id}" that the site may show`);
    run.assign(name, bareCopy(data));
  },
};

registerTag("search", searchTag);
registerTag("view", viewTag);
