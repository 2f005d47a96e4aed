// Sentences of the page about the MCP endpoint, in German.

import type { mcp as english } from "#words/en/mcp.ts";
import { plural } from "#words/format.ts";

export const mcp: typeof english = {
  title: "MCP",
  endpoint: "Endpunkt",
  endpointText: "Hier verbinden sich KI-Clients, über das Model Context Protocol.",
  address: "Adresse",
  copyAddress: "Adresse kopieren",
  on: "An",
  off: "Aus",
  offText: "Der Endpunkt ist ausgeschaltet: Kein Client kann sich verbinden. Die Einstellung heißt mcp.enabled.",
  publicAccess: "Ohne Anmeldung",
  publicAccessOn: (perMinute) => `Clients sehen öffentliche Sammlungen, ${perMinute} Anfragen je Minute und Adresse`,
  publicAccessFree: "Clients sehen öffentliche Sammlungen, ohne Grenze",
  publicAccessOff: "Nichts",
  oauth: "OAuth",
  oauthOn: "Benutzer melden sich an und stimmen zu; ein Client hat dann ihre Rechte",
  apiKeys: "API-Schlüssel",
  apiKeysOn: "Ein Schlüssel mit dem Endpunkt /mcp ist innerhalb seiner Grenzen ein Administrator",
  needsPro: "Braucht die Pro-Edition",
  origins: "Seiten anderer Herkunft",
  noOrigins: "Keine darf sich verbinden",
  prefix: "Präfix der Werkzeuge",
  sessions: "Offene Sitzungen",
  connect: "Einen Client verbinden",
  connectText:
    "Kopieren Sie, wonach Ihr Client fragt. Ein Client, der sich per OAuth anmeldet, braucht keinen Schlüssel.",
  clients: "Clients",
  clientNames: {
    claudeCode: "Claude Code",
    claudeDesktop: "Claude Desktop",
    cursor: "Cursor",
    vsCode: "VS Code",
    chatGpt: "ChatGPT",
    other: "Andere",
  },
  steps: {
    claudeCode:
      "Führen Sie dies in einem Terminal aus. Geben Sie dann in einer Sitzung /mcp ein, um sich im Browser anzumelden.",
    claudeDesktop:
      "Öffnen Sie in Claude Desktop oder claude.ai Settings, Connectors, Add custom connector, und fügen Sie die Adresse ein. Der Client registriert sich selbst und schickt Sie zur Anmeldung und Zustimmung. Diese Website muss aus dem Internet erreichbar sein.",
    cursor:
      "Schreiben Sie dies in .cursor/mcp.json eines Projekts oder Ihres Benutzerverzeichnisses. Cursor bittet Sie dann, sich anzumelden.",
    vsCode: "Schreiben Sie dies in .vscode/mcp.json eines Projekts. VS Code bittet Sie dann, sich anzumelden.",
    chatGpt:
      "Öffnen Sie in ChatGPT Settings, Connectors, Create (developer mode), fügen Sie die Adresse ein und wählen Sie OAuth. Diese Website muss aus dem Internet erreichbar sein.",
    other:
      "Jeder Client, der Streamable HTTP spricht, nimmt die Adresse. Ohne OAuth schickt er einen Schlüssel in diesem Header.",
  },
  withKey: "Mit einem API-Schlüssel statt einer Anmeldung:",
  copyOf: (client) => `Für ${client} kopieren`,
  copyKeyOf: (client) => `Für ${client} mit Schlüssel kopieren`,
  codeOf: (client) => `Für ${client}`,
  codeKeyOf: (client) => `Für ${client} mit Schlüssel`,
  collections: "Sammlungen",
  collectionsText: "Was jede Sammlung für Clients öffnet. Administratoren und Schlüssel erreichen alle.",
  noCollections: "Es gibt noch keine Sammlung.",
  name: "Name",
  access: "Zugriff",
  accessNames: { public: "Alle", authenticated: "Angemeldete", admin: "Administratoren" },
  publicClosed: "Alle, sobald der öffentliche Zugriff an ist",
  resource: "Ressource",
  tools: "Gespeicherte Abfragen",
  toolCount: (count) => plural(count, { one: "1 Werkzeug des Dienstes", other: (n) => `${n} Werkzeuge des Dienstes` }),
  doctor: "Prüfung",
  doctorText:
    "Geht die Schritte eines Clients, der diese Website nie gesehen hat, und sagt, was zu tun ist, wo einer scheitert.",
  doctorHelp: "Der Server selbst verbindet sich: mit seiner eigenen Adresse und mit öffentlichen.",
  runDoctor: "Prüfung starten",
  result: "Ergebnis",
  well: "Clients können sich verbinden.",
  unwell: "Clients können sich erst verbinden, wenn die Fehler behoben sind.",
  results: { pass: "Bestanden", warn: "Warnung", fail: "Fehler", skip: "Ausgelassen" },
  checks: "Prüfungen",
};
