// Tools, resources and prompts of extensions: offered by scope, group and switch as the service's own, checked against the
// schemas of the manifest. What they answer is data for a model; what they throw stays in their log.

import { isAllowed } from "#access/allow.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { ExtensionCall, Offered } from "#content/extension-port.ts";
import type { Context } from "#context.ts";
import type { ContributionKind, OfferAccess, ToolContribution } from "#contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type JsonCheck, jsonCheck } from "#schemas/json-schema.ts";
import { defineTool } from "./define-tool.ts";
import { maxToolName, plainLine, toolName } from "./names.ts";
import { holdsScope } from "./persona.ts";
import type { Prompt, PromptMessage } from "./prompt.ts";
import type { Resource, ResourceContents, ResourceTemplate } from "./resource.ts";
import type { Tool } from "./tool.ts";

const timeoutMs = 60_000;
/** Characters of what a function answers. */
const maxAnswer = 1_000_000;

function isOpen(ctx: Context, extension: string, access: OfferAccess = "group"): boolean {
  if (access === "public" || isAllowed(ctx.actor, "read", { kind: "extension", extension })) return true;
  // A limited key needs the endpoint of the extension, as for its routes.
  return access === "user" && (ctx.actor.kind === "user" || ctx.actor.kind === "token");
}

type Called = Pick<ExtensionCall, "kind" | "name" | "args"> & { signal?: AbortSignal };

/** As JSON: what crosses from a thread may hold more than that. */
async function callJson(ctx: Context, extension: string, called: Called): Promise<Json | undefined> {
  const value = await ctx.extensions.call({ extension, ...called, ctx, timeoutMs });
  const text = value === undefined ? undefined : textOf(value);
  if (value !== undefined && (text === undefined || text.length > maxAnswer))
    refuse(ctx, extension, called, `answered no JSON, or more than ${maxAnswer} characters`);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Said to the operator in full, to the caller by name alone. */
function refuse(ctx: Context, extension: string, { kind, name }: Pick<Called, "kind" | "name">, why: string): never {
  ctx.extensions.report(extension, `${kind} "${name}" ${why}.`);
  throw new CairnError("extension-failed", `The extension ${extension} failed.`);
}

// Tools

const tools = new WeakMap<readonly Offered<"tools">[], { prefix: string; tools: readonly Tool[] }>();

/** Without prefix in their names; kept until what is offered changes. */
export async function extensionTools(ctx: Context, prefix: string): Promise<readonly Tool[]> {
  const offered = await ctx.extensions.of("tools");
  const known = tools.get(offered);
  if (known?.prefix === prefix) return known.tools;
  const made = offered.flatMap((one) => {
    if (toolName(prefix, one.entry.name).length <= maxToolName) return toolOf(ctx, one) ?? [];
    ctx.extensions.report(
      one.extension,
      `The tool ${one.entry.name} is not offered: its name with the prefix is too long.`,
    );
    return [];
  });
  tools.set(offered, { prefix, tools: made });
  return made;
}

/** Undefined: its schemas cannot be used. */
function toolOf(ctx: Context, { extension, entry }: Offered<"tools">): Tool | undefined {
  const { name, title, description } = entry;
  const input = asObject(entry.input);
  const output = asObject(entry.output ?? {});
  let [checkInput, checkOutput]: [JsonCheck?, JsonCheck?] = [];
  try {
    checkInput = jsonCheck(input);
    checkOutput = jsonCheck(output);
  } catch (error) {
    ctx.extensions.report(
      extension,
      `The tool ${name} is not offered: its schema cannot be used. ${(error as Error).message}`,
    );
    return undefined;
  }
  return defineTool({
    name,
    title: plainLine(title, 200),
    description: plainLine(description, 2_000),
    input,
    output,
    annotations: annotationsOf(entry),
    scope: entry.scope ?? (entry.readOnly ? "cms:read" : "cms:write"),
    isVisible: (caller) => isOpen(caller, extension, entry.access),
    readArguments(args) {
      const details = checkInput(args);
      if (Object.keys(details).length > 0) fail("invalid", "The arguments are not valid.", details);
      return args;
    },
    async run(caller, args, { signal }) {
      const called = { kind: "tools", name, args: [args], signal } as const;
      const structured = await callJson(caller, extension, called);
      if (!isJsonObject(structured)) return refuse(caller, extension, called, "did not answer an object");
      const [[path, [problem] = []] = []] = Object.entries(checkOutput(structured));
      if (path !== undefined) refuse(caller, extension, called, `answered what its schema refuses: ${path} ${problem}`);
      return { structured };
    },
  });
}

function asObject(schema: JsonObject): JsonObject {
  return { properties: {}, ...schema, type: "object" };
}

function annotationsOf({ readOnly = false, destructive = !readOnly, idempotent = readOnly }: ToolContribution) {
  return { readOnlyHint: readOnly, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: true };
}

// Resources

async function open<K extends ContributionKind & ("resources" | "prompts")>(
  ctx: Context,
  kind: K,
): Promise<Offered<K>[]> {
  return (await ctx.extensions.of(kind)).filter(({ extension, entry }) => {
    const { access, scope = undefined } = entry as { access?: OfferAccess; scope?: ToolContribution["scope"] };
    return isOpen(ctx, extension, access) && (scope === undefined || holdsScope(ctx, scope));
  });
}

const isTemplate = (uri: string) => uri.includes("{");

/** `{uri}` alone, or `{uriTemplate}` alone. */
export async function extensionResources(ctx: Context): Promise<{ fixed: Resource[]; templates: ResourceTemplate[] }> {
  const all = (await open(ctx, "resources")).map(({ entry }) => ({
    address: entry.uri,
    shown: {
      name: entry.name,
      title: plainLine(entry.title, 200),
      description: plainLine(entry.description ?? ""),
      mimeType: entry.mimeType ?? "application/json",
    },
  }));
  return {
    fixed: all.filter(({ address }) => !isTemplate(address)).map(({ address, shown }) => ({ uri: address, ...shown })),
    templates: all
      .filter(({ address }) => isTemplate(address))
      .map(({ address, shown }) => ({ uriTemplate: address, ...shown })),
  };
}

/** Undefined: there is none, or not for this caller. */
export async function readExtensionResource(ctx: Context, uri: string): Promise<ResourceContents | undefined> {
  for (const { extension, entry } of await open(ctx, "resources")) {
    const params = paramsOf(entry.uri, uri);
    if (!params) continue;
    const called = { kind: "resources", name: entry.name, args: ["read", uri, params] } as const;
    const answer = await callJson(ctx, extension, called);
    if (answer === undefined || answer === null) return undefined;
    const {
      text,
      base64,
      mimeType = entry.mimeType ?? "application/json",
    } = isJsonObject(answer) ? answer : { text: answer };
    if (typeof text === "string") return { uri, mimeType: String(mimeType), text };
    if (typeof base64 === "string") return { uri, mimeType: String(mimeType), blob: base64 };
    refuse(ctx, extension, called, "answered neither a text nor base64");
  }
  return undefined;
}

/** A name in braces stands for one part of the address. */
function paramsOf(pattern: string, uri: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), uri.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined && value === "") return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}

