// What the common clients are configured with, from the address of the endpoint alone (docs/guides/mcp.md).

export const clientIds = ["claudeCode", "claudeDesktop", "cursor", "vsCode", "chatGpt", "other"] as const;
export type ClientId = (typeof clientIds)[number];

export interface Instructions {
  /** Signs in by OAuth. */
  code: string;
  /** With an API key; absent where the client takes none. */
  keyCode?: string;
}

const key = "cairn_...";

export function instructionsFor(client: ClientId, url: string): Instructions {
  switch (client) {
    case "claudeCode": {
      const command = `claude mcp add --transport http cairn ${url}`;
      return { code: command, keyCode: `${command} --header "X-API-Key: ${key}"` };
    }
    case "cursor":
      return {
        code: pretty({ mcpServers: { cairn: { url } } }),
        keyCode: pretty({ mcpServers: { cairn: { url, headers: { "X-API-Key": key } } } }),
      };
    case "vsCode":
      return {
        code: pretty({ servers: { cairn: { type: "http", url } } }),
        keyCode: pretty({ servers: { cairn: { type: "http", url, headers: { "X-API-Key": key } } } }),
      };
    case "other":
      return { code: url, keyCode: `X-API-Key: ${key}` };
    default:
      return { code: url };
  }
}

function pretty(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
