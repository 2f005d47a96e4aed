// What the log of changes costs those who write, on each engine: the same writes to collections of one server, with `history`
// off, `trail` and `full`, in turns.

import { join } from "node:path";
import { makeArticle, writeArticles } from "./data.ts";
import {
  articlePath,
  compare,
  type LogSite,
  type Mode,
  makeCollection,
  micros,
  onLogSite,
  ratioText,
  send,
  type Work,
  warmUp,
} from "./log-site.ts";
import { importOverHttp } from "./site.ts";

const objects = 1_000;
/** Of one turn. */
const numbers = Array.from({ length: 250 }, (_, n) => n);
const modes: readonly Mode[] = ["off", "trail", "full"];
const bars: Record<string, Record<"trail" | "full", number>> = {
  create: { trail: 0.92, full: 0.88 },
  patch: { trail: 0.92, full: 0.85 },
  import: { trail: 0.92, full: 0.8 },
};

export interface HistorySize {
  /** The writes that are wanted; all where none is named. */
  only: readonly string[];
  /** Many and short: see `compare`. */
  rounds: number;
}

export function benchHistory(
  given: Pick<LogSite, "engine" | "seconds" | "add">,
  { only, rounds }: HistorySize,
): Promise<void> {
  return onLogSite(given, async (site) => {
    const file = join(site.folder, "articles.json");
    await writeArticles(file, 0, objects);
    const wanted = Object.entries(works).filter(([name]) => only.length === 0 || only.includes(name));
    for (const [name, work] of wanted) await benchWrite(site, name, { ...work(site, file), rounds });
  });
}

/** Writes to a collection; resolves to how many. */
type Write = (collection: string) => Promise<number>;

const works: Record<string, (site: LogSite, file: string) => { isFilled: boolean; write: Write }> = {
  import: ({ server, key }, file) => ({
    isFilled: false,
    async write(collection) {
      await importOverHttp(server.url, key, file, collection);
      return objects;
    },
  }),
  create: (site) => {
    const { id: _, ...article } = makeArticle(1);
    return {
      isFilled: false,
      write: (collection) =>
        send(
          site,
          numbers.map((n) => ({
            ...{ method: "POST", path: `/api/collections/${collection}` },
            body: JSON.stringify({ ...article, id: `new-${n}` }),
          })),
        ),
    };
  },
  patch: (site) => {
    let step = 0;
    return {
      isFilled: true,
      write(collection) {
        step += 1;
        const body = JSON.stringify({ status: `state-${step}` });
        return send(
          site,
          numbers.map((n) => ({ method: "PATCH", path: articlePath(collection, n), body })),
        );
      },
    };
  },
};

interface Written {
  isFilled: boolean;
  write: Write;
  rounds: number;
}

async function benchWrite(site: LogSite, name: string, { isFilled, write, rounds }: Written) {
  const nameOf = (mode: Mode, round: number) => `${name}-${mode}-${isFilled ? 0 : round}`;
  const file = join(site.folder, "articles.json");
  for (const mode of modes)
    for (let round = 0; round < (isFilled ? 1 : warmUp + rounds); round += 1) {
      await makeCollection(site, nameOf(mode, round), mode);
      if (isFilled) await importOverHttp(site.server.url, site.key, file, nameOf(mode, round));
    }
  const works = Object.fromEntries(
    modes.map((mode) => [mode, { site, run: (round: number) => write(nameOf(mode, round)) }]),
  ) as Record<Mode, Work>;
  const found = await compare(works, rounds);
  for (const mode of ["trail", "full"] as const) {
    const bar = bars[name]?.[mode] ?? 1;
    const { ratio } = found[mode];
    site.add({
      workload: `${name}, history ${mode} against off, on ${site.engine}`,
      ...{ cairn: micros(found[mode]), floor: micros(found.off), ratio: ratioText(found[mode]) },
      ...{ bar: `>= ${bar}`, isMet: ratio >= bar },
    });
  }
}
