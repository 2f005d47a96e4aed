// The German of `en/ui.ts`.

import type { ui as en } from "#words/en/ui.ts";

export const ui: typeof en = {
  cancel: "Abbrechen",
  close: "Schließen",
  dismiss: "Ausblenden",
  show: "Zeichen zeigen",
  hide: "Zeichen verbergen",
  emptyText: "Text leeren",
  emptyChoice: "Auswahl leeren",
  none: "Keine",
  chosen: (label: string) => `${label}: gewählt`,
  remove: (value: string) => `${value} entfernen`,
  isDouble: (value: string) => `${value} ist schon gewählt`,
  emptyTime: "Zeit leeren",
  choices: "Auswahl",
  noMatch: "Nichts passt",
  searching: "Wird gesucht …",
  choose: "Auswählen",
  discardTitle: "Änderungen verwerfen?",
  discardText: "Was Sie hier geändert haben, geht verloren.",
  discard: "Verwerfen",
  keepEditing: "Weiter bearbeiten",
  requestId: (id: string) => `Anfrage ${id}`,
  calendar: "Kalender",
  today: "Heute",
  clear: "Leeren",
  previousMonth: "Voriger Monat",
  nextMonth: "Nächster Monat",
  moves: { top: "Ganz nach oben", up: "Nach oben", down: "Nach unten", bottom: "Ganz nach unten" },
};
