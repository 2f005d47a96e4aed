// The end of the log in this process: read once for all who listen, and only while somebody does. A commit of this process
// wakes it; the version is compared four times a second, for those of other processes. The newest changes are kept in
// memory; a listener that is further behind reads the log itself.

import { isBefore } from "#content/history/cursor.ts";
import { writersOf } from "#content/history/entry.ts";
import type { App } from "#context.ts";
import type { Place } from "#storage/port.ts";
import { type FeedRow, findLastPlace, firstPlace, readTail } from "#storage/tables/history/feed.ts";
import type { WriterRow } from "#storage/tables/history/writers.ts";

export const pageSize = 500;
const lookMs = 250;
/** While a transaction is open that may still commit before what was found. */
const openMs = 20;
const maxKept = 2_000;

export interface Followed {
  row: FeedRow;
  writer: WriterRow | undefined;
  /** JSON of its forms, made once for all who get the same. */
  texts: Map<string, string>;
}

export interface Tail {
  /** The last change that was read. */
  place(): Place;
  /** Those after a place; undefined where memory does not reach back so far. */
  since(place: Place): Followed[] | undefined;
  /** Resolves once it knows where the log ends. */
  start(): Promise<void>;
  stop(): void;
}

type TailParts = Pick<App, "storage" | "log">;

export function createTail({ storage, log }: TailParts, onNews: () => void): Tail {
  let kept: Followed[] = [];
  /** Memory has all changes after this one. */
  let from: Place = firstPlace;
  let last: Place = firstPlace;
  let seen = -1;
  let starting: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  let isAskedAgain = false;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Timeout | undefined;
  let unwatch = () => {};

  async function read(): Promise<void> {
    seen = storage.version("changes");
    for (;;) {
      const { rows, isOpen } = await readTail(storage, last, pageSize);
      if (rows.length > 0) {
        await keep(rows);
        onNews();
      }
      if (isOpen && isRunning) soon ??= setTimeout(look, openMs).unref();
      if (rows.length < pageSize) return;
      await new Promise(setImmediate);
    }
  }

  async function keep(rows: readonly FeedRow[]): Promise<void> {
    const found = await follow({ storage }, rows);
    kept.push(...found);
    last = placeOf(found.at(-1) as Followed);
    if (kept.length <= maxKept) return;
    const dropped = kept.splice(0, kept.length - maxKept);
    from = placeOf(dropped.at(-1) as Followed);
  }

  function look(): void {
    clearTimeout(soon);
    soon = undefined;
    if (reading !== undefined) isAskedAgain = true;
    reading ??= read()
      .catch((error) => {
        seen = -1;
        log.warn({ err: error }, "the log of changes could not be read");
      })
      .finally(() => {
        reading = undefined;
        if (isAskedAgain && isRunning) look();
        isAskedAgain = false;
      });
  }

  return {
    place: () => last,
    since(place) {
      if (isBefore(place, from)) return undefined;
      let at = kept.length;
      while (at > 0 && isBefore(place, placeOf(kept[at - 1] as Followed))) at -= 1;
      return kept.slice(at);
    },
    start() {
      isRunning = true;
      starting ??= (async () => {
        last = (await findLastPlace(storage)) ?? firstPlace;
        from = last;
        kept = [];
        unwatch = storage.watch("changes", look);
        timer = setInterval(() => {
          if (storage.version("changes") !== seen) look();
        }, lookMs).unref();
        look();
      })().catch((error) => {
        // The next one tries again.
        starting = undefined;
        throw error;
      });
      return starting;
    },
    stop() {
      unwatch();
      clearInterval(timer);
      clearTimeout(soon);
      soon = undefined;
      starting = undefined;
      isRunning = false;
      kept = [];
    },
  };
}

export function placeOf({ row: { tx, seq } }: Followed): Place {
  return { tx, seq };
}

export async function follow({ storage }: Pick<App, "storage">, rows: readonly FeedRow[]): Promise<Followed[]> {
  const writers = await writersOf(storage, rows);
  return rows.map((row) => ({ row, writer: writers.get(row.writer), texts: new Map() }));
}
