// The part of the catalogue that is about the MCP endpoint.

import type { CommandEntry } from "./command-entry.ts";

export const mcpCommands: readonly CommandEntry[] = [
  {
    name: "mcp:status",
    group: "MCP",
    about: "Show how the MCP endpoint is set up, and how many sessions there are",
    examples: ["cairn mcp:status"],
    reports: true,
    load: async () => (await import("#cli/running/mcp.ts")).status,
  },
  {
    name: "mcp:doctor <url>",
    group: "MCP",
    about: "Try to connect as a client would, and say what is in the way",
    options: [["--key <key>", "an API key, to try the first messages too"]],
    examples: ["cairn mcp:doctor https://example.org/mcp"],
    reports: true,
    site: "none",
    load: async () => (await import("#cli/running/mcp.ts")).doctor,
  },
];
