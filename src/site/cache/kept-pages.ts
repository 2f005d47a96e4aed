// Answers requests for pages from memory while nothing that a page has read has changed, and renders it again when something has
// (decision 028). A page and state is rendered once, however many ask for it.

import { keepWithinLimit } from "#base/caches/kinds.ts";
import { createLru } from "#base/caches/lru.ts";
import { parseDuration } from "#base/durations.ts";
import { CairnError } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import { service } from "#lanes/caller.ts";
import type { PageRequest, SentRequest } from "#site/pages/page-request.ts";
import type { PageRecord } from "#site/template/recorder.ts";
import type { AnswerPage } from "#site/template/render-page.ts";
import type { Storage } from "#storage/port.ts";
import { isUnchangedByOwn, isUnmoved, isUntouched, recheck } from "./check-record.ts";
import { addPagesToRegistry, type Clearings, openClearings, type PageCounters } from "./clear-pages.ts";
import { beginRecord } from "./page-record.ts";
import { createPageStore, type KeptPage, type PageStore, type ParameterOf } from "./page-store.ts";
import { countRendering, createRenderLimit, type RenderLimit } from "./render-limit.ts";
import { type ServedPage, servedPage } from "./served-page.ts";
import { mayBeKept, type PageAddress, pageKey, parametersOf, watchRequest } from "./watched-request.ts";

const mebibyte = 1024 * 1024;
/** Paths of pages that turned out to be for one visitor alone, or not to be kept: their visitors do not wait for each other. */
const maxAlone = 10_000;

interface Made {
  page: ServedPage;
  record: PageRecord;
  /** Not for one visitor alone. */
  isForAll: boolean;
}

const nothing = { isForAll: false } as Made;

/** A check or a rendering that others wait for. */
interface Flight {
  /** Flights are numbered in the order of their start. */
  number: number;
  made: Promise<Made>;
}

interface KeptPages {
  store: PageStore;
  clearings: Clearings;
  limit: RenderLimit;
  counters: PageCounters;
  flights: Map<string, Flight>;
  started: number;
  alone: ReturnType<typeof createLru<true>>;
}

interface Parts {
  settings: App["settings"];
  storage: Storage;
}

const stateOf = perInstance((_storage: Storage): { pages?: KeptPages } => ({}));

/** In bytes. */
export function pageCapacity({ settings }: Pick<Parts, "settings">): number {
  return settings.get("site.cacheSize") * mebibyte;
}

export function keptPagesOf({ settings, storage }: Parts): KeptPages {
  const state = stateOf(storage);
  state.pages ??= openPages({ settings, storage });
  return state.pages;
}

function openPages({ settings, storage }: Parts): KeptPages {
  const store = createPageStore(() => pageCapacity({ settings }));
  const counters = { hits: 0, validations: 0, renderings: 0 };
  const clearings = openClearings(storage, store);
  addPagesToRegistry({ storage, store, counters, clearings, capacity: () => pageCapacity({ settings }) });
  return {
    store,
    clearings,
    limit: createRenderLimit(),
    counters,
    flights: new Map(),
    started: 0,
    alone: createLru(maxAlone),
  };
}

/**
 * The page, kept or rendered by `answer`. What `answer` closes over lives as long as the page: it must not hold on to one
 * request.
 */
export async function servePage(app: App, request: PageRequest, answer: AnswerPage): Promise<ServedPage> {
  if (!mayBeKept(request)) return (await render(app, request, answer)).page;
  const pages = keptPagesOf(app);
  if (!pages.clearings.isCurrent()) await pages.clearings.follow();
  const parameterOf = parametersOf(request, () => request.sent);
  return obtain(app, { pages, key: pageKey(request), request, answer, parameterOf });
}

/**
 * From memory, if nothing has to be asked for that. Callers have caught up with other servers, and ask for a page that may
 * be kept.
 */
export function findPage(
  app: App,
  address: PageAddress,
  sentBy: () => SentRequest | undefined,
): ServedPage | undefined {
  const kept = findKept(app, address, sentBy);
  return kept && countHit(app, keptPagesOf(app), kept);
}

/** The same, for callers that may leave it to another one: only a page that is sent is counted. */
export function findKept(app: App, address: PageAddress, sentBy: () => SentRequest | undefined): KeptPage | undefined {
  const pages = keptPagesOf(app);
  if (!pages.clearings.isCurrent()) return undefined;
  const kept = pages.store.find(pageKey(address), parametersOf(address, sentBy));
  return kept && isFresh(app, pages, kept) ? kept : undefined;
}

export function countSent(app: App, kept: KeptPage): void {
  countHit(app, keptPagesOf(app), kept);
}

function countHit({ clock }: App, pages: KeptPages, kept: KeptPage): ServedPage {
  pages.counters.hits += 1;
  kept.validAt = clock.now();
  return kept.page;
}

