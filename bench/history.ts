// What the log of changes costs those who write, on each engine: the same writes to collections of one server, with `history`
// off, `trail` and `full`, in turns.

import { join } from "node:path";
import { makeArticle, writeArticles } from "./data.ts";
import { type Request, runLoad } from "./load.ts";
import { articlePath, compare, type LogSite, type Mode, makeCollection, micros, onLogSite } from "./log-site.ts";
import { importOverHttp } from "./site.ts";

const rounds = 12;
const objects = 2_000;
const modes: readonly Mode[] = ["off", "trail", "full"];
const bars: Record<string, Record<"trail" | "full", number>> = {
  create: { trail: 0.92, full: 0.88 },
  patch: { trail: 0.92, full: 0.85 },
  import: { trail: 0.92, full: 0.8 },
};

export function benchHistory(given: Pick<LogSite, "engine" | "seconds" | "add">): Promise<void> {
  return onLogSite(given, async (site) => {
    const file = join(site.folder, "articles.json");
    await writeArticles(file, 0, objects);
    for (const [name, work] of Object.entries(works)) await benchWrite(site, name, work(site, file));
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
    const body = JSON.stringify({ ...article, id: "new-@N@" });
    return {
      isFilled: false,
      write: (collection) => send(site, [{ method: "POST", path: `/api/collections/${collection}`, body }]),
    };
  },
  patch: (site) => ({
    isFilled: true,
    write: (collection) =>
      send(
        site,
        Array.from({ length: 1_000 }, (_, n) => ({
          ...{ method: "PATCH", path: articlePath(collection, n), body: '{"status":"state-@N@"}' },
        })),
      ),
  }),
};

async function send({ server, headers, seconds }: LogSite, requests: Request[]): Promise<number> {
  const load = { url: server.url, headers, requests, connections: 32, seconds: Math.max(1, Math.round(seconds / 3)) };
  const { requests: count, errors } = await runLoad(load);
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return count;
}

async function benchWrite(site: LogSite, name: string, { isFilled, write }: { isFilled: boolean; write: Write }) {
  const nameOf = (mode: Mode, round: number) => `${name}-${mode}-${isFilled ? 0 : round}`;
  const file = join(site.folder, "articles.json");
  for (const mode of modes)
    for (let round = 0; round <= (isFilled ? 0 : rounds); round += 1) {
      await makeCollection(site, nameOf(mode, round), mode);
      if (isFilled) await importOverHttp(site.server.url, site.key, file, nameOf(mode, round));
    }
  const works = Object.fromEntries(
    modes.map((mode) => [mode, (round: number) => write(nameOf(mode, round))]),
  ) as Record<Mode, (round: number) => Promise<number>>;
  const found = await compare(site, works, rounds);
  for (const mode of ["trail", "full"] as const) {
    const bar = bars[name]?.[mode] ?? 1;
    const { ratio } = found[mode];
    site.add({
      workload: `${name}, history ${mode} against off, on ${site.engine}`,
      ...{ cairn: micros(found[mode]), floor: micros(found.off), ratio: ratio.toFixed(2) },
      ...{ bar: `>= ${bar}`, isMet: ratio >= bar },
    });
  }
}
