// A page as `cairn dev` serves it: rendered each time, never kept, with what its builder should know about it.

import type { App } from "#context.ts";
import { beginRecord } from "#site/cache/page-record.ts";
import { type ServedPage, servedPage } from "#site/cache/served-page.ts";
import { mayBeKept, watchRequest } from "#site/cache/watched-request.ts";
import type { PageAnswer, PageNotes, PageRequest } from "#site/pages/page-request.ts";
import type { PageRecord } from "#site/template/recorder.ts";
import type { AnswerPage } from "#site/template/render-page.ts";

/** Beside the page, for its panel. */
export interface DevReport extends PageNotes {
  status: number;
  ms: number;
  templates: string[];
  /** A sentence: is the page kept in production, and why not. */
  kept: string;
}

export async function renderForDev(
  app: App,
  request: PageRequest,
  { answer, show }: { answer: AnswerPage; show(answer: PageAnswer, report: DevReport): PageAnswer },
): Promise<{ page: ServedPage; record: PageRecord }> {
  const started = performance.now();
  const notes: PageNotes = { warnings: [], queries: [] };
  const { recorder, finish } = beginRecord(app.storage);
  if (!mayBeKept(request)) recorder.never("It is for one visitor, at one moment.");
  const made = await answer(watchRequest({ ...request, notes }, recorder), recorder);
  const record = finish();
  const ms = Math.round(performance.now() - started);
  const isPrivate = made.isPrivate || record.isPrivate;
  const report = {
    ...notes,
    status: made.status,
    ms,
    templates: [...record.templates],
    kept: keptOf(record, isPrivate),
  };
  return { page: servedPage(app, show(made, report), record), record };
}

function keptOf({ isNever, why, seconds, isTimed }: PageRecord, isPrivate: boolean): string {
  if (isPrivate) return "The page is not kept: it is for one visitor.";
  if (isNever) return `The page is not kept. ${why}`.trim();
  if (isTimed) return `The page is kept for ${seconds} s, whatever is written.`;
  if (seconds !== Number.POSITIVE_INFINITY)
    return `The page is kept for at most ${seconds} s, because it reads the time.`;
  return "The page is kept until something that it has read changes.";
}
