// Sentences of the page about the caches.

import { plural } from "#words/format.ts";

export const cache = {
  title: "Cache",
  caches: "Caches",
  intro:
    "Answers, pages and images are kept so that they are not made twice. Clearing them is safe and never needed: what was cleared is made again when somebody asks.",
  kind: "Name",
  place: "Place",
  places: { memory: "Memory", files: "Files" },
  entries: "Entries",
  size: "Size",
  rate: "Hit rate",
  none: "–",
  lookups: (hits: string, misses: string) => `Hits ${hits}, misses ${misses}`,
  evictions: (count: number) => plural(count, { one: "1 dropped for room", other: (n) => `${n} dropped for room` }),
  /** By the names that the server gives them; others are shown as they come. */
  kinds: {
    pages: { name: "Pages", about: "Pages of the site, until something that they have read changes" },
    fragments: {
      name: "Fragments",
      about: "Parts of pages that templates mark, until something that they have read changes",
    },
    templates: { name: "Templates", about: "Templates as they were parsed, until one changes" },
    objects: { name: "Objects", about: "Objects as they are answered, until something in their collection changes" },
    lists: { name: "Lists", about: "Answers of lists and queries, until something in their collection changes" },
    totals: { name: "Totals", about: "How many objects a query selects, until something in their collection changes" },
    feeds: { name: "Feeds", about: "Sitemaps and feeds, until something that they list changes" },
    views: { name: "Views", about: "Results of data views, until they are built again" },
    images: { name: "Images", about: "Images in other sizes and formats, until their source changes" },
    filters: { name: "Filters", about: "Results of filters of extensions, until the extension or its settings change" },
    verdicts: { name: "Verdicts", about: "Keys and sessions that were recognized; cleared only with everything" },
  } as Record<string, { name: string; about: string }>,
  ofLimit: (bytes: string, limit: string) => `${bytes} of ${limit}`,
  counting: "Files are still being counted; the numbers may grow.",
  processes: (count: number, bytes: string) =>
    plural(count, {
      one: `1 server process, ${bytes} of caches in memory. Counted since its start.`,
      other: (n) =>
        `${n} server processes, ${bytes} of caches in memory. Counted since their start; others report every 10 seconds.`,
    }),
  clear: "Clear cache",
  clearKind: (name: string) => `Clear ${name.toLowerCase()}`,
  clearKindTitle: (name: string) => `Clear ${name.toLowerCase()}?`,
  clearKindText: "It is made again when somebody asks for it, so answers are slower at first. No content is removed.",
  clearedKind: (name: string, count: number) =>
    plural(count, { one: `${name}: 1 entry removed`, other: (n) => `${name}: ${n} entries removed` }),
  clearTitle: "Clear the cache?",
  what: "What to clear",
  all: "Everything",
  imagesOf: (collection: string) => `Images of ${collection}`,
  clearAll: "All caches are cleared in every process, and all derived images are removed.",
  clearOne: (collection: string) =>
    `The derived images of ${collection} are removed on the disk, and all images in memory.`,
  consequence:
    "They are made again when somebody asks for them, so pages with many images are slower at first. The uploaded images stay.",
  confirm: "Clear",
  cleared: (count: number) =>
    plural(count, { one: "1 derived image removed", other: (n) => `${n} derived images removed` }),
};
