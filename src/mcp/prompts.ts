// Prompts: objects of the collection `mcp-prompt`, rendered for the callers that their access lets in. A prompt without access of
// its own takes after its target, a collection or a data view; without a target it is for the admin persona.
// The service itself reads the record: callers that may use a prompt need not be able to read the collection of prompts.

import { system } from "#access/actor.ts";
import type { Exposure } from "#access/subject.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { CairnError, fail } from "#base/errors.ts";
import { exposureOf, findCollection } from "#content/collections/collection-cache.ts";
import { listObjects } from "#content/query/lists.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { renderLiquid } from "#site/liquid.ts";
import { recordActivity } from "./activity.ts";
import { extensionPrompts, findExtensionPrompt } from "./extension-offers.ts";
import { plainLine } from "./names.ts";
import { isAdmin } from "./persona.ts";
import type { Prompt, PromptArgument, PromptResult } from "./prompt.ts";
import { resourceProviders } from "./providers.ts";

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
  const own = prompts
    .filter((_, at) => open[at])
    .map(({ name: id, title, description, arguments: args }) => ({ name: id, title, description, arguments: args }));
  const taken = new Set(prompts.map(({ name: id }) => id));
  return [...own, ...(await extensionPrompts(ctx)).filter(({ name: id }) => !taken.has(id))];
}

/** Undefined: unknown, or not for this caller. Fails when a required argument is missing. */
export async function getPrompt(ctx: Context, id: string, args: JsonObject): Promise<PromptResult | undefined> {
  const start = performance.now();
  const record = (error?: string) =>
    recordActivity(ctx, { method: "prompts/get", name: id, args, durationMs: performance.now() - start, error });
  const found = await findPrompt(ctx, id);
  if (!found) {
    record("not-found");
    return undefined;
  }
  try {
    const messages = await found.run(readValues(found.prompt, args));
    record();
    return { description: found.prompt.description, messages };
  } catch (error) {
    record(error instanceof CairnError ? error.word : "invalid");
    throw error;
  }
}

/** A stored prompt takes the name from one of an extension, also from callers that may not use it. */
async function findPrompt(ctx: Context, id: string): ReturnType<typeof findExtensionPrompt> {
  const prompt = (await loadPrompts(ctx)).find((each) => each.name === id);
  if (!prompt) return findExtensionPrompt(ctx, id);
  if (!(await isOpen(ctx, prompt))) return undefined;
  return {
    prompt,
    async run(values) {
      const text = await renderLiquid(prompt.body, { args: values, site: siteOf(ctx) }, { escape: false });
      return [{ role: "user", content: { type: "text", text } }];
    },
  };
}

/** Only declared arguments; one that is left out is an empty text. */
function readValues(prompt: Prompt, args: JsonObject): JsonObject {
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
