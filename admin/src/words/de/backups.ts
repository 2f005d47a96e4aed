// Sätze der Schnappschüsse und Sicherungen.

import type { backups as english } from "#words/en/backups.ts";
import { plural } from "#words/format.ts";

export const backups: typeof english = {
  title: "Sicherungen",
  whole: "Ganze Sicherungen",
  wholeText:
    "Alles, was die Site ausmacht, in einer Datei im Datenverzeichnis oder im Bucket der Dateien. Sie enthält jedes Geheimnis: Verwahren Sie Kopien so sicher wie den Server.",
  backUpNow: "Jetzt sichern",
  backups: "Sicherungen",
  locked: "Sicherungen sind durch Ihr Passwort geschützt",
  lockedText:
    "Eine Sicherung enthält jedes Geheimnis der Site. Bestätigen Sie Ihr Passwort, um sie zu sehen; das gilt zehn Minuten.",
  show: "Sicherungen zeigen",
  none: "Noch keine Sicherungen",
  noneText:
    "Legen Sie vor einem Update oder einem großen Import eine an. Geprüft und zurückgespielt wird sie auf der Kommandozeile.",
  name: "Name",
  created: "Angelegt",
  size: "Größe",
  download: "Herunterladen",
  delete: "Löschen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteText: "Die Sicherung wird endgültig gelöscht.",
  deleted: "Sicherung gelöscht",
  free: (free, total) => `${free} von ${total} auf der Platte sind frei.`,
  lastTook: (size) => `Die letzte Sicherung brauchte ${size}.`,
  scarce: (free) =>
    `Nur ${free} auf der Platte sind frei: Die letzte Sicherung war etwa so groß. Schaffen Sie zuerst Platz.`,
  making: "Sicherung läuft",
  queued: "Wartet, bis sie an der Reihe ist…",
  filesDone: (count) => plural(count, { one: "1 Datei", other: (n) => `${n} Dateien` }),
  rowsDone: (done, total) => `${done} von ${total} Zeilen`,
  goesOn: "Sie läuft weiter, wenn Sie diese Seite verlassen.",
  cancelled: "Die Sicherung wurde abgebrochen",
  made: (name) => `${name} ist fertig`,
  makeFailed: "Die Sicherung ist fehlgeschlagen",
  snapshots: "Schnappschüsse",
  snapshotsText: "Was Importe, Abgleich und Wiederherstellungen ersetzt haben, je Eintrag die neuesten zehn.",
  noSnapshots: "Noch keine Schnappschüsse",
  noSnapshotsText: "Importe, Abgleich und Wiederherstellungen bewahren hier auf, was sie ersetzen.",
  noMatch: "Kein Schnappschuss passt",
  clearSearch: "Suche leeren",
  item: "Eintrag",
  kind: "Art",
  kinds: { schema: "Schema", collection: "Sammlung", object: "Objekt" },
  nouns: { schema: "Schema", collection: "Sammlung", object: "Objekt" },
  replaced: "Ersetzt",
  actions: "Aktionen",
  showDifference: "Unterschied zeigen",
  restore: "Wiederherstellen",
  differenceTitle: (name) => `${name}: Schnappschuss und jetzt`,
  before: "Schnappschuss",
  now: "Jetzt",
  restoreTitle: (noun, name) => `${noun} ${name} wiederherstellen?`,
  restoreText: (time) =>
    `Der Inhalt wird wieder so, wie er bis ${time} war. Der jetzige wird vorher zum Schnappschuss; Dateien und Passwörter bleiben.`,
  restored: (name) => `${name} ist wiederhergestellt`,
  newest: (shown, total) => `Die neuesten ${shown} von ${total}. Suchen Sie, um andere zu finden.`,
  found: (count) => plural(count, { one: "1 Schnappschuss", other: (n) => `${n} Schnappschüsse` }),
};
