// Sentences of the page about the caches, in German.

import type { cache as english } from "#words/en/cache.ts";
import { plural } from "#words/format.ts";

export const cache: typeof english = {
  title: "Cache",
  caches: "Caches",
  intro:
    "Antworten, Seiten und Bilder werden aufbewahrt, damit sie nicht zweimal entstehen. Leeren ist unbedenklich und nie nötig: Bei Bedarf entsteht alles neu.",
  kind: "Name",
  place: "Ort",
  places: { memory: "Speicher", files: "Dateien" },
  entries: "Einträge",
  size: "Größe",
  rate: "Trefferquote",
  none: "–",
  lookups: (hits, misses) => `Treffer ${hits}, Fehlgriffe ${misses}`,
  evictions: (count) =>
    plural(count, { one: "1 aus Platzmangel entfernt", other: (n) => `${n} aus Platzmangel entfernt` }),
  kinds: {
    pages: { name: "Seiten", about: "Seiten der Website, bis sich etwas ändert, das sie gelesen haben" },
    fragments: {
      name: "Fragmente",
      about: "Teile von Seiten, die Vorlagen kennzeichnen, bis sich etwas ändert, das sie gelesen haben",
    },
    templates: { name: "Vorlagen", about: "Vorlagen in gelesener Form, bis sich eine ändert" },
    objects: { name: "Objekte", about: "Objekte, wie sie beantwortet werden, bis sich in ihrer Sammlung etwas ändert" },
    lists: { name: "Listen", about: "Antworten auf Listen und Abfragen, bis sich in ihrer Sammlung etwas ändert" },
    totals: {
      name: "Anzahlen",
      about: "Wie viele Objekte eine Abfrage findet, bis sich in ihrer Sammlung etwas ändert",
    },
    feeds: { name: "Feeds", about: "Sitemaps und Feeds, bis sich etwas ändert, das sie aufführen" },
    views: { name: "Datensichten", about: "Ergebnisse von Datensichten, bis sie neu erstellt werden" },
    images: { name: "Bilder", about: "Bilder in anderen Größen und Formaten, bis sich ihre Quelle ändert" },
    filters: {
      name: "Filter",
      about: "Ergebnisse von Filtern der Erweiterungen, bis sich die Erweiterung oder ihre Einstellungen ändern",
    },
    verdicts: { name: "Anmeldungen", about: "Erkannte Schlüssel und Sitzungen; nur zusammen mit allem geleert" },
  },
  ofLimit: (bytes, limit) => `${bytes} von ${limit}`,
  counting: "Die Dateien werden noch gezählt; die Zahlen können steigen.",
  processes: (count, bytes) =>
    plural(count, {
      one: `1 Serverprozess, ${bytes} an Caches im Arbeitsspeicher. Gezählt seit seinem Start.`,
      other: (n) =>
        `${n} Serverprozesse, ${bytes} an Caches im Arbeitsspeicher. Gezählt seit ihrem Start; andere melden sich alle 10 Sekunden.`,
    }),
  clear: "Cache leeren",
  clearKind: (name) => `${name} leeren`,
  clearKindTitle: (name) => `${name} leeren?`,
  clearKindText:
    "Bei Bedarf entsteht alles neu; Antworten sind deshalb zuerst langsamer. Inhalte werden nicht gelöscht.",
  clearedKind: (name, count) =>
    plural(count, { one: `${name}: 1 Eintrag entfernt`, other: (n) => `${name}: ${n} Einträge entfernt` }),
  clearTitle: "Cache leeren?",
  what: "Was geleert wird",
  all: "Alles",
  imagesOf: (collection) => `Bilder von ${collection}`,
  clearAll: "Alle Caches werden in jedem Prozess geleert und alle abgeleiteten Bilder gelöscht.",
  clearOne: (collection) =>
    `Die abgeleiteten Bilder von ${collection} werden auf der Platte gelöscht, dazu alle Bilder im Arbeitsspeicher.`,
  consequence:
    "Bei Bedarf entstehen sie neu; Seiten mit vielen Bildern sind deshalb zuerst langsamer. Die hochgeladenen Bilder bleiben erhalten.",
  confirm: "Leeren",
  cleared: (count) =>
    plural(count, { one: "1 abgeleitetes Bild gelöscht", other: (n) => `${n} abgeleitete Bilder gelöscht` }),
};
