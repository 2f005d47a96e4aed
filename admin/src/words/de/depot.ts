// The German of `en/depot.ts`.

import type { depot as en } from "#words/en/depot.ts";
import { formatBytes, formatList, formatNumber, plural } from "#words/format.ts";

const fileCount = (count: number) => plural(count, { one: "1 Datei", other: (n) => `${n} Dateien` });

export const depot: typeof en = {
  count: fileCount,
  summary: (count: number, size: number) =>
    count === 0 ? "Keine Dateien" : `${fileCount(count)} · ${formatBytes(size)}`,
  folders: (label: string) => `${label}: Ordner`,
  files: (label: string) => `${label}: Dateien`,
  allFolders: "Ordner",
  ofLabel: (label: string) => ` ${label}`,
  inLabel: (label: string) => ` in ${label}`,
  replace: "Ersetzen",
  remove: "Entfernen",
  newFolder: "Neuer Ordner",
  folderFirst: "Ordner sind möglich, sobald das Objekt gespeichert ist.",
  filter: "Filtern",
  filterLabel: (label: string) => `${label} filtern`,
  noMatch: "Keine Datei passt zum Filter.",
  protection: "Schutz …",
  protectionTitle: (name: string) => `Schutz von ${name}`,
  dropHere: "Dateien hierher ziehen",
  dropOne: "Eine Datei hierher ziehen",
  dropText: "Oder nehmen Sie Hochladen. Auch Ordner können hierher gezogen werden.",
  emptyFolder: "Dieser Ordner ist leer. Ziehen Sie Dateien hierher.",
  waiting: (count: number) =>
    plural(count, {
      one: "1 Datei wird beim Speichern gesendet",
      other: (n) => `${n} Dateien werden beim Speichern gesendet`,
    }),
  uploading: (count: number) =>
    plural(count, { one: "1 Datei wird hochgeladen", other: (n) => `${n} Dateien werden hochgeladen` }),
  columns: { name: "Name", size: "Größe", type: "Art", changed: "Geändert" },
  select: (name: string) => `${name} auswählen`,
  selectAll: "Alle Dateien auswählen",
  inFolder: (folder: string) => `in ${folder}`,
  selected: (count: number) => plural(count, { one: "1 Datei ausgewählt", other: (n) => `${n} Dateien ausgewählt` }),
  chooseOne: "Wählen Sie eine Datei, um ihre Einzelheiten zu sehen.",
  download: "Herunterladen",
  downloadOf: (name: string) => `${name} herunterladen`,
  downloadName: "Name beim Herunterladen",
  downloads: (count: number) =>
    plural(count, { one: "1 Mal heruntergeladen", other: (n) => `${n} Mal heruntergeladen` }),
  comments: "Kommentare",
  tags: "Schlagwörter",
  tagsHelp: "Durch Kommas getrennt",
  details: "Einzelheiten",
  detailsOf: (depot: string) => `Einzelheiten zu ${depot}`,
  link: "Link …",
  move: "Verschieben …",
  rename: "Umbenennen",
  delete: "Löschen",
  cancel: "Abbrechen",
  close: "Schließen",
  name: "Name",
  create: "Anlegen",
  newFolderTitle: (folder: string) => `Neuer Ordner in ${folder}`,
  renameTitle: (name: string) => `${name} umbenennen`,
  moveTitle: (count: number, name: string) =>
    count === 1 ? `${name} verschieben` : `${formatNumber(count)} Dateien verschieben`,
  moveButton: "Verschieben",
  moveText: "Wählen Sie den Ordner, in den es geht.",
  deleteTitle: (count: number, name: string) =>
    count === 1 ? `${name} löschen?` : `${formatNumber(count)} Dateien löschen?`,
  deleteText: "Sie wird endgültig gelöscht.",
  deleteFolderText: (count: number) =>
    count === 0
      ? "Der Ordner wird endgültig gelöscht."
      : `Der Ordner und ${fileCount(count)} darin werden endgültig gelöscht.`,
  deleteManyText: "Sie werden endgültig gelöscht.",
  typeNumber: (count: number) => `Zur Bestätigung ${formatNumber(count)} eingeben`,
  moved: (count: number, folder: string) =>
    plural(count, { one: `Nach ${folder} verschoben`, other: (n) => `${n} nach ${folder} verschoben` }),
  deleted: (count: number) => plural(count, { one: "Gelöscht", other: (n) => `${n} gelöscht` }),
  nameTaken: "Eine Datei oder ein Ordner heißt schon so.",
  nameRule: "Buchstaben, Ziffern, Striche, Punkte und Leerzeichen; am Rand kein Punkt und kein Leerzeichen.",
  nameMissing: "Schreiben Sie einen Namen.",
  actionsFor: (name: string) => `Aktionen für ${name}`,
  membersOnly: (groups: readonly string[]) =>
    groups.length === 0 ? "Nur für Mitglieder" : `Nur für Mitglieder von ${formatList(groups)}`,
  noGroups: "Die Sammlung nennt keine Gruppen für ihre Dateien; bis dahin ändert das nichts.",
  hasPassword: "Ein Passwort ist gesetzt.",
  hasNoPassword: "Kein Passwort ist gesetzt.",
  lockedBy: (name: string) => `Das Passwort von ${name} öffnet es.`,
  newPassword: "Neues Passwort",
  newPasswordHelp: "Ohne Leerzeichen. Links mit einem älteren Passwort funktionieren nicht mehr.",
  spaces: "Ein Passwort hat keine Leerzeichen.",
  removePassword: "Passwort entfernen",
  apply: "Anwenden",
  protectionSaved: "Schutz geändert",
  linkTitle: (name: string) => `Link zu ${name}`,
  linkText: "Alle, die den Link haben, können die Datei öffnen, ohne sich anzumelden.",
  password: "Passwort",
  passwordOf: "Das Passwort, das die Datei schützt",
  ends: "Endet",
  endings: {
    PT1H: "Nach 1 Stunde",
    P1D: "Nach 1 Tag",
    P7D: "Nach 7 Tagen",
    P30D: "Nach 30 Tagen",
    never: "Nie",
  },
  makeLink: "Link machen",
  linkLabel: "Link",
  streamLabel: "Link zum Ansehen im Browser",
  copy: (label: string) => `${label} kopieren`,
  copied: "Kopiert",
  wrongPassword: "Das ist nicht das Passwort der Datei.",
  noFile: "Keine Datei",
};
