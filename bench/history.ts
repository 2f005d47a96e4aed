// What the log of changes costs: the same writes to three collections of one server, with `history` off, `trail` and `full`.
//   node bench/history.ts [--seconds 3] [--rounds 3] [--objects 5000] [--engine sqlite|postgres]
// The rounds of the three alternate. Compared is the processor time of the server for a request, the least of the rounds: on a
// machine that others use as well, rates say little. On PostgreSQL the database's own time is not part of it; its rates are.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startCluster } from "../scripts/postgres.ts";
import { makeArticle, schema, writeArticles } from "./data.ts";
import { type Request, runLoad } from "./load.ts";
import { cpuSeconds, start } from "./processes.ts";
import { importOverHttp, prepare } from "./site.ts";
import { printTable, type Row, whole } from "./table.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    objects: { type: "string", default: "5000" },
    engine: { type: "string", default: "sqlite" },
  },
});
const [seconds, rounds, objects] = [Number(values.seconds), Number(values.rounds), Number(values.objects)];
const modes = ["off", "trail", "full"] as const;
type Mode = (typeof modes)[number];
const bars: Record<string, Record<"trail" | "full", number>> = {
  create: { trail: 0.92, full: 0.88 },
  patch: { trail: 0.92, full: 0.85 },
  import: { trail: 0.92, full: 0.8 },
};

const folder = mkdtempSync(join(tmpdir(), "cairn-history-"));
const cluster = values.engine === "postgres" ? await startCluster() : undefined;
const env: Record<string, string> = {
  CAIRN_DATA: join(folder, "data"),
  CAIRN_LOG_LEVEL: "error",
  ...(cluster && { CAIRN_DATABASE_URL: cluster.url }),
};
const key = await prepare(env);
const server = await start("src/main.ts", ["serve", "--port", "0"], env);
const headers = { "x-api-key": key, "content-type": "application/json" };

const nameOf = (mode: Mode, round: number) => `log-${mode}-${round}`;

async function makeCollection(id: string, history: Mode): Promise<void> {
  const body = JSON.stringify({ id, schema: schema.id, history });
  const answer = await fetch(`${server.url}/api/collections`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the collection was answered with ${answer.status}: ${await answer.text()}`);
}

/** Writes, and how many of them came in a second. */
interface Done {
  count: number;
  rate: number;
}

async function send(requests: Request[]): Promise<Done> {
  const load = { url: server.url, headers, requests, connections: 32, seconds };
  const { rate, requests: count, errors } = await runLoad(load);
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return { count, rate };
}

const works: Record<string, (collection: string, file: string) => Promise<Done>> = {
  async import(collection, file) {
    return { count: objects, rate: await importOverHttp(server.url, key, file, collection) };
  },
  create(collection) {
    const { id: _, ...article } = makeArticle(1);
    const body = JSON.stringify({ ...article, id: "new-@N@" });
    return send([{ method: "POST", path: `/api/collections/${collection}`, body }]);
  },
  patch: (collection) =>
    send(
      Array.from({ length: 1_000 }, (_, n) => ({
        method: "PATCH",
        path: `/api/collections/${collection}/${makeArticle(n).id}`,
        body: '{"status":"state-@N@"}',
      })),
    ),
};

const file = join(folder, "articles.json");
await writeArticles(file, 0, objects);
/** By work and mode: microseconds of the processor for a write, and writes a second. */
const best = new Map<string, { cost: number; rate: number }>();
for (let round = 0; round <= rounds; round += 1) {
  for (const mode of modes) await makeCollection(nameOf(mode, round), mode);
  for (const [work, run] of Object.entries(works)) {
    for (const mode of modes) {
      const before = cpuSeconds(server.pid);
      const { count, rate } = await run(nameOf(mode, round), file);
      const cost = ((cpuSeconds(server.pid) - before) / count) * 1e6;
      // The first round warms up.
      if (round === 0) continue;
      const known = best.get(`${work} ${mode}`) ?? { cost, rate };
      best.set(`${work} ${mode}`, { cost: Math.min(cost, known.cost), rate: Math.max(rate, known.rate) });
    }
  }
}
await server.stop();
await cluster?.stop();
rmSync(folder, { recursive: true, force: true });

const nothing = { cost: 1, rate: 1 };
const rows = Object.keys(works).flatMap((work) =>
  (["trail", "full"] as const).map((mode): Row => {
    const [found, without] = [best.get(`${work} ${mode}`) ?? nothing, best.get(`${work} off`) ?? nothing];
    const ratio = cluster ? found.rate / without.rate : without.cost / found.cost;
    const bar = bars[work]?.[mode] ?? 1;
    const show = ({ cost, rate }: typeof nothing) => `${whole(cost)} µs, ${whole(rate)}/s`;
    const figures = { cairn: show(found), floor: show(without), ratio: ratio.toFixed(2) };
    return { workload: `${work}, ${mode}`, ...figures, bar: `>= ${bar}`, isMet: ratio >= bar };
  }),
);
printTable(`History against none, on ${values.engine}`, rows);
