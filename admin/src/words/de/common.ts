// The German of `en/common.ts`.

import type { common as en } from "#words/en/common.ts";
import { plural } from "#words/format.ts";

export const common: typeof en = {
  save: "Speichern",
  cancel: "Abbrechen",
  close: "Schließen",
  delete: "Löschen",
  tryAgain: "Noch einmal versuchen",
  loading: "Wird geladen …",
  copy: "Kopieren",
  copied: "Kopiert",
  done: "Fertig",
  yes: "Ja",
  no: "Nein",
  none: "Keine",
  makeFirst: "Jetzt anlegen",
  home: "Start",
  search: "Suchen",
  notFoundTitle: "Seite nicht gefunden",
  notFoundText: "Unter dieser Adresse gibt es nichts. Suchen Sie danach, oder gehen Sie zurück zum Start.",
  forbiddenTitle: "Diese Seite dürfen Sie nicht sehen",
  forbiddenText: "Bitten Sie die Administration um das Recht dazu.",
  failedTitle: "Das konnte nicht geladen werden",
  noStartTitle: "Die Verwaltung kann nicht gestartet werden",
  brokenTitle: "Diese Seite funktioniert nicht mehr",
  brokenText:
    "Der Rest der Verwaltung läuft weiter. Laden Sie die Seite neu; wenn es wieder geschieht, melden Sie es bitte.",
  unreachable: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.",
  unexpected:
    "Etwas Unerwartetes ist geschehen. Versuchen Sie es noch einmal; wenn es wieder geschieht, melden Sie es bitte.",
  breadcrumbs: "Pfad",
  requestId: (id: string) => `Anfrage ${id}`,
  objects: (count: number) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` }),
  undoWritten: "Geschriebenes rückgängig machen…",
  toTrash: "Es kommt in den Papierkorb. Seine Dateien werden endgültig gelöscht.",
  undoDeletion: "Rückgängig",
  isBack: (title) => `${title} ist wieder da`,
  notInTrash: "Es ist nicht mehr im Papierkorb",
};
