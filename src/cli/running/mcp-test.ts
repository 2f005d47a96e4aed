// mcp:test: one call of an MCP tool as a chosen caller, without the endpoint, to test what agents get.

import { actorOf, findAccount } from "#access/accounts.ts";
import { type Actor, anonymous, type TokenActor } from "#access/actor.ts";
import { fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { clean, JsonText } from "#cli/output.ts";
import { UsageError } from "#cli/usage.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { isScope, type Scope, scopes } from "#contract/scopes.ts";
import { findTool, listTools } from "#mcp/catalogue.ts";

interface Options {
  params?: string;
  persona: string;
}

/** Without a tool: lists the tools of the persona. The exit code is 1 when the tool answers with an error. */
export async function test(call: Call, { params = "{}", persona }: Options, name?: string): Promise<number> {
  const args = readParams(params);
  const result = await call.work(async (app) => {
    const ctx = { ...app, actor: await readPersona(app, persona), surface: "mcp" as const };
    if (name === undefined) return { tools: await listTools(ctx) };
    const tool = await findTool(ctx, name);
    if (!tool) return fail("not-found", `There is no tool "${name}" for the persona ${persona}.`);
    return tool.call(ctx, args, { signal: new AbortController().signal });
  });
  if ("tools" in result) {
    const rows = result.tools.map((tool) => [tool.name, tool.scope ?? "", tool.title]);
    if (call.isJson)
      await call.out.json(rows.map(([tool = "", scope = "", title = ""]) => ({ name: tool, scope, title })));
    else await call.out.table(["TOOL", "SCOPE", "TITLE"], rows);
    return 0;
  }
  const { structured, text, isError } = result;
  if (call.isJson) await call.out.json({ isError: isError ?? false, structured });
  else if (isError) call.remark(text.split("\n").map(clean).join(" "));
  else await call.out.json(new JsonText(text));
  return isError ? 1 : 0;
}

function readParams(text: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(Buffer.from(text));
  } catch {
    throw new UsageError("--params must be a JSON object.");
  }
  if (!isJsonObject(value)) throw new UsageError("--params must be a JSON object.");
  return value;
}

/** `anonymous`, `key`, `user:ID` with every scope, or `user:ID:cms:read,mcp:tools` with these. */
async function readPersona(app: App, persona: string): Promise<Actor> {
  if (persona === "anonymous" || persona === "public") return anonymous;
  if (persona === "key" || persona === "admin")
    return { kind: "key", id: "mcp-test", name: "mcp:test", limits: undefined };
  const [, id, scopeList] = /^user:([^:]+)(?::(.+))?$/.exec(persona) ?? [];
  if (id === undefined) throw new UsageError("--persona must be anonymous, key, user:ID or user:ID:scopes.");
  const account = await findAccount(app, id);
  if (!account) return fail("not-found", `There is no user "${id}".`);
  const { isAdmin, permissions } = await actorOf(app, account);
  const token: TokenActor = {
    kind: "token",
    id,
    clientId: "mcp:test",
    grantId: "mcp:test",
    scopes: new Set(scopeList === undefined ? scopes : parseList(scopeList).map(readScope)),
    isAdmin,
    permissions,
  };
  return token;
}

function readScope(word: string): Scope {
  if (isScope(word)) return word;
  throw new UsageError(`There is no scope ${word}. The scopes are ${scopes.join(", ")}.`);
}
