// Calls MCP tools for tests of extensions.

import type { JsonObject } from "#contract/json.ts";

type Send = (path: string, given: { headers?: Record<string, string>; body?: unknown }) => Promise<Response>;

export interface TestAgent {
  /** The structured result; fails when the tool does. */
  call(tool: string, args: JsonObject): Promise<JsonObject>;
}

const protocolVersion = "2025-11-25";

interface ToolResult {
  structuredContent?: JsonObject;
  content?: { text?: string }[];
  isError?: boolean;
}

export function createAgent(send: Send, asAdmin: Record<string, string>): TestAgent {
  let session: Promise<Record<string, string>> | undefined;
  let count = 0;

  async function rpc(method: string, params: JsonObject, headers: Record<string, string>) {
    count += 1;
    const answer = await send("/mcp", {
      headers: { accept: "application/json, text/event-stream", ...asAdmin, ...headers },
      body: { jsonrpc: "2.0", id: count, method, params },
    });
    const text = await answer.text();
    const json = text.startsWith("{") ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? "{}");
    return { answer, body: JSON.parse(json) as { result?: ToolResult; error?: { message: string } } };
  }

  async function begin(): Promise<Record<string, string>> {
    const clientInfo = { name: "cairn-testing", version: "1" };
    const { answer } = await rpc("initialize", { protocolVersion, capabilities: {}, clientInfo }, {});
    const id = answer.headers.get("mcp-session-id");
    return id === null ? {} : { "mcp-session-id": id, "mcp-protocol-version": protocolVersion };
  }

  return {
    async call(tool, args) {
      session ??= begin();
      const { body } = await rpc("tools/call", { name: tool, arguments: args }, await session);
      const { result, error } = body;
      if (!result || result.isError)
        throw new Error(`${tool}: ${error?.message ?? result?.content?.[0]?.text ?? "no answer"}`);
      return result.structuredContent ?? {};
    },
  };
}
