// Sentences of the pages about OAuth, in German.

import type { oauth as english } from "#words/en/oauth.ts";
import { plural } from "#words/format.ts";

export const oauth: typeof english = {
  clients: "OAuth-Clients",
  grants: "OAuth-Freigaben",
  edition: (edition) =>
    `OAuth braucht die Pro-Edition. Diese Website läuft mit der Edition ${edition}: Keine Anwendung kann um Zugriff bitten.`,
  switchedOff:
    "Der OAuth-Server ist ausgeschaltet: Keine Anwendung kann um Zugriff bitten. Die Einstellung heißt oauth.enabled.",

  madeHere: "Hier angelegte Clients",
  madeHereText: "Anwendungen, die eine Administratorin oder ein Administrator bekannt gemacht hat.",
  noneMade: "Noch keine Clients",
  noneMadeText:
    "Ein Client ist eine Anwendung, die Benutzer um Zugriff bitten darf. Die meisten KI-Clients registrieren sich selbst.",
  selfRegistered: "Selbst registrierte Clients",
  selfRegisteredText: "Sie haben ihre Namen selbst gewählt, die Namen wurden nicht geprüft. Allein öffnen sie nichts.",
  noneRegistered: "Keine Anwendung hat sich selbst registriert.",
  newClient: "Neuer Client",
  name: "Name",
  clientId: "Client-ID",
  redirectUris: "Redirect-URIs",
  redirectUrisHelp: "Eine je Zeile. Sie werden Zeichen für Zeichen verglichen.",
  scopes: "Scopes",
  scopesHelp: "Worum er Benutzer bitten darf. Jeder Benutzer entscheidet selbst.",
  confidential: "Vertraulich",
  confidentialHelp:
    "Er hat ein Geheimnis. Für Anwendungen auf einem Server; ein Programm auf einem Gerät kann keines bewahren.",
  public: "Öffentlich",
  usedBy: "Freigaben",
  created: "Angelegt",
  lastUsed: "Zuletzt benutzt",
  never: "Nie",
  createClient: "Client anlegen",
  yourClient: "Ihr neuer Client",
  secretOnce:
    "Das Geheimnis wird nur jetzt gezeigt. Kopieren Sie es in die Anwendung, bevor Sie dieses Fenster schließen.",
  noSecret: "Ein öffentlicher Client hat kein Geheimnis: Er weist sich durch PKCE aus.",
  clientSecret: "Client-Geheimnis",
  example: "Einen Code gegen ein Token tauschen",
  copyId: "Client-ID kopieren",
  copySecret: "Client-Geheimnis kopieren",
  copyExample: "Beispiel kopieren",
  remove: "Entfernen",
  removeOf: (name) => `${name} entfernen`,
  removeTitle: (name) => `${name} entfernen?`,
  removeText: (grants) =>
    grants === 0
      ? "Die Anwendung kann nicht mehr um Zugriff bitten. Das lässt sich nicht rückgängig machen."
      : plural(grants, {
          one: "1 Benutzer hat sie zugelassen: Diese Freigabe endet, ihre Token gelten sofort nicht mehr. Das lässt sich nicht rückgängig machen.",
          other: (n) =>
            `${n} Benutzer haben sie zugelassen: Ihre Freigaben enden, die Token gelten sofort nicht mehr. Das lässt sich nicht rückgängig machen.`,
        }),
  removed: (name) => `${name} wurde entfernt`,
  removeStale: "Verwaiste Clients entfernen",
  staleTitle: "Verwaiste Clients entfernen?",
  staleText: (count) =>
    plural(count, {
      one: "1 Client hat sich vor mehr als einem Tag selbst registriert und hat keine Freigabe.",
      other: (n) => `${n} Clients haben sich vor mehr als einem Tag selbst registriert und haben keine Freigabe.`,
    }),
  noStale: "Es gibt keine verwaisten Clients",
  removeCount: (count) => plural(count, { one: "1 Client entfernen", other: (n) => `${n} Clients entfernen` }),
  staleRemoved: (count) =>
    plural(count, { one: "1 Client wurde entfernt", other: (n) => `${n} Clients wurden entfernt` }),

  keys: "Signaturschlüssel",
  keysText: "Mit ihnen werden Zugriffstoken signiert. Nehmen Sie sie in Ihre Sicherungen auf.",
  keysMissing: "Es gibt keine Signaturschlüssel: Keine Anwendung kann zugelassen werden.",
  keyId: "Schlüssel-ID",
  keySince: "Seit",
  makeKeys: "Signaturschlüssel erzeugen",
  keysMade: "Die Signaturschlüssel sind erzeugt",
  newKeys: "Neue Signaturschlüssel",
  newKeysTitle: "Neue Signaturschlüssel erzeugen?",
  newKeysText: (grants) =>
    grants === 0
      ? "Jedes Token gilt sofort nicht mehr. Es gibt keine Freigaben, die enden würden."
      : plural(grants, {
          one: "Jedes Token gilt sofort nicht mehr, und 1 Freigabe endet: Ihr Benutzer wird erneut gefragt.",
          other: (n) =>
            `Jedes Token gilt sofort nicht mehr, und ${n} Freigaben enden: Ihre Benutzer werden erneut gefragt.`,
        }),
  typeToConfirm: (text) => `Zur Bestätigung ${text} eingeben`,
  keysReplaced: (grants) =>
    plural(grants, {
      one: "Neue Signaturschlüssel; 1 Freigabe ist beendet",
      other: (n) => `Neue Signaturschlüssel; ${n} Freigaben sind beendet`,
    }),

  grantsText: "Anwendungen, die Benutzer zugelassen haben, und was jede für sie tun darf.",
  noGrants: "Keine Anwendung ist verbunden",
  noGrantsText: "Eine Freigabe entsteht, wenn ein Benutzer eine Anwendung auf der Zustimmungsseite zulässt.",
  noGrantsOf: "Dieser Client hat keine Freigabe.",
  allClients: "Alle Clients zeigen",
  grantCount: (count) => plural(count, { one: "1 Freigabe", other: (n) => `${n} Freigaben` }),
  user: "Benutzer",
  mayDo: "Darf",
  since: "Seit",
  ends: "Endet",
  actions: "Aktionen",
  reaches: "Was sie erreicht",
  reachTitle: (client, user) => `Was ${client} für ${user} erreicht`,
  reachText:
    "In diesem Augenblick: nach den Rechten des Benutzers, den Scopes und dem, was die Sammlungen für MCP öffnen.",
  onlyMcp: "Ihre Token öffnen nur /mcp.",
  onlyApi: "Ihre Token öffnen nur die API, nicht /mcp.",
  everything: "Alles: Sie kann, was Administratoren können.",
  reachesNothing: "Sie kann keine Sammlung lesen oder schreiben.",
  reach: "Reichweite",
  collection: "Sammlung",
  objects: "Objekte",
  read: "Lesen",
  write: "Schreiben",
  revoke: "Widerrufen",
  revokeTitle: (user) => `Freigabe von ${user} widerrufen?`,
  revokeText: (client) => `${client} funktioniert für diesen Benutzer ab der nächsten Anfrage nicht mehr.`,
  revoked: "Die Freigabe wurde widerrufen",
  revokeAll: "Alle widerrufen",
  revokeAllTitle: (client) => `Alle Freigaben von ${client} widerrufen?`,
  revokeAllText: (count) =>
    plural(count, {
      one: "1 Freigabe endet. Die Anwendung funktioniert ab der nächsten Anfrage nicht mehr.",
      other: (n) => `${n} Freigaben enden. Die Anwendung funktioniert ab der nächsten Anfrage nicht mehr.`,
    }),
  allRevoked: (count) =>
    plural(count, { one: "1 Freigabe wurde widerrufen", other: (n) => `${n} Freigaben wurden widerrufen` }),
  self: "Selbst registriert",
  scopeWords: {
    "cms:read": "Inhalte lesen",
    "cms:write": "Inhalte anlegen, ändern und löschen",
    "cms:admin": "Die Website verwalten",
    "mcp:tools": "Werkzeuge aufrufen",
    "mcp:resources": "Ressourcen lesen",
    "mcp:prompts": "Prompts benutzen",
  },
};