function isFresh({ storage, clock }: App, { counters }: KeptPages, kept: KeptPage): boolean {
  const { record, until } = kept;
  if (until !== Number.POSITIVE_INFINITY && until <= clock.now()) return false;
  if (record.isTimed) return isUnmoved(storage, record, "extensions");
  if (isUntouched(storage, record)) return true;
  // Many may ask while a check is under way.
  const version = storage.anyVersion?.();
  if (version === undefined || version === kept.doubted) return false;
  if (!isUnchangedByOwn(storage, record)) {
    kept.doubted = version;
    return false;
  }
  counters.validations += 1;
  return true;
}

/** It was right a moment ago, and the site allows that much delay. */
function mayBeStale({ settings, clock }: App, { validAt }: KeptPage): boolean {
  return clock.now() - validAt < (parseDuration(settings.get("site.stale")) ?? 0);
}

interface Asked {
  pages: KeptPages;
  key: string;
  request: PageRequest;
  answer: AnswerPage;
  parameterOf: ParameterOf;
}

async function obtain(app: App, asked: Asked): Promise<ServedPage> {
  const { pages, key, parameterOf } = asked;
  if (pages.alone.get(key)) return (await renderAndKeep(app, asked)).page;
  const arrived = pages.started;
  for (;;) {
    const kept = pages.store.find(key, parameterOf);
    if (kept && isFresh(app, pages, kept)) return countHit(app, pages, kept);
    const name = pages.store.distinguish(key, parameterOf);
    const joined = pages.flights.get(name);
    const { number, made } = joined ?? start(app, asked, name);
    if (kept && mayBeStale(app, kept)) {
      made.catch((error) => {
        if (error instanceof CairnError && error.word === "rate-limited") return;
        app.log.warn({ err: error, path: asked.request.path }, "a page could not be rendered");
      });
      return kept.page;
    }
    // What went wrong for another request may go well for this one.
    const { page, record, isForAll } = joined ? await made.catch(() => nothing) : await made;
    if (!joined) return page;
    if (!isForAll) return (await renderAndKeep(app, asked)).page;
    // What was read after this request came in is new enough for it; else the page is looked at again.
    if (number > arrived && matches(record, parameterOf)) return page;
  }
}

function start(app: App, asked: Asked, name: string): Flight {
  const { pages } = asked;
  pages.started += 1;
  const made = checkOrRender(app, asked).finally(() => pages.flights.delete(name));
  const flight = { number: pages.started, made };
  pages.flights.set(name, flight);
  return flight;
}

async function checkOrRender(app: App, asked: Asked): Promise<Made> {
  const { pages, key, parameterOf } = asked;
  for (let kept = pages.store.find(key, parameterOf); kept; kept = pages.store.find(key, parameterOf)) {
    const isOver = kept.until <= app.clock.now();
    const validAt = app.clock.now();
    if (!isOver && (await isStillRight(app, kept))) {
      kept.validAt = validAt;
      pages.counters.validations += 1;
      return { ...kept, isForAll: true };
    }
    pages.store.delete(kept);
  }
  return renderAndKeep(app, asked);
}

/** What cannot be asked for is rendered: that says what is wrong. */
async function isStillRight(app: App, { record }: KeptPage): Promise<boolean> {
  if (record.isTimed) return isUnmoved(app.storage, record, "extensions");
  return recheck(app, record).catch(() => false);
}

async function renderAndKeep(app: App, { pages, key, request, answer }: Asked): Promise<Made> {
  const version = pages.clearings.version();
  const made = await render(app, request, answer);
  const { page, record, isForAll } = made;
  if (!isForAll) {
    pages.alone.set(key, true);
    return made;
  }
  pages.alone.delete(key);
  if (page.etag === undefined || record.seconds <= 0 || pages.clearings.version() !== version) return made;
  const validAt = app.clock.now();
  const kept = pages.store.put(key, { page, record, validAt, until: validAt + record.seconds * 1_000 });
  if (kept) page.onEncoded = (bytes) => pages.store.grow(kept, bytes);
  keepWithinLimit(app.storage);
  return made;
}

async function render(app: App, request: PageRequest, answer: AnswerPage): Promise<Made> {
  const caller = (await request.renderer?.()) ?? service;
  const { limit } = keptPagesOf(app);
  return countRendering(app, caller, () => limit.run(caller, () => renderNow(app, request, answer)));
}

async function renderNow(app: App, request: PageRequest, answer: AnswerPage): Promise<Made> {
  keptPagesOf(app).counters.renderings += 1;
  const { recorder, finish } = beginRecord(app.storage);
  if (!mayBeKept(request)) recorder.never();
  const made = await answer(watchRequest(request, recorder), recorder);
  const record = finish();
  return {
    page: servedPage(app, made, record),
    record,
    isForAll: !made.isPrivate && !record.isPrivate && !record.isNever,
  };
}

function matches({ parameters }: PageRecord, parameterOf: ParameterOf): boolean {
  return parameters.every(([name, value]) => parameterOf(name) === value);
}
