// The German of `en/files.ts`.

import type { files as en } from "#words/en/files.ts";
import { formatBytes, formatList, formatNumber, plural } from "#words/format.ts";

/** KB of the rules are 1024 bytes. */
const kilobytes = (count: number) => formatBytes(count * 1024);
const pixels = (count: number) => `${formatNumber(count)} px`;
const either = (values: string[]) =>
  values.length > 1 ? `${values.slice(0, -1).join(", ")} oder ${values.at(-1)}` : values.join();

function between(min: number | undefined, max: number | undefined, write: (count: number) => string): string {
  if (min === undefined) return `höchstens ${write(max ?? 0)}`;
  if (max === undefined) return `mindestens ${write(min)}`;
  return min === max ? `genau ${write(min)}` : `${write(min)} bis ${write(max)}`;
}

/** `image/png` is PNG, `image/*` are files of that kind, `.pdf` is PDF. */
function typeName(type: string): string {
  const [kind = "", ending = ""] = type.split("/");
  if (ending === "*") return `Dateien der Art ${kind}`;
  return (ending === "" ? type.replace(/^\./, "") : ending.replace(/\+xml$/, "")).toUpperCase();
}

const fileCount = (count: number) => plural(count, { one: "1 Datei", other: (n) => `${n} Dateien` });

