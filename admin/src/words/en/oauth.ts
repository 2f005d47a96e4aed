// Sentences of the pages about OAuth: clients, grants and signing keys.

import { plural } from "#words/format.ts";

export const oauth = {
  clients: "OAuth clients",
  grants: "OAuth grants",
  edition: (edition: string) =>
    `OAuth needs the Pro edition. This site runs the ${edition} edition: no application can ask for access.`,
  switchedOff: "The OAuth server is switched off: no application can ask for access. The setting is oauth.enabled.",

  madeHere: "Clients made here",
  madeHereText: "Applications that an administrator has made known.",
  noneMade: "No clients yet",
  noneMadeText: "A client is an application that may ask users for access. Most AI clients register themselves.",
  selfRegistered: "Self-registered clients",
  selfRegisteredText: "They chose their names themselves, and the names were not checked. Alone they open nothing.",
  noneRegistered: "No application has registered itself.",
  newClient: "New client",
  name: "Name",
  clientId: "Client ID",
  redirectUris: "Redirect URIs",
  redirectUrisHelp: "One a line. They are compared character by character.",
  scopes: "Scopes",
  scopesHelp: "What it may ask users for. Each user decides.",
  confidential: "Confidential",
  confidentialHelp: "It has a secret. For applications on a server; a program on a device cannot keep one.",
  public: "Public",
  usedBy: "Grants",
  created: "Created",
  lastUsed: "Last used",
  never: "Never",
  createClient: "Create client",
  yourClient: "Your new client",
  secretOnce: "The secret is shown only now. Copy it to the application before you close this.",
  noSecret: "A public client has no secret: it proves itself by PKCE.",
  clientSecret: "Client secret",
  example: "Exchange a code for a token",
  copyId: "Copy client ID",
  copySecret: "Copy client secret",
  copyExample: "Copy the example",
  remove: "Remove",
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: (grants: number) =>
    grants === 0
      ? "The application can no longer ask for access. This cannot be undone."
      : plural(grants, {
          one: "1 user has let it in: that grant ends, and its tokens stop working at once. This cannot be undone.",
          other: (n) =>
            `${n} users have let it in: their grants end, and the tokens stop working at once. This cannot be undone.`,
        }),
  removed: (name: string) => `${name} was removed`,
  removeStale: "Remove stale clients",
  staleTitle: "Remove stale clients?",
  staleText: (count: number) =>
    plural(count, {
      one: "1 client registered itself more than a day ago and has no grant.",
      other: (n) => `${n} clients registered themselves more than a day ago and have no grant.`,
    }),
  noStale: "There are no stale clients",
  removeCount: (count: number) => plural(count, { one: "Remove 1 client", other: (n) => `Remove ${n} clients` }),
  staleRemoved: (count: number) =>
    plural(count, { one: "1 client was removed", other: (n) => `${n} clients were removed` }),

  keys: "Signing keys",
  keysText: "Access tokens are signed with them. Put them in your backups.",
  keysMissing: "There are no signing keys: no application can be let in.",
  keyId: "Key ID",
  keySince: "Since",
  makeKeys: "Make signing keys",
  keysMade: "The signing keys are made",
  newKeys: "New signing keys",
  newKeysTitle: "Make new signing keys?",
  newKeysText: (grants: number) =>
    grants === 0
      ? "Every token stops working at once. There are no grants that would end."
      : plural(grants, {
          one: "Every token stops working at once, and 1 grant ends: its user is asked again.",
          other: (n) => `Every token stops working at once, and ${n} grants end: their users are asked again.`,
        }),
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  keysReplaced: (grants: number) =>
    plural(grants, {
      one: "New signing keys; 1 grant has ended",
      other: (n) => `New signing keys; ${n} grants have ended`,
    }),

  grantsText: "Applications that users have let in, and what each may do for them.",
  noGrants: "No application is connected",
  noGrantsText: "A grant comes into being when a user approves an application on the consent page.",
  noGrantsOf: "This client has no grant.",
  allClients: "Show all clients",
  grantCount: (count: number) => plural(count, { one: "1 grant", other: (n) => `${n} grants` }),
  user: "User",
  mayDo: "May do",
  since: "Since",
  ends: "Ends",
  actions: "Actions",
  reaches: "What it reaches",
  reachTitle: (client: string, user: string) => `What ${client} reaches for ${user}`,
  reachText: "At this moment: by the rights of the user, the scopes, and what the collections open to MCP.",
  onlyMcp: "Its tokens open /mcp only.",
  onlyApi: "Its tokens open the API only, and not /mcp.",
  everything: "Everything: it can do whatever an administrator can.",
  reachesNothing: "It can read or write no collection.",
  reach: "Reach",
  collection: "Collection",
  objects: "Objects",
  read: "Read",
  write: "Write",
  revoke: "Revoke",
  revokeTitle: (user: string) => `Revoke the grant of ${user}?`,
  revokeText: (client: string) => `${client} stops working for this user with its next request.`,
  revoked: "The grant was revoked",
  revokeAll: "Revoke all",
  revokeAllTitle: (client: string) => `Revoke all grants of ${client}?`,
  revokeAllText: (count: number) =>
    plural(count, {
      one: "1 grant ends. The application stops working with its next request.",
      other: (n) => `${n} grants end. The application stops working with its next request.`,
    }),
  allRevoked: (count: number) =>
    plural(count, { one: "1 grant was revoked", other: (n) => `${n} grants were revoked` }),
  self: "Self-registered",
  scopeWords: {
    "cms:read": "Read content",
    "cms:write": "Create, change and delete content",
    "cms:admin": "Administer the site",
    "mcp:tools": "Call tools",
    "mcp:resources": "Read resources",
    "mcp:prompts": "Use prompts",
  },
};
