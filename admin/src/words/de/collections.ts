// The German of `en/collections.ts`.

import type { collections as en } from "#words/en/collections.ts";
import { plural } from "#words/format.ts";

export const collections: typeof en = {
  title: "Sammlungen",
  content: "Inhalt",
  objects: "Objekte",
  newOne: (singular: string) => `Neu: ${singular === "" ? "Objekt" : singular}`,
  newCollection: "Neue Sammlung",
  moreActions: "Weitere Aktionen",
  importLink: "Importieren",
  exportLink: "Exportieren",
  fill: "Füllen",
  settings: "Einstellungen",
  count: (count: number) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` }),
  otherCategory: "Andere",
  schema: "Schema",
  singleton: "Einzelnes Objekt",
  readOnly: "Nur lesbar",
  readyTitle: "Fertige",
  readyText: "Diese kommen mit Cairn. Ein Klick legt die Sammlung an.",
  notMade: (name: string) => `Noch gibt es keine Sammlung ${name}`,
  addShort: "Hinzufügen",
  add: (name: string) => `${name} hinzufügen`,
  added: (name: string) => `Sammlung ${name} hinzugefügt`,
  emptyTitle: "Noch keine Sammlungen",
  emptyText: "Eine Sammlung enthält Objekte einer Art, die ein Schema beschreibt.",
  find: "Eine Sammlung finden",
  noMatch: "Keine Sammlung heißt so.",
  ready: {
    blog: { name: "Blog", text: "Beiträge mit Text, Bildern, Kategorien und Schlagwörtern." },
    gallery: { name: "Galerie", text: "Reihen von Bildern." },
    text: { name: "Text", text: "Einzelne Texte für Stellen der Website." },
    image: { name: "Bild", text: "Einzelne Bilder für Stellen der Website." },
    file: { name: "Datei", text: "Einzelne Dateien zum Herunterladen." },
    depot: { name: "Depot", text: "Ordner mit Dateien." },
    "builder-pages": { name: "Seiten", text: "Seiten des Website-Baukastens." },
    "mcp-prompt": { name: "Prompts", text: "Prompts für KI-Clients." },
  },
};
