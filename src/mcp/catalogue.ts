// Everything the endpoint offers to one caller: tools, resources and prompts, as scopes, groups and exposure allow.
// Asked for every request, so a right that is taken away is gone at once.

import { isLimitedKey, isPublishedKey } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { listOpenCollections, subjectOf } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import { type Operation, reservedCollections } from "#contract/collections.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { Scope } from "#contract/scopes.ts";
import { extensionTools } from "./extension-offers.ts";
import { prefixOf, toolName, withNames } from "./names.ts";
import { holdsScope, isAdmin } from "./persona.ts";
import type { Prompt, PromptResult } from "./prompt.ts";
import * as prompts from "./prompts.ts";
import { dataSchema } from "./reading/json-schemas.ts";
import type { Resource, ResourceContents, ResourceTemplate } from "./resource.ts";
import * as resources from "./resources.ts";
import { savedQueryTools } from "./saved-queries.ts";
import type { Tool } from "./tool.ts";
import { coreTools } from "./tools/all.ts";

/** In a fixed order, with the caller's own collections in the input schemas. */
export async function listTools(ctx: Context): Promise<Tool[]> {
  const prefix = prefixOf(ctx);
  const offered = await allTools(ctx, prefix);
  const visible = await Promise.all(offered.map((tool) => isOffered(ctx, tool)));
  const choices = createChoices(ctx);
  return Promise.all(offered.filter((_, at) => visible[at]).map((tool) => fitted(tool, choices)));
}

/** Of one name the first counts: the service's own, then those of extensions, then saved queries, which can be renamed. */
async function allTools(ctx: Context, prefix: string): Promise<Tool[]> {
  const own = byName(prefix, coreTools);
  const added = byName(prefix, await extensionTools(ctx, prefix));
  const saved = [...named(prefix, await savedQueryTools(ctx, prefix))].filter(({ name }) => !added.has(name));
  return [...own.values(), ...added.values(), ...saved];
}

/** A tool that is not listed is not found, but for those of administrators that a limited key asks for. */
export async function findTool(ctx: Context, name: string): Promise<Tool | undefined> {
  return (await lookUpTool(ctx, name)).tool;
}

export interface FoundTool {
  /** Undefined: there is none of this name for this caller. */
  tool?: Tool;
  /** There is one, for which the caller's token lacks this scope. */
  missingScope?: Scope;
}

/** Looks up the tools that one request names. */
export type ToolFinder = (name: string) => Promise<FoundTool>;

/** Looks each name up once, however many steps of the request ask. */
export function createToolFinder(ctx: Context): ToolFinder {
  const found = new Map<string, Promise<FoundTool>>();
  return (name) => {
    const known = found.get(name) ?? lookUpTool(ctx, name);
    found.set(name, known);
    return known;
  };
}

async function lookUpTool(ctx: Context, name: string): Promise<FoundTool> {
  const prefix = prefixOf(ctx);
  const own = byName(prefix, coreTools).get(name);
  const tool =
    own ??
    byName(prefix, await extensionTools(ctx, prefix)).get(name) ??
    byName(prefix, await savedQueryTools(ctx, prefix)).get(name);
  if (!tool) return {};
  if (tool.scope !== undefined && !holdsScope(ctx, tool.scope)) return { missingScope: tool.scope };
  // A limited key gets the operation's refusal, which says what it takes.
  const isRefused = own?.scope === "cms:admin" && isLimitedKey(ctx.actor) && !isPublishedKey(ctx.actor);
  return isRefused || (await isOffered(ctx, tool)) ? { tool } : {};
}

async function isOffered(ctx: Context, { scope, isVisible }: Tool): Promise<boolean> {
  if (!holdsScope(ctx, "mcp:tools") || (scope !== undefined && !holdsScope(ctx, scope))) return false;
  return isVisible(ctx);
}

const maps = new WeakMap<readonly Tool[], { prefix: string; tools: Map<string, Tool> }>();

