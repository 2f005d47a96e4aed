// Sentences of the pages of access groups, in German.

import type { accessGroups as english } from "#words/en/access-groups.ts";
import { plural } from "#words/format.ts";

export const accessGroups: typeof english = {
  title: "Zugriffsgruppen",
  manage: "Verwalten",
  newGroup: "Neue Gruppe",
  emptyTitle: "Keine Zugriffsgruppen",
  emptyText: "Eine Gruppe sagt, was ihre Mitglieder lesen und ändern dürfen.",
  group: "Gruppe",
  id: "Id",
  idHelp: "Kleinbuchstaben, Ziffern und Bindestriche. Sie lässt sich später nicht ändern.",
  idRequired: "Geben Sie der Gruppe eine Id.",
  idWrong:
    "Eine Id hat 1 bis 64 Kleinbuchstaben, Ziffern und Bindestriche und beginnt mit einem Buchstaben oder einer Ziffer.",
  description: "Beschreibung",
  descriptionHelp: "Was ihre Mitglieder tun, in wenigen Worten.",
  membersColumn: "Mitglieder",
  grants: "Darf",
  everything: "Alles",
  nothing: "Nichts",
  permissions: "Rechte",
  permissionsText: "Schalter und Werkzeuge werden im Ganzen gewährt: Ihre Haken gehören zusammen.",
  thing: "Sache",
  operations: { create: "Anlegen", read: "Lesen", update: "Ändern", delete: "Löschen" },
  right: (operation, thing) => `${operation}: ${thing}`,
  all: "Alle",
  resources: { collections: "Sammlungen", collectionsMeta: "Einstellungen der Sammlungen", schemas: "Schemas" },
  resourceHelp: {
    collections: "Die Objekte darin",
    collectionsMeta: "Sammlungen anlegen und einrichten",
    schemas: "Woraus Objekte bestehen",
  },
  switches: {
    builder: "Vorlagen",
    mailer: "Mailer",
    playground: "Spielwiese",
    dataviews: "Datensichten",
    docs: "API-Referenz",
  },
  switchHelp: {
    builder:
      "Skripte in Vorlagen laufen in den Browsern aller, die die Website ansehen, auch in denen von Administratoren.",
  },
  utilities: {
    cache: "Cache",
    "image-batcher": "Bildstapel",
    jumpstart: "Jumpstart",
    "project-setup": "Projekteinrichtung",
  },
  which: {
    collections: "Welche Sammlungen",
    collectionsMeta: "Einstellungen welcher Sammlungen",
    schemas: "Welche Schemas",
  },
  allOf: {
    collections: "Alle Sammlungen",
    collectionsMeta: "Einstellungen aller Sammlungen",
    schemas: "Alle Schemas",
  },
  itemOf: {
    collections: (name) => name,
    collectionsMeta: (name) => `Einstellungen von ${name}`,
    schemas: (name) => `Schema ${name}`,
  },
  reach: (resource, item) => `${resource}: ${item}`,
  reachesNothing: "Hier ist nichts gewählt, deshalb öffnen die Haken oben noch nichts.",
  forAdmins: "Nur für Administratoren, was auch angekreuzt ist: Benutzer und Automationen.",
  membersTitle: "Mitglieder",
  membersText: "Auf ihren eigenen Seiten kommen Benutzer in die Gruppe.",
  membersNone: "Kein Benutzer ist in dieser Gruppe.",
  membersMore: (count) => plural(count, { one: "und 1 weiteres", other: (n) => `und ${n} weitere` }),
  membersOfDefault: "Alle angemeldeten Benutzer ohne Gruppe haben diese Rechte.",
  fixedTitle: "Diese Gruppe lässt sich nicht ändern",
  fixedText: "Ihre Mitglieder dürfen alles, auch Benutzer, Schlüssel und Einstellungen verwalten.",
  reviewTitle: "Änderungen prüfen",
  reviewText: "Die Änderung gilt ab der nächsten Anfrage jedes Mitglieds.",
  lose: (count) => plural(count, { one: "1 Mitglied verliert", other: (n) => `${n} Mitglieder verlieren` }),
  gain: (count) => plural(count, { one: "1 Mitglied gewinnt", other: (n) => `${n} Mitglieder gewinnen` }),
  apply: "Änderungen anwenden",
  duplicate: "Duplizieren",
  moreActions: "Weitere Aktionen",
  delete: "Löschen",
  deleteTitle: (id) => `${id} löschen?`,
  deleteText: (count) =>
    count === 0
      ? "Kein Benutzer ist in dieser Gruppe. Das lässt sich nicht rückgängig machen."
      : plural(count, {
          one: "1 Mitglied verliert, was diese Gruppe gewährt. Das lässt sich nicht rückgängig machen.",
          other: (n) => `${n} Mitglieder verlieren, was diese Gruppe gewährt. Das lässt sich nicht rückgängig machen.`,
        }),
  deleted: (id) => `Die Gruppe ${id} wurde gelöscht`,
  changedTitle: "Von jemand anderem geändert",
  changedText: (parts) =>
    `Jemand anderes hat ${parts} geändert, seit Sie die Gruppe geöffnet haben. Ihre Fassung würde das ersetzen.`,
  saveMine: "Meine speichern",
};
