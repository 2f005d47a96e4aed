// The German of `en/trash.ts`.

import type { trash as en } from "#words/en/trash.ts";
import { plural } from "#words/format.ts";

export const trash: typeof en = {
  title: "Papierkorb",
  text: "Was in Sammlungen mit Verlauf gelöscht wurde, bis es endgültig weg ist.",
  collection: "Sammlung",
  allCollections: "Alle Sammlungen",
  object: "Objekt",
  wholeCollection: "Die ganze Sammlung",
  deletedBy: "Gelöscht von",
  deleted: "Gelöscht",
  until: "Endgültig weg",
  actions: "Aktionen",
  restore: "Wiederherstellen",
  purge: "Endgültig löschen",
  empty: "Papierkorb leeren",
  emptyTitle: "Der Papierkorb ist leer",
  emptyText: "Gelöschte Objekte warten hier mit ihren Dateien, solange die Einstellungen es sagen.",
  more: "Mehr zeigen",
  shown: (count) => plural(count, { one: "1 Eintrag", other: (n) => `${n} Einträge` }),
  restored: (title) => `${title} ist wieder da`,
  restoredLost: (title, files) => `${title} ist wieder da. Diese Dateien kommen nicht zurück: ${files}`,
  restoring: (title) => `${title} wird im Hintergrund wiederhergestellt`,
  restoreTitle: (title) => `${title} wiederherstellen`,
  takenText: "Die Id ist inzwischen vergeben. Stellen Sie das Objekt unter einer anderen wieder her.",
  newId: "Neue Id",
  purgeTitle: (title) => `${title} endgültig löschen?`,
  purgeText: "Danach bringt es nichts zurück, außer einer Sicherung.",
  purged: (title) => `${title} ist endgültig weg`,
  emptyQuestion: (collection) => `Papierkorb von ${collection} leeren?`,
  emptyWarning: "Alles, was in dieser Sammlung gelöscht wurde, ist endgültig weg.",
  typeToConfirm: (id) => `Zur Bestätigung ${id} eingeben`,
  emptied: "Der Papierkorb der Sammlung ist leer",
  chooseFirst: "Wählen Sie eine Sammlung, um ihren Papierkorb zu leeren.",
};
