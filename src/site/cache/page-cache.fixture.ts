// A site in miniature for tests of the page cache: pages are lists of steps that read content and print it. What a page prints
// is all that it reads, so a model can tell whether a rendering was needed.

import { getCollection } from "#content/collections/collection-cache.ts";
import { isDraft, storedDocument } from "#content/objects/stored-document.ts";
import { readListSelection } from "#content/query/filters.ts";
import { sourceOf } from "#content/query/lists.ts";
import type { Context } from "#context.ts";
import type { PageAnswer, PageRequest } from "#site/pages/page-request.ts";
import type { RecordedObject, Recorder } from "#site/template/recorder.ts";
import type { AnswerPage } from "#site/template/render-page.ts";
import { decidingProperties } from "#storage/query/deciding-properties.ts";
import { findDocuments, type VersionedDocument, versionOf } from "#storage/query/object-versions.ts";
import { askPage, versionedObjectsOf, versionsOf } from "#storage/query/select.ts";

export type Step =
  | { kind: "get"; collection: string; id: string; read: string[] }
  | { kind: "query"; collection: string; status: string; limit: number; isCounted: boolean; read: string[] }
  /** `then` only where the parameter has the value. */
  | { kind: "parameter"; name: string; value: string; then: Step[] };

/** Path to steps. */
export type Site = Map<string, Step[]>;

export function pageRequest(address: string): PageRequest {
  const [path = "", search = ""] = address.split("?");
  return {
    path,
    query: new Map(new URLSearchParams(search)),
    search,
    method: "GET",
    locale: "en",
    wantsJson: false,
    visitor: async () => undefined,
    requestId: "test",
  };
}

/** Renders pages of the site; a path without steps is not found. */
export function siteAnswers(ctx: Context, site: Site): AnswerPage {
  return async (request, recorder): Promise<PageAnswer> => {
    const steps = site.get(request.path);
    const lines: string[] = [];
    for (const step of steps ?? []) await take(ctx, step, { request, recorder, lines });
    const headers = { "content-type": "text/html; charset=utf-8" };
    return { status: steps ? 200 : 404, headers, body: `${request.path}\n${lines.join("\n")}`, isPrivate: false };
  };
}

interface Page {
  request: PageRequest;
  recorder: Recorder;
  lines: string[];
}

async function take(ctx: Context, step: Step, page: Page): Promise<void> {
  if (step.kind === "get") return takeObject(ctx, step, page);
  if (step.kind === "query") return takeList(ctx, step, page);
  const value = page.request.query.get(step.name);
  page.recorder.parameter(step.name, value);
  page.lines.push(`${step.name} ${value === step.value}`);
  if (value !== step.value) return;
  for (const inner of step.then) await take(ctx, inner, page);
}

async function takeObject(
  ctx: Context,
  { collection, id, read }: Extract<Step, { kind: "get" }>,
  { recorder, lines }: Page,
): Promise<void> {
  const [row] = await findDocuments(ctx.storage, collection, [id]);
  const isAbsent = row === undefined || isDraft(row);
  if (isAbsent) recorder.absence(collection, id);
  else recorder.object(await recorded(ctx, collection, row, read, lines));
  if (isAbsent) lines.push(`${collection}/${id} -`);
}

async function takeList(
  ctx: Context,
  { collection, status, limit, isCounted, read }: Extract<Step, { kind: "query" }>,
  { recorder, lines }: Page,
): Promise<void> {
  const source = { ...sourceOf(ctx, await getCollection(ctx, collection)), hideDrafts: true };
  const selection = readListSelection({ filter: { status: { eq: status } }, sort: "title", order: "asc" }, source);
  const question = { selection, page: { limit, offset: 0 }, caller: ctx.caller, isCounted };
  const found = await askPage<VersionedDocument>(ctx.storage, { ...question, shows: versionedObjectsOf });
  const objects: RecordedObject[] = [];
  for (const row of found.rows) objects.push(await recorded(ctx, collection, row, read, lines));
  lines.push(`total ${found.total}`);
  recorder.query({
    collection,
    objects,
    total: found.total,
    decidedBy: decidingProperties(selection),
    async ask() {
      const again = await askPage<VersionedDocument>(ctx.storage, { ...question, shows: versionsOf });
      return { rows: again.rows.map((row) => ({ id: row.id, rev: versionOf(row) })), total: again.total };
    },
  });
}

async function recorded(
  ctx: Context,
  collection: string,
  row: VersionedDocument,
  read: readonly string[],
  lines: string[],
): Promise<RecordedObject> {
  const { schema } = await getCollection(ctx, collection);
  const document = storedDocument(ctx, schema, row);
  lines.push(`${collection}/${row.id} ${JSON.stringify(read.map((name) => document[name] ?? null))}`);
  return { collection, id: row.id, rev: versionOf(row), document, properties: new Set(read) };
}
