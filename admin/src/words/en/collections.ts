// Sentences of the list of collections and of a collection's table.

import { plural } from "#words/format.ts";

export const collections = {
  title: "Collections",
  content: "Content",
  objects: "objects",
  newOne: (singular: string) => `New ${singular === "" ? "object" : singular}`,
  newCollection: "New collection",
  count: (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` }),
  otherCategory: "Other",
  schema: "Schema",
  singleton: "Single object",
  readOnly: "Read only",
  readyTitle: "Ready-made",
  readyText: "These come with Cairn. One click makes the collection.",
  addShort: "Add",
  add: (name: string) => `Add ${name}`,
  added: (name: string) => `Collection ${name} added`,
  emptyTitle: "No collections yet",
  emptyText: "A collection holds objects of one kind, described by a schema.",
  find: "Find a collection",
  noMatch: "No collection has such a name.",
  ready: {
    blog: { name: "Blog", text: "Posts with text, images, categories and tags." },
    gallery: { name: "Gallery", text: "Sets of images." },
    text: { name: "Text", text: "Single texts for places on the site." },
    image: { name: "Image", text: "Single images for places on the site." },
    file: { name: "File", text: "Single files to download." },
    depot: { name: "Depot", text: "Folders of files." },
    "builder-pages": { name: "Pages", text: "Pages of the site builder." },
    "mcp-prompt": { name: "Prompts", text: "Prompts for AI clients." },
  },
};
