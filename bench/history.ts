// What the log of changes costs, on each engine: the same writes to three collections of one server, with `history` off, `trail`
// and `full`; reading objects that have 100 versions against objects that have one; and reading versions.
// The rounds of the three alternate. Compared is the processor time of the server for a request, the least of the rounds: on a
// machine that others use as well, rates say little. On PostgreSQL the database's own time is not part of it; its rates are.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../scripts/postgres.ts";
import { makeArticle, schema, writeArticles } from "./data.ts";
import { type Request, runLoad } from "./load.ts";
import { cpuSeconds, type Running, start } from "./processes.ts";
import { importOverHttp, prepare } from "./site.ts";
import { type Row, whole } from "./table.ts";
import type { BenchEngine } from "./undo.ts";

const rounds = 3;
const objects = 5_000;
/** Objects with many versions, and how many. */
const [lived, versions] = [20, 100];
const manyVersions = 1_000;
const modes = ["off", "trail", "full"] as const;
type Mode = (typeof modes)[number];
const bars: Record<string, Record<"trail" | "full", number>> = {
  create: { trail: 0.92, full: 0.88 },
  patch: { trail: 0.92, full: 0.85 },
  import: { trail: 0.92, full: 0.8 },
};
const readBar = 0.97;
/** Milliseconds. */
const versionBars = { list: 20, oldest: 5, properties: 10 };

/** Writes, and how many of them came in a second. */
interface Done {
  count: number;
  rate: number;
}

interface Bench {
  engine: BenchEngine;
  server: Running;
  key: string;
  headers: Record<string, string>;
  seconds: number;
  add(row: Row): void;
}

