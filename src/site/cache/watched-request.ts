// The request as a rendering sees it: whatever it looks at is recorded, also where the code that looks does not say so.

import type { PageRequest, SentRequest } from "#site/pages/page-request.ts";
import type { Recorder } from "#site/template/recorder.ts";
import { wholeSearch } from "./page-record.ts";
import type { ParameterOf } from "./page-store.ts";

/** What is needed to find a page in memory. */
export type PageAddress = Pick<PageRequest, "path" | "query" | "search" | "locale" | "wantsJson">;

/** Requests that differ in it have nothing in common. The method makes no difference: HEAD is GET without a body. */
export function pageKey({ path, locale, wantsJson }: PageAddress): string {
  return `${wantsJson ? "json" : "html"} ${locale} ${path}`;
}

/** Previews and refused forms are for one visitor, at one moment; data are for a caller with rights of its own. */
export function mayBeKept({ method, preview, sentForm, wantsJson, caller }: PageRequest): boolean {
  const isForOne = preview !== undefined || sentForm !== undefined || (wantsJson && caller !== undefined);
  return method !== "POST" && !isForOne;
}

/** `sentBy` is called only for pages that depend on headers or cookies. */
export function parametersOf(
  { query, search }: Pick<PageAddress, "query" | "search">,
  sentBy: () => SentRequest | undefined,
): ParameterOf {
  return (name) => {
    if (name === wholeSearch) return search;
    if (!name.startsWith(sentMark)) return query.get(name);
    const sent = sentBy();
    return sent && sentValue(sent, name);
  };
}

/** Before names of headers and cookies that a page depends on, as no name of a parameter begins. */
const sentMark = "\u0000";

export function sentName(place: "header" | "cookie", name: string): string {
  return `${sentMark}${place}:${name}`;
}

export function sentValue(sent: SentRequest, name: string): string | undefined {
  const [place = "", ...rest] = name.slice(sentMark.length).split(":");
  const values = place === "header" ? sent.headers() : sent.cookies();
  const key = rest.join(":");
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

export function watchRequest(request: PageRequest, recorder: Recorder): PageRequest {
  if (!mayBeKept(request)) return request;
  const readAll = () => recorder.parameter(wholeSearch, request.search);
  return {
    path: request.path,
    locale: request.locale,
    wantsJson: request.wantsJson,
    method: "GET",
    query: new WatchedQuery(request.query, recorder, readAll),
    everyParameter: () => request.query,
    get search() {
      readAll();
      return request.search;
    },
    get requestId() {
      recorder.never("It shows the id of its request.");
      return request.requestId;
    },
    visitor() {
      recorder.visitor();
      return request.visitor();
    },
    ...(request.sent && { sent: request.sent }),
    ...(request.caller && { caller: request.caller }),
    ...(request.notes && { notes: request.notes }),
  };
}

class WatchedQuery implements ReadonlyMap<string, string> {
  readonly #query: ReadonlyMap<string, string>;
  readonly #recorder: Recorder;
  readonly #readAll: () => void;

  constructor(query: ReadonlyMap<string, string>, recorder: Recorder, readAll: () => void) {
    this.#query = query;
    this.#recorder = recorder;
    this.#readAll = readAll;
  }

  get(name: string): string | undefined {
    const value = this.#query.get(name);
    this.#recorder.parameter(name, value);
    return value;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get size(): number {
    return this.#all().size;
  }

  forEach(visit: (value: string, key: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [name, value] of this.#all()) visit(value, name, this);
  }

  entries() {
    return this.#all().entries();
  }

  keys() {
    return this.#all().keys();
  }

  values() {
    return this.#all().values();
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  #all(): ReadonlyMap<string, string> {
    this.#readAll();
    return this.#query;
  }
}
