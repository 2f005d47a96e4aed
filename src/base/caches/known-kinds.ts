// The kinds of cache that Cairn has. Their names are part of the API. Each is filled by one room or more, which open stores of it.

import { defineKind } from "./kinds.ts";

export const cacheKinds = {
  pages: defineKind({
    name: "pages",
    about: "Pages of the site, until something that they have read changes",
    isSelective: true,
  }),
  fragments: defineKind({
    name: "fragments",
    about: "Parts of pages that templates mark as fragments, until something that they have read changes",
  }),
  templates: defineKind({
    name: "templates",
    about: "Templates as they were parsed, and words of languages, until a template changes",
  }),
  objects: defineKind({
    name: "objects",
    about: "Objects as they are answered and shown, until something is written to their collection",
  }),
  lists: defineKind({
    name: "lists",
    about: "Answers of lists and queries, until something is written to their collection",
  }),
  totals: defineKind({
    name: "totals",
    about: "How many objects a query selects, until something is written to their collection",
  }),
  feeds: defineKind({
    name: "feeds",
    about: "Sitemaps and feeds of the site, until something that they list changes",
  }),
  views: defineKind({
    name: "views",
    about: "Results of data views as templates and tools read them, until they are built again",
  }),
  images: defineKind({
    name: "images",
    about: "Images in other sizes and formats, until their source changes",
    place: "files",
    isShared: true,
  }),
  filters: defineKind({
    name: "filters",
    about: "Results of filters of extensions, until the extension or its settings change",
  }),
  verdicts: defineKind({
    name: "verdicts",
    about: "Keys, sessions, tokens and users that were recognized, until one of them changes",
    isClearedAlone: false,
  }),
} as const;
