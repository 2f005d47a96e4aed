// The part of the catalogue about the MCP endpoint.

import type { CommandEntry } from "./command-entry.ts";

export const mcpCommands: readonly CommandEntry[] = [
  {
    name: "mcp:status",
    group: "MCP",
    about: "Show the set-up of the MCP endpoint and the number of sessions",
    examples: ["cairn mcp:status"],
    reports: true,
    load: async () => (await import("#cli/running/mcp.ts")).status,
  },
  {
    name: "mcp:doctor <url>",
    group: "MCP",
    about: "Connect as a client would, and report what fails",
    options: [["--key <key>", "an API key, to try the first messages too"]],
    examples: ["cairn mcp:doctor https://example.org/mcp"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/running/mcp.ts")).doctor,
  },
];
