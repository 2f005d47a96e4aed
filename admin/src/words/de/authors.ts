// The German of `en/authors.ts`.

import type { author as en } from "#words/en/authors.ts";

export const author: typeof en = {
  doors: {
    api: "API",
    session: "Admin",
    mcp: "MCP",
    cli: "Kommandozeile",
    automation: "Automation",
    extension: "Erweiterung",
    import: "Import",
    sync: "Abgleich",
    schedule: "Zeitplan",
    undo: "Rückgängig",
  },
  clientFor: (client, user) => `${client} für ${user}`,
  actingAs: (admin, user) => `${admin} als ${user}`,
  key: (name) => `Schlüssel ${name}`,
  automation: (name) => `Automation ${name}`,
  extension: (name) => `Erweiterung ${name}`,
  form: (name) => `Formular ${name}`,
  system: "Cairn",
  anonymous: "Ein Besucher",
  through: (who, door) => `${who} · ${door}`,
  lastChanged: (who, ago) => `${who}, ${ago}`,
};
