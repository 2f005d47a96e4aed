// The methods of the protocol, each handed to the catalogue with the caller of this request.
// One server object serves one request (2026-07-28) or one session (2025), so that no answer can reach anyone else.

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { followResource } from "#access/mcp-sessions.ts";
import { CairnError, errorCatalogue } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import {
  canSubscribe,
  getPrompt,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  readResource,
} from "./catalogue.ts";
import { instructions } from "./instructions.ts";
import { serverInfo } from "./server-info.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { senderOf } from "./transport/sender.ts";

/** Lists differ from caller to caller: they may be kept for a while, and never for others. */
const listHint = { ttlMs: 60_000, cacheScope: "private" } as const;
const cacheHints = {
  "tools/list": listHint,
  "prompts/list": listHint,
  "resources/list": listHint,
  "resources/templates/list": listHint,
  "resources/read": { ttlMs: 0, cacheScope: "private" },
  "server/discover": listHint,
} as const;

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
};

export function makeServer(ctx: Context): Server {
  const server = new Server(serverInfo, { capabilities, cacheHints, instructions: instructions(ctx) });
  // A session outlives a request, so the caller is the one that comes with the message.
  const answer = <P, R>(work: (ctx: Context, params: P, context: ServerContext) => Promise<R>) => {
    return async (request: { params?: unknown }, context: ServerContext): Promise<R> => {
      const sender = senderOf(context.http?.authInfo);
      try {
        return await work(sender.ctx, request.params as P, context);
      } catch (error) {
        throw toProtocolError(sender.ctx, error);
      }
    };
  };

  server.setRequestHandler(
    "tools/list",
    answer(async (caller, params: Paged) => {
      refuseCursor(params);
      return { tools: (await listTools(caller)).map(presentTool) };
    }),
  );
  server.setRequestHandler(
    "tools/call",
    answer(async (caller, { name, arguments: args = {} }: { name: string; arguments?: JsonObject }, context) => {
      const { tool } = await senderOf(context.http?.authInfo).findTool(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
      return callTool(server, context, { caller, tool, args });
    }),
  );
  server.setRequestHandler(
    "resources/list",
    answer(async (caller, params: Paged) => {
      refuseCursor(params);
      return { resources: await listResources(caller) };
    }),
  );
  server.setRequestHandler(
    "resources/templates/list",
    answer(async (caller, params: Paged) => {
      refuseCursor(params);
      return { resourceTemplates: await listResourceTemplates(caller) };
    }),
  );
  server.setRequestHandler(
    "resources/read",
    answer(async (caller, { uri }: { uri: string }) => {
      const contents = await readResource(caller, uri);
      return contents ? { contents: [contents] } : noResource(uri);
    }),
  );
  server.setRequestHandler(
    "resources/subscribe",
    answer(async (caller, { uri }: { uri: string }, context) => {
      if (!(await canSubscribe(caller, uri))) noResource(uri);
      await senderOf(context.http?.authInfo).beginWatching(uri);
      if (context.sessionId !== undefined) await followResource(caller, context.sessionId, uri, true);
      return {};
    }),
  );
  server.setRequestHandler(
    "resources/unsubscribe",
    answer(async (caller, { uri }: { uri: string }, { sessionId }) => {
      if (sessionId !== undefined) await followResource(caller, sessionId, uri, false);
      return {};
    }),
  );
  server.setRequestHandler(
    "prompts/list",
    answer(async (caller, params: Paged) => {
      refuseCursor(params);
      return { prompts: await listPrompts(caller) };
    }),
  );
  server.setRequestHandler(
    "prompts/get",
    answer(async (caller, { name, arguments: args = {} }: { name: string; arguments?: JsonObject }) => {
      const prompt = await getPrompt(caller, name, args);
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name.slice(0, 100)}`);
      return { ...prompt };
    }),
  );
  return server;
}

type Paged = { cursor?: string } | undefined;

/** Every list fits on one page. */
function refuseCursor(params: Paged): void {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor");
}

function presentTool({ name, title, description, input, output, annotations }: Tool) {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations } as never;
}

interface Called {
  caller: Context;
  tool: Tool;
  args: JsonObject;
}

/**
 * A tool that asks for confirmation is parked: the answer says what to ask, and the client calls again with what the person
 * said. So a tool asks before it changes anything (docs/decisions/025).
 */
async function callTool(
  server: Server,
  context: ServerContext,
  { caller, tool, args }: Called,
): Promise<CallToolResult | InputRequiredResult> {
  const { mcpReq } = context;
  const question = Promise.withResolvers<InputRequiredResult>();
  let asked = 0;
  const confirm = async (message: string): Promise<boolean> => {
    asked += 1;
    const key = `confirm-${asked}`;
    const said = mcpReq.inputResponses?.[key] as { action?: string } | undefined;
    if (said) return said.action === "accept";
    const elicitation = inputRequired.elicit({ message, requestedSchema: { type: "object", properties: {} } });
    question.resolve(inputRequired({ inputRequests: { [key]: elicitation } }));
    return new Promise(() => {});
  };
  const { progressToken } = mcpReq._meta ?? {};
  const called = tool.call(caller, args, {
    signal: mcpReq.signal,
    ...(canAsk(server, context) && { confirm }),
    ...(progressToken !== undefined && {
      progress(progress: number, total?: number) {
        const params = { progressToken, progress, ...(total !== undefined && { total }) };
        void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
      },
    }),
  });
  return Promise.race([called.then(presentResult), question.promise]);
}

function canAsk(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return declared?.elicitation !== undefined;
}

/** Clients hold structured content against the output schema, which no failure fits. */
function presentResult({ structured, text, isError }: ToolResult): CallToolResult {
  return { content: [{ type: "text", text }], ...(isError ? { isError } : { structuredContent: structured }) };
}

function noResource(uri: string): never {
  const shown = uri.slice(0, 200);
  throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, `Resource not found: ${shown}`, { uri: shown });
}

/** Only our own words go out. */
function toProtocolError(ctx: Context, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof CairnError && error.status < 500)
    return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  ctx.log.error({ err: error }, "an MCP request failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, errorCatalogue.internal.message);
}
