// The German of `en/transfer.ts`.

import type { transfer as en } from "#words/en/transfer.ts";
import { formatNumber, plural } from "#words/format.ts";

const objects = (count: number) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` });

export const transfer: typeof en = {
  undoImport: "Diesen Import rückgängig machen …",
  thisImport: "dieser Import",
  importTitle: (name: string) => `In ${name} importieren`,
  chooseFile: "Datei wählen",
  drop: "Ziehen Sie eine Datei hierher, oder wählen Sie eine.",
  formats:
    "JSON: eine Liste von Objekten. NDJSON: ein Objekt in jeder Zeile. CSV: die erste Zeile nennt die Eigenschaften. Dateien jeder Größe werden Stück für Stück gelesen.",
  wrongFile: (name: string) =>
    `${name} ist keine JSON-, NDJSON- oder CSV-Datei: der Name muss auf .json, .ndjson, .jsonl oder .csv enden.`,
  noFile: "Wählen Sie zuerst eine Datei.",
  removeFile: "Datei entfernen",
  changeExisting: "Vorhandene Objekte ändern",
  changeExistingHelp:
    "Zeilen ändern die Objekte mit ihrer Id in den Eigenschaften, die sie nennen; Zeilen ohne ein solches Objekt werden übersprungen. Sonst machen Zeilen neue Objekte, und Zeilen, deren Id es gibt, werden übersprungen.",
  onlyChanges: "Sie dürfen Objekte ändern, aber keine anlegen: Zeilen ohne ein Objekt ihrer Id werden übersprungen.",
  tryIt: "Ausprobieren",
  importNow: "Importieren",
  trying: "Die Zeilen werden ausprobiert",
  importing: "Wird importiert",
  rowsDone: (rows: number) => plural(rows, { one: "bisher 1 Zeile", other: (n) => `bisher ${n} Zeilen` }),
  goesOn: "Der Import geht weiter, wenn Sie diese Seite verlassen, solange das Fenster offen bleibt.",
  imported: (count: number, name: string) => `${objects(count)} in ${name} importiert`,
  notImported: (name: string) => `Der Import in ${name} ist gescheitert`,

  result: "Ergebnis",
  tried: "Nichts wurde gespeichert. Das würde ein Import tun.",
  stored: "Der Import ist fertig.",
  filled: "Die Objekte sind gemacht.",
  sampled: "Nichts wurde gespeichert. So würden die ersten Objekte aussehen.",
  created: (count: number) => `${formatNumber(count)} angelegt`,
  updated: (count: number) => `${formatNumber(count)} geändert`,
  skipped: (count: number) => `${formatNumber(count)} übersprungen`,
  refused: (count: number) => `${formatNumber(count)} abgelehnt`,
  done: { created: "Angelegt", updated: "Geändert", skipped: "Übersprungen", refused: "Abgelehnt" },
  preview: "Erste Zeilen",
  previewOf: (shown: number, all: number) => `Die ersten ${shown} von ${formatNumber(all)} Zeilen`,
  row: "Zeile",
  outcome: "Was geschieht",
  id: "Id",
  property: "Eigenschaft",
  problem: "Problem",
  ignored: (count: number) =>
    plural(count, {
      one: "Weggelassen: Diese Eigenschaft hat das Schema nicht",
      other: () => "Weggelassen: Diese Eigenschaften hat das Schema nicht",
    }),
  meant: (name: string, meant: string) => `${name} (vielleicht ${meant})`,
  errors: "Abgelehnte Zeilen",
  errorsOf: (shown: number, all: number) => `Die ersten ${shown} von ${formatNumber(all)}`,
  downloadErrors: "Als CSV herunterladen",

  exportTitle: (name: string) => `${name} exportieren`,
  format: "Format",
  json: "JSON",
  csv: "CSV",
  formatHelp:
    "JSON hat die Objekte, wie die API sie gibt, und kann wieder importiert werden. CSV ist für Tabellenkalkulationen: Karten und Sprachen haben eigene Spalten.",
  which: "Objekte",
  what: "Eigenschaften",
  whole: "Alle Eigenschaften",
  chosen: "Gewählte Eigenschaften",
  whatHelp:
    "Gewählte Eigenschaften machen einen Bericht: nur, was Sie ankreuzen. In CSV ist jeder Eintrag eines Decks eine eigene Zeile.",
  ofDecks: "Einträge von Decks",
  noneChosen: "Kreuzen Sie mindestens eine Eigenschaft an.",
  download: "Herunterladen",
  matching: (count: number) => (count === 0 ? "Kein Objekt passt" : objects(count)),
  matchCount: "Anzahl der Ergebnisse",

  factoryTitle: (name: string) => `${name} füllen`,
  factoryHelp:
    "Erfindet Objekte zum Ausprobieren. Eine Regel wie sentence(5) erfindet einen Wert; jeder andere Text ist der Wert selbst. Leer gelassen entscheidet das Schema, und verlangte Eigenschaften bekommen etwas Passendes.",
  rulesTitle: "Regeln",
  rulePlaceholder: "Wie das Schema sagt",
  count: "Anzahl der Objekte",
  countHelp: (most: number) => `Von 1 bis ${formatNumber(most)}.`,
  badCount: (most: number) => `Geben Sie eine ganze Zahl von 1 bis ${formatNumber(most)} ein.`,
  sample: "Beispiel zeigen",
  fill: "Füllen",
  filling: "Objekte werden gemacht",
  filledToast: (count: number, name: string) => `${objects(count)} in ${name} gemacht`,
};
