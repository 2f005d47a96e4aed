import type { elements as english } from "#words/en/elements.ts";

export const elements: typeof english = {
  failedTitle: (title) => `${title} konnte nicht angezeigt werden`,
  failedText: (extension) =>
    `Ein Teil der Erweiterung ${extension} ist gescheitert. Die übrige Verwaltung funktioniert.`,
  tryAgain: "Erneut versuchen",
  hideForMe: "Für mich ausschalten",
  hidden: (extension) => `Sie haben diese Seite der Erweiterung ${extension} für sich ausgeschaltet.`,
  showAgain: "Für mich einschalten",
  fieldFailed: (extension) =>
    `Das Feld der Erweiterung ${extension} konnte nicht geladen werden. Sie bearbeiten den einfachen Wert.`,
  fieldGone: (extension) =>
    `Dieses Feld gehört zur Erweiterung ${extension}, die nicht eingeschaltet ist. Sie bearbeiten den einfachen Wert.`,
  fieldPlain: (extension) => `Ein Feld der Erweiterung ${extension}.`,
  pick: "Objekt auswählen",
  pickSeveral: "Objekte auswählen",
  object: "Objekt",
  objects: "Objekte",
  choose: "Auswählen",
  confirm: "Bestätigen",
  loading: "Wird geladen …",
  notJson: "Muss JSON sein",
  page: "Seite",
};
