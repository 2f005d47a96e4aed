// The German of `en/decks.ts`.

import type { decks as en } from "#words/en/decks.ts";
import { formatNumber, plural } from "#words/format.ts";

const items = (count: number) => plural(count, { one: "1 Eintrag", other: (n) => `${n} Einträge` });

export const decks: typeof en = {
  items,
  itemsOf: (count: number, most: number) => `${formatNumber(count)} von ${items(most)}`,
  none: "Noch keine Einträge",
  add: "Eintrag hinzufügen",
  addTo: (label: string) => `Eintrag zu ${label} hinzufügen`,
  addRow: "Zeile hinzufügen",
  addRowTo: (label: string) => `Zeile zu ${label} hinzufügen`,
  newItem: "Neuer Eintrag",
  itemNumber: (at: number) => `Eintrag ${at}`,
  edit: (item: string) => `${item} bearbeiten`,
  editShort: "Bearbeiten",
  actions: (item: string) => `Aktionen für ${item}`,
  duplicate: "Duplizieren",
  remove: "Löschen",
  removed: (item: string) => `${item} wurde gelöscht`,
  undo: "Zurücknehmen",
  drag: "Zum Ordnen ziehen",
  errors: (count: number) => plural(count, { one: "1 Fehler", other: (n) => `${n} Fehler` }),
  full: (most: number) =>
    plural(most, { one: "1 Eintrag ist möglich, und er ist da.", other: (n) => `Alle ${n} Einträge sind da.` }),
  atLeast: (least: number) =>
    plural(least, { one: "Mindestens 1 Eintrag.", other: (n) => `Mindestens ${n} Einträge.` }),
  atMost: (most: number) => plural(most, { one: "Höchstens 1 Eintrag.", other: (n) => `Höchstens ${n} Einträge.` }),
  moved: (item: string, place: number, count: number) => `${item}: Platz ${place} von ${count}`,
  tableKeys:
    "Pfeiltasten bewegen, Enter bearbeitet, Esc verlässt. Zeilen können aus einer Tabellenkalkulation eingefügt werden.",
  emptyRow: "Neue Zeile",
  pasted: (count: number) =>
    plural(count, { one: "1 Zeile wurde eingefügt", other: (n) => `${n} Zeilen wurden eingefügt` }),
  rowActions: "Aktionen",
};
