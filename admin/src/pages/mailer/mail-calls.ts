// Mails on the server: the templates, the log, the batches.

import type { JsonObject } from "@contract/json.ts";
import type { MailBatch, MailEntry } from "@contract/mail.ts";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const mailerCollection = "mailer";

export interface Mail {
  id: string;
  name: string;
  active: boolean;
  category: string;
  to: string;
  subject: string;
  updated: string;
}

interface Listed<T> {
  rows: T[];
  total: number;
}

async function listed<T>(asked: ReturnType<typeof ask<T[]>>): Promise<Listed<T>> {
  const { data, meta, headers } = await asked;
  return { rows: data, total: Number(meta.total ?? headers.get("x-total-count") ?? data.length) };
}

/** As many as there are pages of 100. */
export function mailsQuery(pages: number) {
  return queryOptions({
    queryKey: ["objects", mailerCollection, "mails", pages],
    queryFn: async ({ signal }): Promise<Listed<Mail>> => {
      const all = await Promise.all(
        Array.from({ length: pages }, (_, at) =>
          listed(
            ask<JsonObject[]>(routes.list, {
              path: { collection: mailerCollection },
              query: { limit: 100, offset: at * 100, sort: "name" },
              signal,
            }),
          ),
        ),
      );
      return { rows: all.flatMap(({ rows }) => rows.map(readMail)), total: all[0]?.total ?? 0 };
    },
    placeholderData: keepPreviousData,
  });
}

function readMail(object: JsonObject): Mail {
  const text = (name: string) => (typeof object[name] === "string" ? object[name] : "");
  return {
    ...{ id: text("id"), name: text("name"), category: text("category"), to: text("to") },
    ...{ subject: text("subject"), updated: text("updated"), active: object.active !== false },
  };
}

export interface LogFilter {
  mailer?: string | undefined;
  batch?: string | undefined;
  status?: string | undefined;
}

/** Asked again every second while one of them waits, else every 15 s. */
export function logQuery(filter: LogFilter, limit: number) {
  return queryOptions({
    queryKey: ["mail-log", filter, limit],
    queryFn: ({ signal }) => listed(ask<MailEntry[]>(routes.mailLog, { query: { ...filter, limit }, signal })),
    refetchInterval: ({ state }) => (state.data?.rows.some(isDue) ? 1_000 : 15_000),
    placeholderData: keepPreviousData,
  });
}

/** It waits for its turn, not for a time that was set. */
function isDue({ status, scheduledAt, attempts }: MailEntry): boolean {
  return status === "queued" && attempts < 2 && (scheduledAt === null || Date.parse(scheduledAt) < Date.now());
}

export function batchesQuery(mailer: string | undefined, limit: number) {
  return queryOptions({
    queryKey: ["mail-batches", mailer ?? "", limit],
    queryFn: ({ signal }) => listed(ask<MailBatch[]>(routes.mailBatches, { query: { mailer, limit }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.rows.some((batch) => isUnderWay(batch) && !waitsUntil(batch)) ? 1_000 : 15_000,
    placeholderData: keepPreviousData,
  });
}

/** The job may not have written all mails yet. */
export function isUnderWay(batch: MailBatch): boolean {
  return !batch.isCancelled && (batch.queued > 0 || doneOf(batch) < batch.total);
}

/** It is not due yet. */
export function waitsUntil({ scheduledAt }: MailBatch): boolean {
  return scheduledAt !== null && Date.parse(scheduledAt) > Date.now();
}

export function doneOf({ sent, failed, skipped }: MailBatch): number {
  return sent + failed + skipped;
}

export async function refreshMails(queries: QueryClient): Promise<void> {
  void queries.invalidateQueries({ queryKey: ["mail-batches"] });
  await queries.invalidateQueries({ queryKey: ["mail-log"] });
}
