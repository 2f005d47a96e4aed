import type { playground as english } from "#words/en/playground.ts";

export const playground: typeof english = {
  title: "Spielwiese",
  build: "Bauen",
  result: "Ergebnis",
  saved: "Gespeicherte Schnipsel",
  none: "Noch ist kein Schnipsel gespeichert. Speichern Sie diesen, um ihn hier wiederzufinden.",
  newSnippet: "Neuer Schnipsel",
};