export const files: typeof en = {
  uploads: "Uploads",
  running: (count: number) =>
    plural(count, { one: "1 Datei wird hochgeladen", other: (n) => `${n} Dateien werden hochgeladen` }),
  toSend: (count: number) => plural(count, { one: "1 Datei wartet", other: (n) => `${n} Dateien warten` }),
  notSent: (count: number) =>
    plural(count, { one: "1 Datei wurde nicht gesendet", other: (n) => `${n} Dateien wurden nicht gesendet` }),
  allDone: (count: number) => plural(count, { one: "1 Datei hochgeladen", other: (n) => `${n} Dateien hochgeladen` }),
  began: (name: string) => `Der Upload von ${name} hat begonnen`,
  ended: (name: string) => `${name} ist hochgeladen`,
  stopped: (name: string) => `${name} wurde nicht hochgeladen`,
  goesTo: (label: string, object: string) => (object === "" ? label : `${label} von ${object}`),
  waiting: "Wird beim Speichern gesendet",
  queued: "Wartet auf seinen Platz",
  offline: "Sie sind offline. Es geht weiter, wenn Sie verbunden sind.",
  paused: "Angehalten",
  storing: "Wird abgelegt",
  fetching: "Wird vom Server geholt",
  done: "Hochgeladen",
  unreachable: "Der Server ist nicht erreichbar.",
  resumed: "Geht weiter, wo es aufgehört hat",
  progress: (sent: number, size: number) => `${formatBytes(sent)} von ${formatBytes(size)}`,
  speed: (bytes: number) => `${formatBytes(bytes)}/s`,
  progressOf: (name: string) => `Fortschritt von ${name}`,
  pause: (name: string) => `${name} anhalten`,
  resume: (name: string) => `${name} fortsetzen`,
  retry: (name: string) => `${name} noch einmal versuchen`,
  cancel: (name: string) => `${name} abbrechen`,
  clear: "Liste leeren",
  collapse: "Weniger zeigen",
  expand: "Alle zeigen",
  percent: (share: number) => `${formatNumber(Math.floor(share * 100))} %`,

  pictureTypes: "JPEG, PNG, GIF, WebP, AVIF, HEIC oder SVG",
  atMost: (bytes: number) => `höchstens ${formatBytes(bytes)}`,
  ranges: {
    size: (min: number | undefined, max: number | undefined) => between(min, max, kilobytes),
    width: (min: number | undefined, max: number | undefined) => `${between(min, max, pixels)} breit`,
    height: (min: number | undefined, max: number | undefined) => `${between(min, max, pixels)} hoch`,
    count: (min: number | undefined, max: number | undefined) => between(min, max, fileCount),
  },
  choices: {
    orientation: (any: string[]) => either(any),
    aspectratio: (any: string[]) => `Verhältnis ${either(any)}`,
    filetype: (any: string[]) => either([...new Set(any.map(typeName))]),
    filename: (any: string[]) => `benannt ${either(any)}`,
  },
  files: fileCount,
  breaks: (rule: string, actual: string) =>
    actual === "" ? `Dieses Feld verlangt: ${rule}.` : `Dieses Feld verlangt: ${rule}. Dieses Bild hat: ${actual}.`,
  tooMany: (rule: string) => `Dieses Feld nimmt ${rule}. Entfernen Sie erst eine.`,
  isEmpty: "Die Datei ist leer.",
  tooLarge: (size: number, most: number) =>
    `Die Datei hat ${formatBytes(size)}. Höchstens ${formatBytes(most)} können hochgeladen werden.`,
  noPicture: "Die Datei ist kein Bild, das gezeigt werden kann. Wählen Sie JPEG, PNG, GIF, WebP, AVIF, HEIC oder SVG.",
  sides: (width: number, height: number) => `${formatNumber(width)} × ${formatNumber(height)} px`,

  upload: "Hochladen",
  uploadTo: (label: string) => `${label} hochladen`,
  uploadFromUrl: (label: string) => `${label} von einer URL hochladen`,
  fromUrl: "Von einer URL",
  address: "Adresse",
  addressHelp: "Der Server holt die Datei von dort.",
  addressWrong: "Schreiben Sie eine Adresse, die mit http:// oder https:// beginnt",
  dropOne: "Ziehen Sie ein Bild hierher, fügen Sie es ein, oder wählen Sie eines.",
  dropMany: "Ziehen Sie Bilder hierher, fügen Sie sie ein, oder wählen Sie welche.",
  dropNow: "Zum Hochladen loslassen",
  altTextOf: (label: string) => `${label}: Alternativtext`,
  altText: "Alternativtext",
  altHelp: "Was das Bild zeigt, für Menschen, die es nicht sehen.",
  noAlt: "Kein Alternativtext",
  noAltShort: "Ohne Text",
  edit: "Bearbeiten",
  editFile: (name: string) => `${name} bearbeiten`,
  remove: "Entfernen",
  removeFile: (name: string) => `${name} entfernen`,
  replaceTip: "Ein neues Bild behält Alternativtext, Schlagwörter und Link.",
  interrupted: (name: string, share: number) =>
    `Der Upload von ${name} hat bei ${formatNumber(Math.floor(share * 100))} % aufgehört. Wählen Sie die Datei noch einmal, um fortzufahren.`,
  sendingNow: (name: string, share: number) => `${name}: ${formatNumber(Math.floor(share * 100))} %`,
  problemOf: (name: string, problem: string) => `${name}: ${problem}`,

  imageViews: "Ansichten des Bildes",
  details: "Einzelheiten",
  focalPoint: "Blickpunkt",
  metadata: "Metadaten",
  apply: "Anwenden",
  link: "Link",
  linkHelp: "Wohin ein Klick auf das Bild führt.",
  linkWrong: "Schreiben Sie eine Webadresse oder einen Pfad",
  tags: "Schlagwörter",
  tagsHelp: "Durch Kommas getrennt",
  featured: "Hervorgehoben",
  focalHelp: "Ziehen Sie das Kreuz, oder nehmen Sie die Regler. Zuschnitte behalten diesen Punkt im Bild.",
  horizontal: "Waagerecht",
  vertical: "Senkrecht",
  crops: "Zuschnitte",
  file: "Datei",
  camera: "Kamera und Ort",
  noExif: "Das Bild trägt keine Daten einer Kamera.",
  palette: "Farben",
  copyColor: (color: string) => `${color} kopieren`,
  copied: "Kopiert",
  facts: {
    name: "Name",
    mime: "Art",
    sides: "Größe in Pixeln",
    size: "Größe",
    uploadDate: "Hochgeladen",
  },
  exif: {
    aperture: "Blende",
    iso: "ISO",
    shutterSpeed: "Belichtungszeit",
    make: "Hersteller",
    camera: "Kamera",
    lens: "Objektiv",
    focalLength: "Brennweite",
    author: "Urheber",
    description: "Beschreibung",
    copyright: "Copyright",
    title: "Titel",
    date: "Aufgenommen",
    longitude: "Längengrad",
    latitude: "Breitengrad",
    altitude: "Höhe",
    country: "Land",
    state: "Bundesland",
    city: "Stadt",
    sublocation: "Ort",
  },
  addressIntro: "Das Bild ist unter seiner Adresse in jeder Größe und jedem Format zu haben.",
  width: "Breite",
  height: "Höhe",
  fit: "Einpassung",
  fits: {
    inside: "In den Rahmen",
    crop: "Um den Blickpunkt zugeschnitten",
    cover: "Um die Mitte zugeschnitten",
    contain: "Mit Rändern",
    fill: "Gestreckt",
  },
  format: "Format",
  asStored: "Wie gespeichert",
  quality: "Qualität",
  preview: "Vorschau",
  previewFailed: "Der Server kann dieses Bild nicht machen. Ändern Sie die Werte.",
  wholeFrom: (least: number, most: number) => `Eine ganze Zahl von ${formatNumber(least)} bis ${formatNumber(most)}`,
  urlOutput: "URL",
  liquidOutput: "Liquid",
  copyUrl: "URL kopieren",
  copyLiquid: "Liquid kopieren",

  images: (count: number) => plural(count, { one: "1 Bild", other: (n) => `${n} Bilder` }),
  selectImage: (name: string) => `${name} auswählen`,
  actionsFor: (name: string) => `Aktionen für ${name}`,
  makeFeatured: "Hervorheben",
  endFeatured: "Nicht hervorheben",
  isFeatured: "Hervorgehoben",
  selected: (count: number) => plural(count, { one: "1 ausgewählt", other: (n) => `${n} ausgewählt` }),
  describe: "Alternativtext und Schlagwörter …",
  describeTitle: (count: number) => plural(count, { one: "1 Bild bearbeiten", other: (n) => `${n} Bilder bearbeiten` }),
  describeHelp: "Was leer bleibt, wird nicht geändert.",
  addTags: "Schlagwörter",
  clearSelection: "Auswahl aufheben",
  selectAll: "Alle auswählen",
  selectedImages: "Ausgewählte Bilder",
  listOf: (names: string[]) => formatList(names),
};
