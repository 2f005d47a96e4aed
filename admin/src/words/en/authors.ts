// Who made a change, and through which door.

export const author = {
  doors: {
    api: "API",
    session: "Admin",
    mcp: "MCP",
    cli: "Command line",
    automation: "Automation",
    extension: "Extension",
    import: "Import",
    sync: "Sync",
    schedule: "Schedule",
    undo: "Undo",
  },
  clientFor: (client: string, user: string) => `${client} for ${user}`,
  actingAs: (admin: string, user: string) => `${admin} as ${user}`,
  key: (name: string) => `Key ${name}`,
  automation: (name: string) => `Automation ${name}`,
  extension: (name: string) => `Extension ${name}`,
  form: (name: string) => `Form ${name}`,
  system: "Cairn",
  anonymous: "A visitor",
  through: (who: string, door: string) => `${who} · ${door}`,
  lastChanged: (who: string, ago: string) => `${who}, ${ago}`,
};
