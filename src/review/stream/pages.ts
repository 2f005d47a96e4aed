// Pages of the log for listeners that catch up. Many begin at the same place, after a restart or from the beginning, and then
// want the same pages: each is read once for all of them. A page is kept for a moment only, and never an empty one.

import { setImmediate } from "node:timers/promises";
import type { App } from "#context.ts";
import type { Place } from "#storage/port.ts";
import { readTail } from "#storage/tables/history/feed.ts";
import { type Followed, follow, pageSize } from "./tail.ts";

const keptMs = 1_000;
/** Each has up to 500 changes. */
const maxKept = 20;

export interface Pages {
  /** The next changes after a place. */
  read(place: Place): Promise<Followed[]>;
}

export function createPages({ storage }: Pick<App, "storage">): Pages {
  const kept = new Map<string, Promise<Followed[]>>();

  async function readAfter(place: Place): Promise<Followed[]> {
    const { rows } = await readTail(storage, place, pageSize);
    return follow({ storage }, rows);
  }

  function keep(key: string, page: Promise<Followed[]>): void {
    const drop = () => {
      if (kept.get(key) === page) kept.delete(key);
    };
    kept.set(key, page);
    page.then((changes) => changes.length === 0 && drop(), drop);
    setTimeout(drop, keptMs).unref();
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }

  return {
    async read(place) {
      await setImmediate();
      const key = `${place.tx}.${place.seq}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const page = readAfter(place);
      keep(key, page);
      return page;
    },
  };
}
