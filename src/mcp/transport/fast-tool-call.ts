// The most frequent message by far, answered without the protocol's library: a well-formed tools/call that asks for no
// progress, of a tool that reads, or, where each request stands alone, of one that writes without asking a person first.
// The answer is the one that the library would send. Messages that differ in any part go to the library.

import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { serverInfo } from "#mcp/server-info.ts";
import type { Tool, ToolResult } from "#mcp/tool.ts";
import type { OpenExchange } from "./exchange.ts";

const newRevision = "2026-07-28";
const prefix = "io.modelcontextprotocol/";
const messageKeys = new Set(["jsonrpc", "id", "method", "params"]);
const paramKeys = new Set(["name", "arguments", "_meta"]);
const metaKeys = new Set(["protocolVersion", "clientInfo", "clientCapabilities"].map((key) => prefix + key));

export interface PlainCall {
  id: string | number;
  name: string;
  args: JsonObject;
  /** Of the revision without sessions. */
  isAlone: boolean;
}

/** Undefined: this is for the library. */
export function readPlainCall(headers: IncomingHttpHeaders, body: Json | undefined): PlainCall | undefined {
  if (!isJsonObject(body) || body.method !== "tools/call" || body.jsonrpc !== "2.0") return undefined;
  const { id, params } = body;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (!isJsonObject(params) || !hasOnly(body, messageKeys) || !hasOnly(params, paramKeys)) return undefined;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (typeof name !== "string" || !isJsonObject(args) || !isJsonObject(meta) || !takesBoth(headers)) return undefined;
  const isAlone = headers["mcp-protocol-version"] === newRevision;
  const isPlain = isAlone ? isPlainAlone(headers, name, meta) : isPlainInSession(headers, meta);
  return isPlain ? { id: id as string | number, name, args, isAlone } : undefined;
}

function isPlainAlone(headers: IncomingHttpHeaders, name: string, meta: JsonObject): boolean {
  const client = meta[`${prefix}clientInfo`] ?? { name: "", version: "" };
  return (
    headers["mcp-method"] === "tools/call" &&
    headers["mcp-name"] === name &&
    hasOnly(meta, metaKeys) &&
    meta[`${prefix}protocolVersion`] === newRevision &&
    isEmpty(meta[`${prefix}clientCapabilities`]) &&
    isJsonObject(client) &&
    Object.values(client).every((value) => typeof value === "string") &&
    typeof client.name === "string" &&
    typeof client.version === "string"
  );
}

/** Plain capabilities do not matter here; those with settings of their own are for the library. */
function isEmpty(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && Object.keys(one).length === 0);
}

function isPlainInSession(headers: IncomingHttpHeaders, meta: JsonObject): boolean {
  return typeof headers["mcp-session-id"] === "string" && Object.keys(meta).length === 0;
}

function takesBoth({ accept = "" }: IncomingHttpHeaders): boolean {
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

function hasOnly(object: JsonObject, keys: ReadonlySet<string>): boolean {
  for (const key in object) if (!keys.has(key)) return false;
  return true;
}

/** The answer as JSON text; undefined: there is no such tool, or its answer is the library's to make. */
export async function answerPlainCall({ ctx, findTool }: OpenExchange, call: PlainCall): Promise<string | undefined> {
  const { tool } = await findTool(call.name);
  if (!tool || !isPlainTool(tool, call)) return undefined;
  return answerText(call, await tool.call(ctx, call.args, { signal: never }));
}

/** The library asks persons, and keeps the answers to writes of a session, so that a client can fetch them again. */
function isPlainTool({ annotations, mayAsk }: Tool, { isAlone }: PlainCall): boolean {
  return annotations.readOnlyHint || (isAlone && !mayAsk && !annotations.openWorldHint);
}

/** No tool that is called here can be cut off. */
const never = new AbortController().signal;

const newTail = `"resultType":"complete","_meta":${JSON.stringify({ [`${prefix}serverInfo`]: serverInfo })}`;

/** The text of a success is the structured content as JSON, which need not be made twice; a failure has none. */
function answerText({ id, isAlone }: PlainCall, { text, isError }: ToolResult): string {
  const fields = [
    `"content":[{"type":"text","text":${JSON.stringify(text)}}]`,
    isError ? `"isError":true` : `"structuredContent":${text}`,
    ...(isAlone ? [newTail] : []),
  ];
  return `{"result":{${fields.join(",")}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
