// Prompts: objects of the collection `mcp-prompt`, rendered for the callers that their access lets in. A prompt without access of
// its own takes after its target, a collection or a data view; without a target it is for the admin persona.
// The service itself reads the record: callers that may use a prompt need not be able to read the collection of prompts.

import { system } from "#access/actor.ts";
import type { Exposure } from "#access/subject.ts";
import { fail } from "#base/errors.ts";
import { createVersionedValue } from "#base/versioned-cache.ts";
import { exposureOf, findCollection } from "#content/collections/collection-cache.ts";
import { listObjects } from "#content/query/lists.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { renderLiquid } from "#site/liquid.ts";
import { recordActivity } from "./activity.ts";
import { plainLine } from "./names.ts";
import { isAdmin } from "./persona.ts";
import { resourceProviders } from "./providers.ts";

export interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: PromptArgument[];
}

export interface PromptResult {
  description: string;
  messages: { role: "user"; content: { type: "text"; text: string } }[];
}

interface StoredPrompt extends Prompt {
  body: string;
  access: string;
  target: string;
}

const collection = "mcp-prompt";
const maxPrompts = 1_000;
const pageSize = 100;
const maxValue = 100_000;
const name = /^[a-z][a-z0-9_]*$/;

const stored = createVersionedValue<Context["storage"], StoredPrompt[]>((storage) =>
  storage.version(`objects:${collection}`),
);

async function loadPrompts(ctx: Context): Promise<StoredPrompt[]> {
  return stored.get(ctx.storage, () => readPrompts({ ...ctx, actor: system, surface: undefined }));
}

/** Of two with one name the first by id counts. */
async function readPrompts(ctx: Context): Promise<StoredPrompt[]> {
  const prompts = new Map<string, StoredPrompt>();
  for (let offset = 0; offset < maxPrompts; offset += pageSize) {
    const params = { sort: "id", order: "asc", limit: String(pageSize), offset: String(offset) };
    const { bytes, count } = await listObjects(ctx, collection, params);
    for (const object of JSON.parse(bytes.toString()) as JsonObject[]) {
      const prompt = promptOf(object);
      if (prompt && !prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
    }
    if (count < pageSize) break;
  }
  return [...prompts.values()];
}

function promptOf(object: JsonObject): StoredPrompt | undefined {
  const text = (key: string) => (typeof object[key] === "string" ? object[key] : "");
  if (!name.test(text("name"))) return undefined;
  const sent = Array.isArray(object.arguments) ? object.arguments : [];
  return {
    name: text("name"),
    title: titleOf(text("name")),
    description: plainLine(text("description")),
    arguments: sent.filter((entry) => isJsonObject(entry)).flatMap((entry) => argumentOf(entry)),
    body: text("body"),
    access: text("access"),
    target: text("target"),
  };
}

function argumentOf({ name: id, description, required }: JsonObject): PromptArgument[] {
  if (typeof id !== "string" || !name.test(id)) return [];
  return [{ name: id, description: plainLine(String(description ?? "")), required: required === true }];
}

function titleOf(id: string): string {
  const words = id.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

async function isOpen(ctx: Context, prompt: StoredPrompt): Promise<boolean> {
  if (isAdmin(ctx)) return true;
  const access = prompt.access === "" ? await inherited(ctx, prompt.target) : prompt.access;
  return access === "public" || (access === "authenticated" && ctx.actor.kind !== "anonymous");
}

/** A collection of that id decides, also when its card says nothing; only without one a view may. */
async function inherited(ctx: Context, target: string): Promise<Exposure> {
  if (target === "") return "admin";
  const found = await findCollection(ctx, target);
  if (found && !found.isVirtual) return exposureOf(found.settings);
  for (const provider of resourceProviders) {
    const exposure = await provider.exposure(ctx, target);
    if (exposure) return exposure;
  }
  return "admin";
}

export async function listPrompts(ctx: Context): Promise<Prompt[]> {
  const prompts = await loadPrompts(ctx);
  const open = await Promise.all(prompts.map((prompt) => isOpen(ctx, prompt)));
  return prompts
    .filter((_, at) => open[at])
    .map(({ name: id, title, description, arguments: args }) => ({ name: id, title, description, arguments: args }));
}

/** Undefined: unknown, or not for this caller. Fails when a required argument is missing. */
export async function getPrompt(ctx: Context, id: string, args: JsonObject): Promise<PromptResult | undefined> {
  const start = performance.now();
  const prompt = (await loadPrompts(ctx)).find((each) => each.name === id);
  const isFound = prompt !== undefined && (await isOpen(ctx, prompt));
  const record = (error?: string) =>
    recordActivity(ctx, { method: "prompts/get", name: id, args, durationMs: performance.now() - start, error });
  if (!isFound) {
    record("not-found");
    return undefined;
  }
  try {
    const text = await renderLiquid(
      prompt.body,
      { args: readValues(prompt, args), site: siteOf(ctx) },
      { escape: false },
    );
    record();
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  } catch (error) {
    record("invalid");
    throw error;
  }
}

/** Only declared arguments; one that is left out is an empty text. */
function readValues(prompt: StoredPrompt, args: JsonObject): JsonObject {
  const values: JsonObject = {};
  const missing: string[] = [];
  for (const { name: id, required } of prompt.arguments) {
    const value = Object.hasOwn(args, id) ? (args[id] ?? "") : "";
    if (typeof value === "object") fail("invalid", "Arguments of prompts are texts.", { [id]: ["must be text"] });
    if (String(value).length > maxValue) fail("invalid", "An argument is too long.", { [id]: [`at most ${maxValue}`] });
    if (required && value === "") missing.push(id);
    values[id] = String(value);
  }
  if (missing.length > 0) {
    const details = Object.fromEntries(missing.map((id) => [id, ["is required"]]));
    fail("invalid", `The prompt needs ${missing.join(", ")}.`, details);
  }
  return values;
}

function siteOf({ settings }: Context): JsonObject {
  return { url: settings.get("url") };
}
