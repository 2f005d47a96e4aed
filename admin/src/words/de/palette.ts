// The German of `en/palette.ts`.

import type { palette as en } from "#words/en/palette.ts";
import { plural } from "#words/format.ts";

export const palette: typeof en = {
  title: "Befehlspalette",
  field: "Suchen oder Befehl ausführen",
  recent: "Zuletzt",
  objects: "Objekte",
  collections: "Sammlungen",
  pages: "Seiten",
  actions: "Aktionen",
  settings: "Einstellungen",
  results: "Ergebnisse",
  count: (count: number) => plural(count, { one: "1 Ergebnis", other: (n) => `${n} Ergebnisse` }),
  noMatch: (text: string) => `Nichts passt zu „${text}“.`,
  searching: "Wird gesucht …",
  searchFailed: "Objekte können gerade nicht durchsucht werden.",
  hint: "Enter öffnet, Strg+Enter öffnet einen neuen Tab, > zeigt Aktionen, # wählt eine Sammlung",
  newIn: (thing: string) => `Neu: ${thing}`,
  newThings: {
    ...{ collection: "Neue Sammlung", schema: "Neues Schema", dataView: "Neue Datenansicht" },
    ...{ automation: "Neue Automation", webhook: "Neuer Webhook", mail: "Neue Mail" },
    ...{ user: "Neuer Benutzer", group: "Neue Gruppe" },
  },
  clearCache: "Cache leeren",
  runAutomation: (name: string) => `Automation ${name} ausführen`,
  settingsOf: (name: string) => `Einstellungen von ${name}`,
  importInto: (name: string) => `In ${name} importieren`,
  exportOf: (name: string) => `${name} exportieren`,
  fillOf: (name: string) => `${name} füllen`,
  toggleTheme: "Hell oder dunkel",
  toggleDensity: "Dichte wechseln",
};
