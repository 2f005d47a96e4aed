// `Cache-Tag` of a page: names of what it has read, by which a CDN drops it. `site.purge` names the same (purge-events.ts).

import type { PageRecord } from "#site/template/recorder.ts";

const maxLength = 8_000;
/** On every page: changes of schemas and collections reach all of them. */
export const siteTag = "site";
const pagesCollection = "builder-pages";

export function objectTag(collection: string, id: string): string {
  return collection === pagesCollection ? `p:${id}` : `o:${collection}/${id}`;
}

/** Pages that list the collection. */
export function collectionTag(collection: string): string {
  return `c:${collection}`;
}

export function templateTag(id: string): string {
  return `t:${id}`;
}

export function viewTag(id: string): string {
  return `v:${id}`;
}

/** Answers that lead elsewhere. */
export const redirectsTag = "redirects";

/** Separated by commas; above 8 kB collections stand for their objects. */
export function tagsOf(record: PageRecord): string {
  const lists = new Set<string>();
  const touched = new Set<string>();
  const objects = new Set<string>();
  for (const scope of [...record.whole, ...record.facts.flatMap(({ scopes }) => scopes)])
    if (scope.startsWith("objects:")) lists.add(collectionTag(scope.slice("objects:".length)));
    else if (scope.startsWith("view:")) lists.add(viewTag(scope.slice("view:".length)));
  for (const [collection, reads] of record.collections) {
    touched.add(collectionTag(collection));
    if (reads.queries.length > 0) lists.add(collectionTag(collection));
    for (const { id } of [...reads.objects, ...reads.queries.flatMap((query) => query.objects)])
      objects.add(objectTag(collection, id));
    for (const id of reads.absences) objects.add(objectTag(collection, id));
  }
  const templates = [...record.templates].map(templateTag);
  const exact = [siteTag, ...lists, ...templates, ...objects].map(clean).join(",");
  return exact.length <= maxLength
    ? exact
    : [siteTag, ...new Set([...lists, ...touched]), ...templates].map(clean).join(",");
}

/** Ids are letters, digits and few signs; anything else would end the tag or the header. */
function clean(tag: string): string {
  return tag.replace(/[^\x21-\x2b\x2d-\x7e]/g, "-");
}
