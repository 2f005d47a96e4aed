// Speaks to the MCP endpoint by plain JSON-RPC posts, as a caller with these headers. It carries; it never asserts.

import type { Server } from "../harness.ts";

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  result?: any;
  error?: { code: number; message: string };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
export type Structured = any;

export interface Agent {
  rpc(method: string, params?: object): Promise<Reply>;
  /** The result of tools/call. */
  call(tool: string, args?: object): Promise<Reply>;
  /** The names of the tools that are listed. */
  tools(): Promise<string[]>;
  /** The structured content; throws when the tool has failed. */
  ask(tool: string, args?: object): Promise<Structured>;
  /** The text of a tool that has failed; throws when it has not. */
  failing(tool: string, args?: object): Promise<string>;
}

export async function connect(server: Server, headers: Record<string, string>): Promise<Agent> {
  let session: Record<string, string> = {};
  let count = 0;

  async function rpc(method: string, params: object = {}): Promise<Reply> {
    count += 1;
    const answer = await server.request("POST", "/mcp", {
      key: null,
      headers: { accept: "application/json, text/event-stream", ...session, ...headers },
      body: { jsonrpc: "2.0", id: count, method, params },
    });
    const id = answer.headers.get("mcp-session-id");
    if (id) session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    const body = answer.body ?? JSON.parse(/^data: (.+)$/m.exec(answer.text)?.[1] ?? "{}");
    return { status: answer.status, result: body.result, error: body.error };
  }

  await rpc("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" },
  });
  const call = (tool: string, args: object = {}) => rpc("tools/call", { name: tool, arguments: args });
  const told = (reply: Reply) => JSON.stringify(reply).slice(0, 500);
  return {
    rpc,
    call,
    tools: async () => (await rpc("tools/list")).result.tools.map(({ name }: { name: string }) => name),
    async ask(tool, args) {
      const reply = await call(tool, args);
      if (reply.result?.isError !== undefined || !reply.result) throw new Error(`${tool}: ${told(reply)}`);
      return reply.result.structuredContent;
    },
    async failing(tool, args) {
      const reply = await call(tool, args);
      if (reply.result?.isError !== true) throw new Error(`${tool}: ${told(reply)}`);
      return reply.result.content[0].text;
    },
  };
}

export const asKey = (server: Server): Promise<Agent> => connect(server, { "x-api-key": server.key });
export const asNobody = (server: Server): Promise<Agent> => connect(server, {});
