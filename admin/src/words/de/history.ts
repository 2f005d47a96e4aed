// The German of `en/history.ts`.

import type { history as en } from "#words/en/history.ts";
import { plural } from "#words/format.ts";

export const history: typeof en = {
  kinds: {
    create: "Angelegt",
    update: "Geändert",
    delete: "Gelöscht",
    publish: "Veröffentlicht",
    unpublish: "Zurückgezogen",
    restore: "Wiederhergestellt",
    undo: "Rückgängig gemacht",
    collection: "Sammlung gelöscht",
  },
  version: (time) => `Version von ${time}`,
  older: "Ältere Versionen zeigen",
  emptyTitle: "Noch keine Versionen",
  emptyText: "Jede Änderung wird ab jetzt hier aufgehoben, mit der Person, die sie gemacht hat.",
  notKept: "Die Werte dieser Version sind nicht mehr aufgehoben.",
  trailOnly:
    "Diese Sammlung hebt auf, wer was geändert hat, aber keine Werte. Stellen Sie in ihren Einstellungen den Verlauf auf alles, um Versionen zu vergleichen und wiederherzustellen.",
  moreProperties: (count) => plural(count, { one: "und 1 weitere", other: (n) => `und ${n} weitere` }),
  restoreNow: "Wiederherstellen und speichern…",
  filesNow: "Dateien kommen mit „Wiederherstellen und speichern“ zurück.",
  restoreTitle: (time) => `Version von ${time} wiederherstellen?`,
  restoreText: (count) =>
    plural(count, {
      one: "1 Eigenschaft wird wieder, was sie war, und sofort gespeichert. Das ist eine neue Version und lässt sich zurücknehmen.",
      other: (n) =>
        `${n} Eigenschaften werden wieder, was sie waren, und sofort gespeichert. Das ist eine neue Version und lässt sich zurücknehmen.`,
    }),
  note: "Notiz",
  noteHelp: "Warum. Sie steht bei der Version.",
  restoreLabel: "Wiederherstellen und speichern",
  restored: "Die Version wurde wiederhergestellt",
  restoredLost: (files) => `Die Version wurde wiederhergestellt. Diese Dateien kommen nicht zurück: ${files}`,
  thisOne: "Diese Version",
};
