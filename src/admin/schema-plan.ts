// What saving a schema would do, and what names the properties that leave: templates, data views, automations, saved queries
// and settings of collections. Only what the caller may read is looked through.

import { isAllowed } from "#access/allow.ts";
import { automationsCollection, listAutomations } from "#automations/load-automations.ts";
import { createPause } from "#base/event-loop.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { planSchema } from "#content/collections/plan-schema.ts";
import { savedQueriesOf } from "#content/collections/saved-queries.ts";
import { viewsOf } from "#content/collections/saved-views.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { PropertyMention, SchemaPlan } from "#contract/schemas.ts";
import { knownViews, viewsCollection } from "#data-views/load-views.ts";
import { getTemplate, listTemplates } from "#site/templates.ts";

/** A text that may name properties, and how the answer calls it. */
interface Place extends Pick<PropertyMention, "kind" | "id" | "collection"> {
  text: string;
  /** Lines mean something to its author. */
  hasLines: boolean;
}

export async function planChange(ctx: Context, body: Json): Promise<SchemaPlan> {
  const { plan, concerned } = await planSchema(ctx, body);
  const { counted, ...parts } = plan;
  const leaving = [...plan.removed.map(({ property }) => property), ...plan.renamed.map(({ from }) => from)];
  return { ...parts, mentions: await findMentions(ctx, leaving, concerned), counted };
}

async function findMentions(ctx: Context, names: string[], collections: string[]): Promise<PropertyMention[]> {
  const mentions: PropertyMention[] = [];
  const pause = createPause();
  if (names.length === 0) return mentions;
  for await (const { text, hasLines, ...place } of placesOf(ctx, collections)) {
    for (const property of names) {
      const at = findWord(text, property);
      if (at >= 0)
        mentions.push({ property, ...place, ...(hasLines && { line: text.slice(0, at).split("\n").length }) });
    }
    await pause();
  }
  return mentions;
}

async function* placesOf(ctx: Context, collections: string[]): AsyncIterable<Place> {
  for (const id of collections) yield* placesOfCollection(ctx, id);
  if (isAllowed(ctx.actor, "read", { kind: "templates" })) yield* templatePlaces(ctx);
  if (mayRead(ctx, viewsCollection)) {
    const views = (await (knownViews.find(ctx) ?? knownViews.load(ctx))).values();
    for (const { id, definition, dependencies } of views) {
      const isConcerned = dependencies.length === 0 || dependencies.some((each) => collections.includes(each));
      if (isConcerned) yield { kind: "data-view", id, text: definition, hasLines: true };
    }
  }
  if (mayRead(ctx, automationsCollection)) {
    for (const { id, handler } of (await listAutomations(ctx)).values())
      yield { kind: "automation", id, text: handler, hasLines: true };
  }
}

async function* placesOfCollection(ctx: Context, id: string): AsyncIterable<Place> {
  const settings = isAllowed(ctx.actor, "read", { kind: "collections", collection: id })
    ? (await findCollection(ctx, id))?.settings
    : undefined;
  if (!settings) return;
  for (const { description: _, ...query } of savedQueriesOf(settings.mcp))
    yield { kind: "saved-query", id: query.id, collection: id, text: JSON.stringify(query), hasLines: false };
  for (const { name, query } of viewsOf(settings))
    yield { kind: "saved-view", id: name, collection: id, text: decoded(query), hasLines: false };
  yield { kind: "collection", id, text: `${settings.sortBy} ${settings.url}`, hasLines: false };
}

/** Text between tags is no code. */
async function* templatePlaces(ctx: Context): AsyncIterable<Place> {
  for (const { id } of await listTemplates(ctx)) {
    const found = await getTemplate(ctx, id).catch(() => undefined);
    if (found) yield { kind: "template", id, text: codeOf(found.template.template), hasLines: true };
  }
}

/** The tags of a template; the rest is left out, but for its line breaks. */
function codeOf(template: string): string {
  let code = "";
  for (let at = 0; at < template.length; ) {
    const starts = ["{{", "{%"].map((mark) => template.indexOf(mark, at)).filter((found) => found >= 0);
    const start = starts.length > 0 ? Math.min(...starts) : template.length;
    const mark = template[start + 1] === "%" ? "%}" : "}}";
    const closing = template.indexOf(mark, start);
    const end = closing < 0 ? template.length : closing;
    code += `${template.slice(at, start).replace(/[^\n]+/g, " ")}${template.slice(start, end)}`;
    at = end + (closing < 0 ? 0 : mark.length);
  }
  return code;
}

function mayRead(ctx: Context, collection: string): boolean {
  return isAllowed(ctx.actor, "read", { kind: "objects", collection, publicOperations: [] });
}

/** As a whole word: the position, or -1. Names have letters, digits, _ and - only. */
function findWord(text: string, word: string): number {
  const isPart = (character: string | undefined) => character !== undefined && /[\w-]/.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return at;
  }
  return -1;
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}