function byName(prefix: string, tools: readonly Tool[]): Map<string, Tool> {
  const known = maps.get(tools);
  if (known?.prefix === prefix) return known.tools;
  const renamed = tools.map((tool): [string, Tool] => {
    const name = toolName(prefix, tool.name);
    return [name, { ...tool, name, description: withNames(prefix, tool.description) }];
  });
  const fresh = { prefix, tools: new Map(renamed) };
  maps.set(tools, fresh);
  return fresh.tools;
}

function named(prefix: string, tools: readonly Tool[]): Iterable<Tool> {
  return byName(prefix, tools).values();
}

/** More choices than these are not worth their room in a list of tools. */
const maxChoices = 30;

interface Choices {
  /** Ids of the collections in which the caller may do this; undefined when there are too many to name. */
  ids(operation: Operation): Promise<string[] | undefined>;
  /** The properties to send, when there is but one collection to send them to. */
  data(operation: Operation): Promise<JsonObject | undefined>;
}

function createChoices(ctx: Context): Choices {
  const asked = new Map<Operation, ReturnType<typeof listOpenCollections>>();
  const open = (operation: Operation) => {
    const known = asked.get(operation) ?? listOpenCollections(ctx, operation);
    asked.set(operation, known);
    return known;
  };
  return {
    async ids(operation) {
      const ids = (await open(operation)).map(({ id }) => id);
      // To the admin persona, those that come into being on first use are open as well.
      const onFirstUse = isAdmin(ctx) ? Object.keys(reservedCollections) : [];
      const more = onFirstUse.filter((id) => isAllowed(ctx.actor, operation, subjectOf(ctx, id, undefined)));
      const all = [...new Set([...ids, ...more])];
      return all.length > 0 && all.length <= maxChoices ? all : undefined;
    },
    async data(operation) {
      const [only, ...others] = isAdmin(ctx) ? [] : await open(operation);
      return only && others.length === 0 ? dataSchema(only.schema) : undefined;
    },
  };
}

async function fitted(tool: Tool, choices: Choices): Promise<Tool> {
  const properties = tool.input.properties as JsonObject;
  if (!isJsonObject(properties.collection)) return tool;
  const { operation = "read" } = tool;
  const ids = await choices.ids(operation);
  const data = isJsonObject(properties.data) ? await choices.data(operation) : undefined;
  const collection = { ...properties.collection, ...(ids && { enum: ids }) };
  const filled = data && { data: { ...(properties.data as JsonObject), ...data } };
  return { ...tool, input: { ...tool.input, properties: { ...properties, collection, ...filled } } };
}

export async function listResources(ctx: Context): Promise<Resource[]> {
  return holdsScope(ctx, "mcp:resources") ? resources.listResources(ctx) : [];
}

export async function listResourceTemplates(ctx: Context): Promise<ResourceTemplate[]> {
  return holdsScope(ctx, "mcp:resources") ? resources.listResourceTemplates(ctx) : [];
}

/** Undefined: unknown, or not for this caller. */
export async function readResource(ctx: Context, uri: string): Promise<ResourceContents | undefined> {
  return holdsScope(ctx, "mcp:resources") ? resources.readResource(ctx, uri) : undefined;
}

export async function canSubscribe(ctx: Context, uri: string): Promise<boolean> {
  return holdsScope(ctx, "mcp:resources") && resources.canSubscribe(ctx, uri);
}

/** Also to those whose scopes let them use none: they may ask for the scope. */
export function listPrompts(ctx: Context): Promise<Prompt[]> {
  return prompts.listPrompts(ctx);
}

/** Undefined: unknown, or not for this caller. Throws `invalid` when a required argument is missing. */
export async function getPrompt(ctx: Context, name: string, args: JsonObject): Promise<PromptResult | undefined> {
  return holdsScope(ctx, "mcp:prompts") ? prompts.getPrompt(ctx, name, args) : undefined;
}