export async function benchHistory(engine: BenchEngine, seconds: number, add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-history-"));
  const cluster = engine === "postgres" ? await startCluster() : undefined;
  const env: Record<string, string> = {
    CAIRN_DATA: join(folder, "data"),
    CAIRN_LOG_LEVEL: "error",
    ...(cluster && { CAIRN_DATABASE_URL: cluster.url }),
  };
  const key = await prepare(env);
  const server = await start("src/main.ts", ["serve", "--port", "0"], env);
  try {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const bench: Bench = { engine, server, key, headers, seconds, add };
    const file = join(folder, "articles.json");
    await writeArticles(file, 0, objects);
    await benchReads(bench, file);
    await benchWrites(bench, file);
  } finally {
    await server.stop();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask({ server, headers }: Bench, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(server.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

function makeCollection(bench: Bench, id: string, history: Mode): Promise<unknown> {
  return ask(bench, "POST", "/api/collections", { id, schema: schema.id, history });
}

async function send({ server, headers, seconds }: Bench, requests: Request[]): Promise<Done> {
  const load = { url: server.url, headers, requests, connections: 32, seconds };
  const { rate, requests: count, errors } = await runLoad(load);
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return { count, rate };
}

/** Microseconds of the processor in the server for each, and how many a second. */
interface Cost {
  cost: number;
  rate: number;
}

async function costOf({ server }: Bench, work: () => Promise<Done>): Promise<Cost> {
  const before = cpuSeconds(server.pid);
  const { count, rate } = await work();
  return { cost: ((cpuSeconds(server.pid) - before) / count) * 1e6, rate };
}

function better(one: Cost, other: Cost | undefined): Cost {
  return other ? { cost: Math.min(one.cost, other.cost), rate: Math.max(one.rate, other.rate) } : one;
}

const show = ({ cost, rate }: Cost) => `${whole(cost)} µs, ${whole(rate)}/s`;
const articlePath = (collection: string, n: number) => `/api/collections/${collection}/${makeArticle(n).id}`;

const works: Record<string, (bench: Bench, collection: string, file: string) => Promise<Done>> = {
  async import({ server, key }, collection, file) {
    return { count: objects, rate: await importOverHttp(server.url, key, file, collection) };
  },
  create(bench, collection) {
    const { id: _, ...article } = makeArticle(1);
    const body = JSON.stringify({ ...article, id: "new-@N@" });
    return send(bench, [{ method: "POST", path: `/api/collections/${collection}`, body }]);
  },
  patch: (bench, collection) =>
    send(
      bench,
      Array.from({ length: 1_000 }, (_, n) => ({
        ...{ method: "PATCH", path: articlePath(collection, n), body: '{"status":"state-@N@"}' },
      })),
    ),
};

async function benchWrites(bench: Bench, file: string): Promise<void> {
  const best = new Map<string, Cost>();
  for (let round = 0; round <= rounds; round += 1) {
    const nameOf = (mode: Mode) => `log-${mode}-${round}`;
    for (const mode of modes) await makeCollection(bench, nameOf(mode), mode);
    for (const [work, run] of Object.entries(works)) {
      for (const mode of modes) {
        const found = await costOf(bench, () => run(bench, nameOf(mode), file));
        // The first round warms up.
        if (round > 0) best.set(`${work} ${mode}`, better(found, best.get(`${work} ${mode}`)));
      }
    }
  }
  for (const work of Object.keys(works)) {
    const without = best.get(`${work} off`) as Cost;
    for (const mode of ["trail", "full"] as const) {
      const found = best.get(`${work} ${mode}`) as Cost;
      const ratio = bench.engine === "postgres" ? found.rate / without.rate : without.cost / found.cost;
      const bar = bars[work]?.[mode] ?? 1;
      bench.add({
        workload: `${work}, history ${mode} against off, on ${bench.engine}`,
        ...{ cairn: show(found), floor: show(without), ratio: ratio.toFixed(2) },
        ...{ bar: `>= ${bar}`, isMet: ratio >= bar },
      });
    }
  }
}

async function benchReads(bench: Bench, file: string): Promise<void> {
  for (const name of ["lived", "fresh"]) {
    await makeCollection(bench, name, "full");
    await importOverHttp(bench.server.url, bench.key, file, name);
  }
  const patch = (n: number, step: number) => ask(bench, "PATCH", articlePath("lived", n), { price: step });
  for (let n = 0; n < lived; n += 1)
    for (let step = 1; step < (n === 0 ? manyVersions : versions); step += 1) await patch(n, step);
  const reads: Record<string, (collection: string) => Request[]> = {
    get: (collection) => Array.from({ length: lived }, (_, n) => ({ method: "GET", path: articlePath(collection, n) })),
    // Different each time, so that no kept page answers.
    list: (collection) =>
      Array.from({ length: 2_000 }, (_, n) => ({
        ...{ method: "GET", path: `/api/collections/${collection}?limit=20&offset=${n}&sort=published` },
      })),
  };
  for (const [name, requestsOf] of Object.entries(reads)) {
    const best = new Map<string, Cost>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const collection of ["lived", "fresh"]) {
        const found = await costOf(bench, () => send(bench, requestsOf(collection)));
        if (round > 0) best.set(collection, better(found, best.get(collection)));
      }
    }
    const [ours, floor] = [best.get("lived") as Cost, best.get("fresh") as Cost];
    const ratio = floor.cost / ours.cost;
    bench.add({
      workload: `${name} of objects with ${versions} versions against one, on ${bench.engine}`,
      ...{ cairn: show(ours), floor: show(floor), ratio: ratio.toFixed(2) },
      ...{ bar: `>= ${readBar}`, isMet: ratio >= readBar },
    });
  }
  await benchVersions(bench);
}

async function benchVersions(bench: Bench): Promise<void> {
  const history = (n: number) => `/api/history/lived/${makeArticle(n).id}`;
  const pages = async () => {
    // At most 100 in one answer.
    let path = `${history(0)}?limit=100`;
    for (let count = 0; count < manyVersions; ) {
      const answer = await fetch(bench.server.url + path, { headers: bench.headers });
      const { data, meta } = (await answer.json()) as { data: unknown[]; meta?: { cursor?: string } };
      count += data.length;
      if (!meta?.cursor) return;
      path = `${history(0)}?limit=100&cursor=${encodeURIComponent(meta.cursor)}`;
    }
  };
  const all = (await ask(bench, "GET", `${history(1)}?limit=100`)) as { change: string }[];
  const oldest = all.at(-1)?.change;
  const timings: [string, () => Promise<unknown>, number][] = [
    [`list ${whole(manyVersions)} versions`, pages, versionBars.list],
    [`read the oldest of ${versions} versions`, () => ask(bench, "GET", `${history(1)}/${oldest}`), versionBars.oldest],
    ["who last changed each property", () => ask(bench, "GET", `${history(1)}/properties`), versionBars.properties],
  ];
  for (const [workload, run, bar] of timings) {
    const times: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const began = performance.now();
      await run();
      times.push(performance.now() - began);
    }
    times.sort((one, other) => one - other);
    const [least, median] = [times[0] as number, times[20] as number];
    bench.add({
      workload: `${workload}, on ${bench.engine}`,
      cairn: `${least.toFixed(1)} ms, p50 ${median.toFixed(1)} ms`,
      ...{ floor: "", ratio: "", bar: `<= ${bar} ms`, isMet: least <= bar },
    });
  }
}
