// The German of `en/versions.ts`.

import type { versions as en } from "#words/en/versions.ts";
import { plural } from "#words/format.ts";

export const versions: typeof en = {
  versions: "Versionen",
  until: (time: string) => `Bis ${time}`,
  replaced: "Durch Import oder Abgleich ersetzt",
  emptyTitle: "Noch keine Versionen",
  emptyText:
    "Importe, Abgleiche und Wiederherstellungen heben hier auf, was sie ersetzen: zehn Versionen jedes Objekts.",
  compareWith: "Vergleichen mit",
  now: "Jetzt",
  before: "Der vorigen",
  first: "Das ist die älteste Version, die aufgehoben ist.",
  same: "Es gibt keinen Unterschied.",
  chosen: "Eigenschaften zum Wiederherstellen",
  filesStay: "Dateien bleiben, wie sie sind: sie gehören zu keiner Version.",
  restore: "Wiederherstellen",
  restoreHelp: "Setzt die gewählten Eigenschaften in das Formular. Speichern legt sie ab.",
  nothingChosen: "Wählen Sie mindestens eine Eigenschaft",
  restored: (count: number) =>
    plural(count, {
      one: "1 Eigenschaft steht wieder im Formular. Speichern Sie, um sie zu behalten.",
      other: (n) => `${n} Eigenschaften stehen wieder im Formular. Speichern Sie, um sie zu behalten.`,
    }),
  empty: "Leer",
};
