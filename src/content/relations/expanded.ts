// Objects, lists and queries with the objects that they refer to: the plain answer, and beside it what `expand` asks for.

import type { Collection } from "#content/collections/collection.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import { getObjectAt } from "#content/history/history.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { getObject } from "#content/objects/objects.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { digest } from "#content/preconditions.ts";
import { chooseFields, findFields } from "#content/query/fields.ts";
import {
  isNewEachTime,
  listObjects,
  type ObjectPage,
  type QueryAnswer,
  queryObjects,
  sourceOf,
} from "#content/query/lists.ts";
import { findText, type Params, refuse } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { askDocuments } from "#storage/query/object-versions.ts";
import { expandDocuments, keepExpansion } from "./expand.ts";
import { type ExpandPlan, planExpand } from "./expand-plan.ts";
import { searchRelations } from "./search-relations.ts";

/** JSON text: `{path: {id: object}}`. */
export interface Expanded {
  expand?: string;
}

export async function getExpanded(
  ctx: Context,
  collectionId: string,
  id: string,
  params: Params,
): Promise<ObjectAnswer & Expanded> {
  const time = findText(params, "as_of");
  const past = time === undefined ? undefined : await getObjectAt(ctx, collectionId, id, time);
  const answer = past ?? (await getObject(ctx, collectionId, id));
  const isWhole = params.fields === undefined && params.urls === undefined;
  const shown = isWhole ? answer : await chosenAnswer(ctx, collectionId, { answer, params });
  if (params.expand === undefined) return shown;
  const plan = await planExpand(ctx, await openCollection(ctx, "read", collectionId, id), params);
  if (!plan) return shown;
  const expand = await keepExpansion(ctx, plan, `object ${answer.id} ${answer.etag}`, () =>
    expandDocuments(ctx, plan, [JSON.parse(answer.text) as JsonObject]),
  );
  const { octets: _, ...rest } = shown;
  const parts = isWhole ? expand : `${shown.text}${expand}`;
  return { ...rest, expand, etag: `${answer.etag.slice(0, -1)}~${digest(parts)}"` };
}

interface Chosen {
  answer: ObjectAnswer;
  params: Params;
}

/** What `fields` and `urls` show of it, under a tag of its own. */
async function chosenAnswer(ctx: Context, collectionId: string, { answer, params }: Chosen): Promise<ObjectAnswer> {
  const collection = await openCollection(ctx, "read", collectionId, answer.id);
  const { schema } = sourceOf(ctx, collection);
  const chosen = findFields(ctx, params, schema);
  if (!chosen) return answer;
  const document = JSON.parse(answer.text) as JsonObject;
  const text = JSON.stringify(chooseFields(chosen, document, { collection: collection.id, schema }));
  return { id: answer.id, text, etag: `${answer.etag.slice(0, -1)}~${digest(text)}"` };
}

export async function listExpanded(ctx: Context, collectionId: string, sent: Params): Promise<ObjectPage & Expanded> {
  const params = sent.filter === undefined ? sent : await searchRelations(ctx, collectionId, sent);
  const page = await listObjects(ctx, collectionId, params);
  return expandPage(ctx, { collectionId, params, page }, () =>
    params.fields === undefined ? (JSON.parse(page.bytes.toString()) as JsonObject[]) : idsIn(page.bytes.toString()),
  );
}

export async function queryExpanded(ctx: Context, collectionId: string, sent: Params): Promise<QueryAnswer & Expanded> {
  const params = sent.filter === undefined ? sent : await searchRelations(ctx, collectionId, sent);
  const page = await queryObjects(ctx, collectionId, params);
  if (params.expand !== undefined && page.format !== "json") refuse("expand", "expand goes with format=json alone.");
  return expandPage(ctx, { collectionId, params, page }, () => idsIn(page.text));
}

interface Asked<P> {
  collectionId: string;
  params: Params;
  page: P;
}

async function expandPage<P extends ObjectPage | QueryAnswer>(
  ctx: Context,
  { collectionId, params, page }: Asked<P>,
  read: () => JsonObject[] | string[],
): Promise<P & Expanded> {
  if (params.expand === undefined) return page;
  const plan = await planExpand(ctx, await openCollection(ctx, "read", collectionId), params);
  if (!plan) return page;
  const { expand: _, ...others } = params;
  const persona = seesDrafts(ctx, "read", collectionId) ? "all" : "published";
  const asked = isNewEachTime(params)
    ? undefined
    : `${"bytes" in page ? "list" : "query"} ${persona} ${JSON.stringify(others)}`;
  const expand = await keepExpansion(ctx, plan, asked, async () => {
    const found = read();
    return expandDocuments(ctx, plan, isIds(found) ? await documentsOf(ctx, plan, found) : found);
  });
  return { ...page, expand };
}

function isIds(found: JsonObject[] | string[]): found is string[] {
  return typeof found[0] === "string";
}

function idsIn(text: string): string[] {
  return (JSON.parse(text) as JsonObject[]).map(({ id }) => String(id));
}

/** Whole: an answer may show only some properties. */
async function documentsOf(ctx: Context, { collection }: ExpandPlan, ids: readonly string[]): Promise<JsonObject[]> {
  const rows = await askDocuments(ctx.storage, collection.id, ids, ctx.caller);
  return rows.flatMap((row) => readable(ctx, collection, row));
}

function readable(ctx: Context, { schema }: Collection, row: { schemaRev: string; doc: string }): JsonObject[] {
  try {
    return [storedDocument(ctx, schema, row)];
  } catch {
    return [];
  }
}
