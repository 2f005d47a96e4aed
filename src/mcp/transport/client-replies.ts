// Questions of the server to clients of the 2025 revisions, where several processes serve the installation: each carries
// the name of the process that asks in its id, so that the reply reaches that process and that question.

import { randomBytes } from "node:crypto";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { collectMcpReplies, passMcpReply, watchMcpReplies } from "#access/mcp-replies.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { refuse } from "#mcp/refusal.ts";

type Transport = WebStandardStreamableHTTPServerTransport;

export interface Answers {
  /** From now on what this transport asks is known by its process. */
  mark(transport: Transport): void;
  /** The answers in the body go to their questions; undefined: there was nothing else in it. */
  sort(sessionId: string, body: Json | undefined): Promise<Json | undefined>;
  close(): void;
}

const maxAnswer = 16_384;

/** `find`: the transport of a session that this process holds; `held`: the ids of all of them. */
export function createAnswers(
  app: App,
  { find, held }: { find(sessionId: string): Transport | undefined; held(): Iterable<string> },
): Answers {
  const name = randomBytes(6).toString("base64url");

  function deliver(sessionId: string, message: JsonObject): void {
    find(sessionId)?.onmessage?.(message as never);
  }

  async function collect(): Promise<void> {
    for (const { session, message } of await collectMcpReplies(app, name, held())) deliver(session, message);
  }

  const unwatch = watchMcpReplies(app, () => {
    collect().catch((error) => app.log.warn({ err: error }, "answers of MCP clients could not be collected"));
  });

  /** False: it is no answer to a question of ours. */
  async function take(sessionId: string, message: Json): Promise<boolean> {
    const [asker, number] = askerOf(message);
    if (asker === undefined) return false;
    const answer = { ...(message as JsonObject), id: Number(number) };
    if (asker === name) deliver(sessionId, answer);
    else if (JSON.stringify(answer).length > maxAnswer) refuse(400, "The answer is too long.");
    else await passMcpReply(app, asker, sessionId, answer);
    return true;
  }

  return {
    mark(transport) {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(named(name, message as never) as never, options);
    },
    async sort(sessionId, body) {
      if (!Array.isArray(body)) return body !== undefined && (await take(sessionId, body)) ? undefined : body;
      const others: Json[] = [];
      for (const message of body) if (!(await take(sessionId, message))) others.push(message);
      return others.length === 0 && body.length > 0 ? undefined : others;
    },
    close: unwatch,
  };
}

/** A question, or that it is withdrawn, under a name of its own. */
function named(name: string, message: JsonObject): JsonObject {
  if (message.method === "notifications/cancelled" && isJsonObject(message.params))
    return { ...message, params: { ...message.params, requestId: `${name}:${message.params.requestId}` } };
  return typeof message.method === "string" && message.id !== undefined
    ? { ...message, id: `${name}:${message.id}` }
    : message;
}

function askerOf(message: Json): [asker?: string, number?: string] {
  if (!isJsonObject(message) || message.method !== undefined || typeof message.id !== "string") return [];
  if (message.jsonrpc !== "2.0" || !(isJsonObject(message.result) || isJsonObject(message.error))) return [];
  const [, asker, number] = /^([\w-]{8}):(\d{1,9})$/.exec(message.id) ?? [];
  return asker === undefined ? [] : [asker, number as string];
}
