// The German of `en/form.ts`.

import type { form as en } from "#words/en/form.ts";
import { plural } from "#words/format.ts";

const changes = (count: number) =>
  plural(count, { one: "1 ungespeicherte Änderung", other: (n) => `${n} ungespeicherte Änderungen` });
const attention = (count: number) =>
  plural(count, { one: "1 Feld braucht Aufmerksamkeit", other: (n) => `${n} Felder brauchen Aufmerksamkeit` });

export const form: typeof en = {
  saveState: "Stand der Speicherung",
  allSaved: "Alles gespeichert",
  notYetSaved: "Noch nicht gespeichert",
  unsaved: changes,
  saving: "Wird gespeichert …",
  notSaved: (fields: number) => (fields === 0 ? "Nicht gespeichert" : `Nicht gespeichert: ${attention(fields)}`),
  notKept: "Änderungen bleiben nicht auf diesem Gerät: sein Speicher ist voll",
  attention,
  inside: " › ",
  notSavedTitle: "Nicht gespeichert",
  saved: "Gespeichert",
  savedTogether: (labels: string) => `Gespeichert zusammen mit Änderungen an ${labels}`,
  show: "Zeigen",
  nothingToSave: "Es gibt nichts zu speichern",

  tooLarge:
    "Was Sie speichern wollen, ist zu groß für den Server. Kürzen Sie es, oder bitten Sie die Administration, die Grenze anzuheben.",
  tooMany: (seconds: number | undefined) =>
    seconds === undefined
      ? "Es waren zu viele Anfragen. Warten Sie einen Moment, und speichern Sie dann noch einmal."
      : `Es waren zu viele Anfragen. Speichern Sie noch einmal in ${plural(seconds, { one: "1 Sekunde", other: (n) => `${n} Sekunden` })}.`,
  refused: (reason: string) => `Das dürfen Sie nicht speichern: ${reason}`,
  away: "Der Server ist nicht erreichbar. Was Sie geschrieben haben, bleibt auf diesem Gerät; speichern Sie wieder, wenn die Verbindung zurück ist.",
  failed: (reason: string) => `${reason} Was Sie geschrieben haben, bleibt erhalten; speichern Sie gleich noch einmal.`,
  gone: "Das Objekt wurde inzwischen gelöscht. „Als Kopie speichern“ behält, was Sie geschrieben haben.",
  goneWhileNew: (reason: string) => reason,
  unexpected:
    "Etwas Unerwartetes ist geschehen. Was Sie geschrieben haben, bleibt erhalten; speichern Sie noch einmal.",

  broughtBack: (time: string) => `Ungespeicherte Änderungen von ${time} sind wieder da`,
  discardChanges: "Änderungen verwerfen",

  leaveTitle: "Ohne Speichern verlassen?",
  leaveText: (count: number) =>
    plural(count, {
      one: "1 Änderung ist nicht gespeichert. Sie bleibt auf diesem Gerät und ist wieder da, wenn Sie diese Seite öffnen.",
      other: (n) =>
        `${n} Änderungen sind nicht gespeichert. Sie bleiben auf diesem Gerät und sind wieder da, wenn Sie diese Seite öffnen.`,
    }),
  leaveTextUnkept: () => "Was Sie hier geschrieben haben, geht verloren, wenn Sie die Seite verlassen.",
  saveAndLeave: "Speichern und verlassen",
  leave: "Verlassen",
  stay: "Bleiben",

  conflictTitle: "Von jemand anderem geändert",
  conflictText:
    "Jemand hat dieses Objekt gespeichert, nachdem Sie es geöffnet hatten. Wählen Sie für jedes Feld, welcher Text bleibt.",
  before: "Vorher",
  theirs: "Der andere",
  yours: "Ihrer",
  saveChoices: "Auswahl speichern",
  discardMine: "Meine verwerfen",
  emptyValue: "Leer",
  editText: (label: string) => `${label} bearbeiten`,
  textToSave: (label: string) => `${label}, wie es gespeichert wird`,
  added: "hinzugefügt",
  removed: "entfernt",
  sameLines: (count: number) =>
    plural(count, { one: "1 Zeile ohne Änderung", other: (n) => `${n} Zeilen ohne Änderung` }),

  presence: "Andere hier",
  isEditing: (names: string, count: number) => (count === 1 ? `${names} bearbeitet das` : `${names} bearbeiten das`),
  hereEditing: (name: string) => `${name}, bearbeitet`,
  hereNow: "Gerade hier",
  outline: "Gliederung",
  somebody: "Jemand",
  savedBy: (name: string, ago: string) => `${name} hat das ${ago} gespeichert.`,
  takeOver: "Änderungen übernehmen",
  takenOver: (labels: string) =>
    labels === "" ? "Ihr Formular ist auf dem neuesten Stand" : `Änderungen an ${labels} wurden übernommen`,
  takenOverBut: (labels: string) => `Sie haben beide ${labels} geändert. Beim Speichern wählen Sie, was bleibt.`,

  apply: "Anwenden",
  previousItem: "Voriger Eintrag",
  nextItem: "Nächster Eintrag",

  save: "Speichern",
  moreSave: "Weitere Arten zu speichern",
  saveAndClose: "Speichern und schließen",
  saveAndNew: "Speichern und neu",
  saveAsCopy: "Als Kopie speichern",
  saveAndPublish: "Speichern und veröffentlichen",
  saveAsDraft: "Als Entwurf speichern",
  moreActions: "Weitere Aktionen",
  duplicate: "Duplizieren",
  preview: "Vorschau",
  openPage: "Seite öffnen",
  copyId: "Id kopieren",
  copyAddress: "API-Adresse kopieren",
  settings: "Einstellungen",
  deleteLabel: "Löschen",
  idCopied: "Id kopiert",
  addressCopied: "API-Adresse kopiert",
  notCopied: "Es konnte nicht kopiert werden",

  newTitle: (singular: string) => `Neu: ${singular === "" ? "Objekt" : singular}`,
  draft: "Entwurf",
  published: "Veröffentlicht",
  views: "Ansichten des Objekts",
  formTab: "Formular",
  jsonTab: "JSON",
  versionsTab: "Versionen",
  json: "JSON",
  jsonHelp: "Die Eigenschaften des Objekts. Änderungen werden beim Speichern geprüft und abgelegt.",
  jsonInvalid: (reason: string) => `Das ist kein gültiges JSON: ${reason}`,
  jsonPlace: (line: number, column: number) => `Zeile ${line}, Spalte ${column}`,
  jsonNoObject: "Das muss ein JSON-Objekt sein: { … }",
  jsonUnknown: (name: string) => `„${name}“ ist keine Eigenschaft dieses Schemas`,
  jsonId: "Die Id kann nicht geändert werden. Duplizieren Sie das Objekt, um ihm eine andere zu geben.",
  noFields: "Das Schema hat keine Felder, die gezeigt werden.",

  about: "Über",
  id: "Id",
  created: "Angelegt",
  modified: "Geändert",
  address: "Adresse",
  schema: "Schema",

  deleteTitle: (title: string) => `${title} löschen?`,
  deleteText: "Es wird endgültig gelöscht, mit seinen Dateien.",
  deleted: "Gelöscht",
  duplicateTitle: (title: string) => `${title} duplizieren`,
  duplicateText: "Kopiert das Objekt, wie es gespeichert ist, mit seinen Dateien, und öffnet die Kopie.",
  saveAsCopyText: "Legt Ihre Änderungen in einer Kopie ab. Das Original bleibt, wie es gespeichert ist.",
  newId: "Neue Id",
  sameId: "Das ist die Id des Originals. Wählen Sie eine andere.",
  duplicated: "Dupliziert",
  previous: "Voriges Objekt",
  next: "Nächstes Objekt",
  missingTitle: "Dieses Objekt gibt es nicht",
  missingText: (id: string) => `Die Sammlung hat kein Objekt mit der Id ${id}. Vielleicht wurde es gelöscht.`,
  backToTable: (name: string) => `Zurück zu ${name}`,
  content: "Inhalt",

  newCollection: "Neue Sammlung",
  collectionName: "Name",
  collectionNameHelp: "Wie man ihn liest, zum Beispiel Blog.",
  collectionId: "Id",
  collectionIdHelp: "Der Name der Sammlung in Adressen. Er kann später nicht geändert werden.",
  collectionSchema: "Schema",
  collectionSchemaHelp: "Legt fest, welche Eigenschaften ihre Objekte haben.",
  collectionCategory: "Kategorie",
  collectionCategoryHelp: "Sammlungen einer Kategorie stehen in der Seitenleiste zusammen.",
  singular: "Einzahl",
  singularHelp: "Ein Objekt, zum Beispiel Beitrag.",
  plural: "Mehrzahl",
  pluralHelp: "Mehrere Objekte, zum Beispiel Beiträge.",
  createCollection: "Sammlung anlegen",
  collectionCreated: (name: string) => `Die Sammlung ${name} wurde angelegt`,
  collections: "Sammlungen",
  nameRequired: "Name fehlt",
  idRequired: "Id fehlt",
  schemaRequired: "Schema fehlt",
};
