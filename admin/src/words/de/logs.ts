// Sentences of the page with the logs, in German.

import type { logs as english } from "#words/en/logs.ts";
import { plural } from "#words/format.ts";

export const logs: typeof english = {
  title: "Protokolle",
  log: "Protokoll",
  logNames: { access: "Audit", oauth: "OAuth", mcp: "MCP" },
  logTexts: {
    access: "Anmeldungen sowie Änderungen an Rechten, Schlüsseln, Einstellungen und Code.",
    oauth: "Was Anwendungen und der OAuth-Server getan haben. Nie ein Token: nur der Anfang seines Hashs.",
    mcp: "Aufrufe von KI-Clients. Von Lesezugriffen und Fehlern werden höchstens 60 je Minute einzeln notiert.",
  },
  type: "Art",
  anyType: "Alle Arten",
  user: "Benutzer",
  anyUser: "Alle Benutzer",
  from: "Von",
  to: "Bis",
  clear: "Filter löschen",
  live: "Live",
  exportAs: "Exportieren",
  json: "JSON",
  csv: "CSV",
  exporting: "Einträge werden gesammelt …",
  exported: (count) => plural(count, { one: "1 Eintrag exportiert", other: (n) => `${n} Einträge exportiert` }),
  exportCut: (count) =>
    `Die neuesten ${count} Einträge wurden exportiert. Grenzen Sie die Filter ein, um ältere zu erhalten.`,
  time: "Zeit",
  by: "Von",
  about: "Betrifft",
  what: "Einzelheiten",
  older: "Ältere Einträge",
  count: (count) => plural(count, { one: "1 Eintrag", other: (n) => `${n} Einträge` }),
  andMore: (count) => plural(count, { one: "1 Eintrag, und ältere", other: (n) => `${n} Einträge, und ältere` }),
  searching: "Im neuesten Teil des Protokolls wurde noch nichts gefunden.",
  empty: "Keine Einträge",
  emptyText: "Noch ist nichts dieser Art geschehen.",
  noMatch: "Kein Eintrag passt",
  noMatchText: "Ändern Sie die Filter, oder löschen Sie sie.",
  tailFailed: "Neue Einträge können gerade nicht geholt werden.",
  system: "Der Dienst",
  anonymous: "Nicht angemeldet",
  keyOf: (id) => `Schlüssel ${id}`,
  keyNamed: (name, id) => `Schlüssel ${name} (${id})`,
  appOf: (client, user) => `Anwendung ${client} für ${user}`,
  actingAs: (who, user) => `${who} als ${user}`,
};
