// The German of `en/home.ts`.

import type { home as en } from "#words/en/home.ts";
import { formatNumber, plural } from "#words/format.ts";

export const home: typeof en = {
  title: "Start",
  continue: "Weitermachen",
  continueNone: "Änderungen, die Sie noch nicht gespeichert haben, bleiben auf diesem Gerät und warten hier.",
  unsaved: (count: number) =>
    plural(count, { one: "1 ungespeicherte Änderung", other: (n) => `${n} ungespeicherte Änderungen` }),
  newObject: (thing: string) => `Neu: ${thing}`,
  object: "Objekt",
  attention: "Braucht Aufmerksamkeit",
  attentionNone: "Im Moment braucht Sie nichts.",
  failedJobs: (count: number) =>
    plural(count, { one: "1 Auftrag ist gescheitert", other: (n) => `${n} Aufträge sind gescheitert` }),
  disabledAutomations: (count: number) =>
    plural(count, {
      one: "1 Automation wurde nach Fehlern ausgeschaltet",
      other: (n) => `${n} Automationen wurden nach Fehlern ausgeschaltet`,
    }),
  failedDeliveries: (count: number) =>
    plural(count, {
      one: "1 Zustellung eines Webhooks ist gescheitert",
      other: (n) => `${n} Zustellungen von Webhooks sind gescheitert`,
    }),
  stoppedExtensions: (count: number) =>
    plural(count, {
      one: "1 Erweiterung ist gescheitert oder in Quarantäne",
      other: (n) => `${n} Erweiterungen sind gescheitert oder in Quarantäne`,
    }),
  siteErrors: (count: number) =>
    plural(count, {
      one: "1 Fehler in Seiten der Website heute. „Website“ zeigt, wo",
      other: (n) => `${n} Fehler in Seiten der Website heute. „Website“ zeigt, wo`,
    }),
  recent: "Zuletzt geändert",
  recentNone: "Noch wurde nichts geändert.",
  site: "Diese Website",
  address: "Adresse",
  collections: (count: number) => plural(count, { one: "1 Sammlung", other: (n) => `${n} Sammlungen` }),
  objects: (count: number) => plural(count, { one: "1 Objekt", other: (n) => `${n} Objekte` }),
  content: "Inhalt",
  version: "Version",
  versionOf: (version: string, edition: string) => `Cairn ${version}, Ausgabe ${edition}`,
  environment: "Umgebung",
  timezone: "Zeitzone",
  mail: "E-Mail",
  on: "Kann gesendet werden",
  off: "Nicht eingerichtet",
  total: (count: number) => formatNumber(count),
  firstSteps: "Erste Schritte",
  firstStepsText: "Diese Website ist leer. Diese Schritte führen zur ersten Seite, die andere lesen können.",
  done: "Erledigt",
  open: "Zu tun",
  steps: {
    describe: {
      title: "Beschreiben Sie Ihren Inhalt",
      text: "Ein Schema nennt die Eigenschaften einer Art von Objekten. Eingebaute Schemas gibt es schon; oder laden Sie die Demo.",
      action: "Demo laden",
    },
    collection: {
      title: "Legen Sie eine Sammlung an",
      text: "Eine Sammlung enthält die Objekte eines Schemas.",
      action: "Neue Sammlung",
    },
    object: {
      title: "Schreiben Sie das erste Objekt",
      text: "Objekte sind, was andere sehen: Artikel, Bilder, Produkte.",
      action: (thing: string) => `Neu: ${thing}`,
    },
    read: {
      title: "Öffnen Sie es, oder machen Sie einen API-Schlüssel",
      text: "Websites und Apps lesen Ihren Inhalt über die API.",
      action: "API-Referenz",
    },
    connect: {
      title: "Verbinden Sie einen KI-Client",
      text: "Clients, die MCP sprechen, lesen und schreiben Inhalt mit Ihren Rechten.",
      address: "Adresse kopieren",
    },
  },
};
