// Sentences of the command palette.

import { plural } from "#words/format.ts";

export const palette = {
  title: "Command palette",
  field: "Search or run a command",
  recent: "Recent",
  objects: "Objects",
  collections: "Collections",
  pages: "Pages",
  actions: "Actions",
  settings: "Settings",
  results: "Results",
  count: (count: number) => plural(count, { one: "1 result", other: (n) => `${n} results` }),
  noMatch: (text: string) => `Nothing fits “${text}”.`,
  searching: "Searching…",
  searchFailed: "Objects cannot be searched at the moment.",
  hint: "Enter opens, Ctrl+Enter opens a new tab, > shows actions, # picks a collection",
  newIn: (thing: string) => `New ${thing}`,
  newThings: {
    ...{ collection: "New collection", schema: "New schema", dataView: "New data view", automation: "New automation" },
    ...{ webhook: "New webhook", mail: "New mail", user: "New user", group: "New group" },
  },
  clearCache: "Clear cache",
  runAutomation: (name: string) => `Run automation ${name}`,
  settingsOf: (name: string) => `Settings of ${name}`,
  importInto: (name: string) => `Import into ${name}`,
  exportOf: (name: string) => `Export ${name}`,
  fillOf: (name: string) => `Fill ${name}`,
  toggleTheme: "Toggle theme",
  toggleDensity: "Toggle density",
};
