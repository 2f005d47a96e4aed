// The rows of a table as windows on the whole result: pages in view and one ahead are asked for, older requests are called
// off, far pages are dropped. What is known stays until the answer to a new question is there.

import type { JsonObject } from "@contract/json.ts";
import { type QueryClient, skipToken, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Row } from "./columns.ts";
import type { Question } from "./question.ts";
import { pageSize, pagesFor, pagesToDrop, type Range } from "./windows.ts";

/** Pages of one question that are held. */
const mostPages = 30;
/** A drag along the scroll bar passes hundreds of pages: only where it rests for so long are they asked for. */
const rest = 100;

interface RowPage {
  rows: Row[];
  total: number;
  nextCursor: string | undefined;
}

export interface Rows {
  /** undefined: not known yet. */
  total: number | undefined;
  rowAt: (index: number) => Row | undefined;
  /** All that are held, in order. */
  loaded: () => Row[];
  error: Error | null;
  /** The rows shown answer an older question. */
  isStale: boolean;
  retry: () => void;
}

export function useRows(question: Question | undefined, range: Range): Rows {
  const client = useQueryClient();
  const asked = useSettledRange(range, question);
  const isForward = useDirection(asked.first);
  const answered = useAnswered(question);
  const total = useTotal(question).data;
  const pages = question ? pagesFor(asked, total, isForward) : [];
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: pageKey(question as Question, page),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(client, question as Question, { page, signal }),
      staleTime: 30_000,
    })),
  });
  const failed = results.find(({ isError }) => isError);
  useDropping(client, question, pages);

  const isKnown = total !== undefined;
  const shown = isKnown || failed ? question : answered.current;
  useEffect(() => {
    if (isKnown) answered.current = question;
  }, [answered, question, isKnown]);
  const shownTotal = useTotal(shown).data;
  const stamp = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join(" ");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says that pages have come
  return useMemo(() => {
    const pageOf = (page: number) => (shown ? client.getQueryData<RowPage>(pageKey(shown, page)) : undefined);
    return {
      total: shownTotal,
      rowAt: (index) => pageOf(Math.floor(index / pageSize))?.rows[index % pageSize],
      loaded: () => heldPages(client, shown).flatMap((page) => pageOf(page)?.rows ?? []),
      error: failed?.error ?? null,
      isStale: shown !== question,
      retry: () => void failed?.refetch(),
    };
  }, [client, shown, question, shownTotal, stamp, failed?.error]);
}

function pageKey({ collection, isWhole, query }: Question, page: number) {
  return ["objects", collection, "rows", isWhole, query, page];
}

function totalKey({ collection, query }: Question) {
  const { include: _, sort: __, order: ___, ...selecting } = query;
  return ["objects", collection, "total", selecting];
}

function useTotal(question: Question | undefined) {
  return useQuery<number>({ queryKey: question ? totalKey(question) : ["objects"], queryFn: skipToken });
}

/** The last question that had an answer. */
function useAnswered(question: Question | undefined) {
  const answered = useRef<Question | undefined>(undefined);
  // Another collection has nothing to do with it.
  if (answered.current && answered.current.collection !== question?.collection) answered.current = undefined;
  return answered;
}

async function fetchPage(
  client: QueryClient,
  question: Question,
  { page, signal }: { page: number; signal: AbortSignal },
): Promise<RowPage> {
  const { collection, isWhole, query } = question;
  const cursor = cursorBefore(client, question, page);
  const position = cursor === undefined ? { offset: page * pageSize } : { cursor };
  const answer = await ask<Row[]>(isWhole ? routes.list : routes.query, {
    path: { collection },
    query: { ...query, limit: pageSize, ...position },
    signal,
  });
  const total = Number(answer.headers.get("x-total-count"));
  client.setQueryData(totalKey(question), total);
  return { rows: answer.data, total, nextCursor: answer.headers.get("x-next-cursor") ?? undefined };
}

/** Going on from the page before is as fast at the end as at the beginning; it is right while nothing has changed. */
function cursorBefore(client: QueryClient, question: Question, page: number): string | undefined {
  const before = page === 0 ? undefined : client.getQueryState<RowPage>(pageKey(question, page - 1));
  return before && !before.isInvalidated && before.fetchStatus === "idle" ? before.data?.nextCursor : undefined;
}

function heldPages(client: QueryClient, question: Question | undefined): number[] {
  if (!question) return [];
  const { collection, isWhole, query } = question;
  return client
    .getQueryCache()
    .findAll({ queryKey: ["objects", collection, "rows", isWhole, query] })
    .filter(({ state }) => state.data !== undefined)
    .map(({ queryKey }) => queryKey.at(-1) as number)
    .sort((a, b) => a - b);
}

function useDropping(client: QueryClient, question: Question | undefined, pages: readonly number[]): void {
  const needed = pages.join(",");
  useEffect(() => {
    if (!question || needed === "") return;
    const near = needed.split(",").map(Number);
    for (const page of pagesToDrop(heldPages(client, question), near, mostPages))
      client.removeQueries({ queryKey: pageKey(question, page), exact: true });
  }, [client, question, needed]);
}

/** The range, at most every so often; that of a new question at once. */
function useSettledRange({ first, last }: Range, question: Question | undefined): Range {
  const [settled, setSettled] = useState({ question, first, last });
  const changed = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, changed.current + rest - performance.now());
    const timer = setTimeout(() => {
      changed.current = performance.now();
      setSettled((known) =>
        known.question === question && known.first === first && known.last === last ? known : { question, first, last },
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [question, first, last]);
  return settled.question === question ? settled : { first, last };
}

function useDirection(first: number): boolean {
  const before = useRef({ first, isForward: true });
  if (before.current.first !== first) before.current = { first, isForward: first > before.current.first };
  return before.current.isForward;
}

/** Writes a change into the rows that are held: they stay where they are until the list is asked for again. */
export function patchRows(client: QueryClient, collection: string, ids: readonly string[], body: JsonObject): void {
  const changed = new Set(ids);
  client.setQueriesData<RowPage>(
    { queryKey: ["objects", collection, "rows"] },
    (page) => page && { ...page, rows: page.rows.map((row) => (changed.has(row.id) ? { ...row, ...body } : row)) },
  );
}