// Prompts

export async function extensionPrompts(ctx: Context): Promise<Prompt[]> {
  return (await open(ctx, "prompts")).map(({ entry }) => promptOf(entry));
}

function promptOf({ name, title, description = "", arguments: args = [] }: Offered<"prompts">["entry"]): Prompt {
  return {
    name,
    title: plainLine(title, 200),
    description: plainLine(description),
    arguments: args.map((one) => ({
      name: one.name,
      description: plainLine(one.description ?? ""),
      required: one.required === true,
    })),
  };
}

/** Undefined: there is none, or not for this caller. */
export async function findExtensionPrompt(
  ctx: Context,
  name: string,
): Promise<{ prompt: Prompt; run(args: JsonObject): Promise<PromptMessage[]> } | undefined> {
  const found = (await open(ctx, "prompts")).find(({ entry }) => entry.name === name);
  if (!found) return undefined;
  const { extension, entry } = found;
  return {
    prompt: promptOf(entry),
    async run(args) {
      const called = { kind: "prompts", name, args: [args] } as const;
      const messages = messagesOf(await callJson(ctx, extension, called));
      return messages ?? refuse(ctx, extension, called, "answered neither a text nor messages");
    },
  };
}

/** A text, or `[{role, text}]`. */
function messagesOf(answer: Json | undefined): PromptMessage[] | undefined {
  if (typeof answer === "string") return [messageOf("user", answer)];
  if (!Array.isArray(answer) || answer.length === 0) return undefined;
  const messages = answer.flatMap((one) => {
    if (!isJsonObject(one) || typeof one.text !== "string") return [];
    return one.role === "user" || one.role === "assistant" ? [messageOf(one.role, one.text)] : [];
  });
  return messages.length === answer.length ? messages : undefined;
}

function messageOf(role: PromptMessage["role"], text: string): PromptMessage {
  return { role, content: { type: "text", text } };
}
