// Sentences of the page about the cache.

import { plural } from "#words/format.ts";

export const cache = {
  title: "Cache",
  intro:
    "Images in other sizes and formats are made once and kept. Clearing them is safe: they are made again when somebody asks.",
  kind: "Kind",
  entries: "Entries",
  size: "Size",
  hits: "Hits",
  kinds: {
    images: { name: "Derived images", about: "On the disk of the server" },
    memory: { name: "Images in memory", about: "Small ones that are asked for often" },
    pages: { name: "Pages", about: "Of the site, in memory while nothing that they show has changed" },
  },
  ofLimit: (bytes: string, limit: string) => `${bytes} of ${limit}`,
  counting: "Files are still being counted; the numbers may grow.",
  sinceStart: "Hits are counted since the start of the server.",
  clear: "Clear cache",
  clearTitle: "Clear the cache?",
  what: "What to clear",
  all: "All derived images",
  clearAll: "All derived images are removed, on the disk and in memory, and the pages in memory.",
  clearOne: (collection: string) =>
    `The derived images of ${collection} are removed on the disk, and all images in memory.`,
  consequence:
    "They are made again when somebody asks for them, so pages with many images are slower at first. The uploaded images stay.",
  confirm: "Clear",
  cleared: (count: number) =>
    plural(count, { one: "1 derived image removed", other: (n) => `${n} derived images removed` }),
};
