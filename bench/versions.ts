// Reading the log of changes, on each engine: objects that have 100 versions against objects that have one, and versions
// themselves. A list of versions is also measured with a log of millions of changes, which SQL puts there.

import { join } from "node:path";
import { inParallel } from "#base/in-parallel.ts";
import { makeArticle, topicOf, writeArticles } from "./data.ts";
import type { Request } from "./load.ts";
import {
  articlePath,
  compare,
  type LogSite,
  makeCollection,
  median,
  micros,
  onLogSite,
  ratioText,
  send,
  type Work,
} from "./log-site.ts";
import { importOverHttp } from "./site.ts";

const rounds = 60;
const objects = 2_000;
/** Objects with many versions, and how many. */
const [lived, versions] = [20, 100];
const manyVersions = 1_000;
const readBar = 0.97;
/** Milliseconds. */
const bars = { list: 20, oldest: 5, properties: 10 };

export function benchVersions(given: Pick<LogSite, "engine" | "seconds" | "add">): Promise<void> {
  return onLogSite(given, async (site) => {
    const file = join(site.folder, "articles.json");
    await writeArticles(file, 0, objects);
    for (const name of ["lived", "fresh"]) {
      await makeCollection(site, name, "full");
      await importOverHttp(site.server.url, site.key, file, name);
    }
    await makeVersions(site);
    await benchReads(site);
    await benchLog(site);
  });
}

function makeVersions({ ask }: LogSite): Promise<void> {
  const patches = async (n: number) => {
    for (let step = 1; step < (n === 0 ? manyVersions : versions); step += 1)
      await ask("PATCH", articlePath("lived", n), { price: step });
  };
  return inParallel(
    Array.from({ length: lived }, (_, n) => n),
    lived,
    patches,
  );
}

async function benchReads(site: LogSite): Promise<void> {
  const each = (count: number, path: (n: number) => string): Request[] =>
    Array.from({ length: count }, (_, n) => ({ method: "GET", path: path(n) }));
  // Lists are different each time, so that no kept page answers.
  const reads: Record<string, (collection: string) => Request[]> = {
    get: (collection) => each(1_000, (n) => articlePath(collection, n % lived)),
    list: (collection) => each(250, (n) => `/api/collections/${collection}?limit=20&offset=${3 * n}&sort=published`),
    filter: (collection) =>
      each(250, (n) => `/api/collections/${collection}?limit=20&offset=${n}&filter%5Bstatus%5D=live&sort=price`),
    search: (collection) =>
      each(250, (n) => `/api/collections/${collection}?limit=${1 + (n % 5)}&search=${topicOf(n % 100)}`),
  };
  for (const [name, requestsOf] of Object.entries(reads)) {
    const work = (collection: string): Work => ({ site, run: () => send(site, requestsOf(collection)) });
    const { fresh, lived: ours } = await compare({ fresh: work("fresh"), lived: work("lived") }, rounds);
    site.add({
      workload: `${name} of objects with ${versions} versions against one, on ${site.engine}`,
      ...{ cairn: micros(ours), floor: micros(fresh), ratio: ratioText(ours) },
      ...{ bar: `>= ${readBar}`, isMet: ours.ratio >= readBar },
    });
  }
}

const historyOf = (n: number) => `/api/history/lived/${makeArticle(n).id}`;

/** All versions of the object that has most, at most 100 in one answer. */
async function listAll({ server, headers }: LogSite): Promise<void> {
  for (let path = `${historyOf(0)}?limit=100`, count = 0; ; ) {
    const answer = await fetch(server.url + path, { headers });
    const { data, meta } = (await answer.json()) as { data: unknown[]; meta: { cursor?: string } };
    count += data.length;
    if (!meta.cursor) {
      if (count !== manyVersions) throw new Error(`there are ${count} versions`);
      return;
    }
    path = `${historyOf(0)}?limit=100&cursor=${encodeURIComponent(meta.cursor)}`;
  }
}

async function benchLog(site: LogSite): Promise<void> {
  const all = (await site.ask("GET", `${historyOf(1)}?limit=100`)) as { change: string; at: string }[];
  const { change: oldest, at } = all.at(-1) as (typeof all)[0];
  const works: [string, () => Promise<unknown>, number][] = [
    [`list ${manyVersions} versions`, () => listAll(site), bars.list],
    [`read the oldest of ${versions} versions`, () => site.ask("GET", `${historyOf(1)}/${oldest}`), bars.oldest],
    [
      `the object as of the oldest of ${versions} versions`,
      () => site.ask("GET", `${articlePath("lived", 1)}?as_of=${encodeURIComponent(at)}`),
      bars.oldest,
    ],
    ["who last changed each property", () => site.ask("GET", `${historyOf(1)}/properties`), bars.properties],
  ];
  for (const [workload, run, bar] of works) {
    const times: number[] = [];
    // Warm, as the reads above are.
    for (let n = 0; n < 100; n += 1) await run();
    for (let n = 0; n < 40; n += 1) times.push((await site.cpuOf(run)) / 1_000);
    const cost = median(times);
    site.add({
      workload: `${workload}, processor time, on ${site.engine}`,
      cairn: `${cost.toFixed(1)} ms`,
      ...{ floor: "", ratio: "", bar: `<= ${bar} ms`, isMet: cost <= bar },
    });
  }
}
