// Sentences of the page about the cache, in German.

import type { cache as english } from "#words/en/cache.ts";
import { plural } from "#words/format.ts";

export const cache: typeof english = {
  title: "Cache",
  intro:
    "Bilder in anderen Größen und Formaten werden einmal erzeugt und aufbewahrt. Sie dürfen jederzeit gelöscht werden: Bei Bedarf entstehen sie neu.",
  kind: "Art",
  entries: "Einträge",
  size: "Größe",
  hits: "Treffer",
  kinds: {
    images: { name: "Abgeleitete Bilder", about: "Auf der Platte des Servers" },
    memory: { name: "Bilder im Arbeitsspeicher", about: "Kleine, die oft abgerufen werden" },
    pages: { name: "Seiten", about: "Der Website, im Arbeitsspeicher, solange sich ihr Inhalt nicht ändert" },
  },
  ofLimit: (bytes, limit) => `${bytes} von ${limit}`,
  counting: "Die Dateien werden noch gezählt; die Zahlen können steigen.",
  sinceStart: "Treffer werden seit dem Start des Servers gezählt.",
  clear: "Cache leeren",
  clearTitle: "Cache leeren?",
  what: "Was geleert wird",
  all: "Alle abgeleiteten Bilder",
  clearAll:
    "Alle abgeleiteten Bilder werden gelöscht, auf der Platte und im Arbeitsspeicher, dazu die Seiten im Arbeitsspeicher.",
  clearOne: (collection) =>
    `Die abgeleiteten Bilder von ${collection} werden auf der Platte gelöscht, dazu alle Bilder im Arbeitsspeicher.`,
  consequence:
    "Bei Bedarf entstehen sie neu; Seiten mit vielen Bildern sind deshalb zuerst langsamer. Die hochgeladenen Bilder bleiben erhalten.",
  confirm: "Leeren",
  cleared: (count) =>
    plural(count, { one: "1 abgeleitetes Bild gelöscht", other: (n) => `${n} abgeleitete Bilder gelöscht` }),
};
