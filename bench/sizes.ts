// Ten times as many objects against so many, on each engine: processor time of reads whose cost must not grow with the
// collection. Beside it what an operator plans by: how long filling, index builds, starts, backups and restores take, and the disk. The objects are
// short (0.6 kB), and are imported half a million at a time. Without a history nothing is sealed beside the reads.

import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startCluster } from "../scripts/postgres.ts";
import { collection, distinctStatuses, makeArticle, randomFrom, writeArticles } from "./data.ts";
import { type BenchEngine, compare, type LogSite, micros, onLogSite, ratioText, send, type Work } from "./log-site.ts";
import { finish, memory, start } from "./processes.ts";
import { importOverHttp } from "./site.ts";
import { whole } from "./table.ts";

const rounds = 20;
const growth = 1.3;
/** `fetch` waits for an answer no longer than five minutes, also on a busy machine. */
const atOnce = 500_000;
/** Of larger ones backup and restore are not timed: they move every row as often, and take as long for each. */
const backedUp = 1_000_000;
/** A server does no more than that, in microseconds of the processor, while nobody asks it. */
const idleMs = 2_000;
const idleMicros = 300_000;
const paragraphs = 1;
/** What the reads below sort and filter by: collections of more than five million objects get no index by themselves. */
const indexes = [
  ["--sort", "published:desc"],
  ["--equal", "status", "--sort", "price:desc"],
];

type Given = Pick<LogSite, "engine" | "seconds" | "add">;

interface Sized {
  site: LogSite;
  objects: number;
}

export function benchSizes(given: Given, { objects, history }: { objects: number; history: string }): Promise<void> {
  const onSite = (count: number, bench: (sized: Sized) => Promise<void>) =>
    onLogSite(
      given,
      (site) => bench({ site, objects: count }),
      (env, key) => prepareSize(given, { env, key, objects: count, history }),
    );
  return onSite(objects, (small) => onSite(objects * 10, (large) => benchReads(small, large)));
}

type Env = Record<string, string>;

interface Empty {
  env: Env;
  key: string;
  objects: number;
  history: string;
}

async function prepareSize({ engine, add }: Given, empty: Empty): Promise<void> {
  const { env, objects } = empty;
  // A total of millions takes PostgreSQL longer than a query may.
  env.CAIRN_QUERY_TIMEOUT = "PT60S";
  const tell = (workload: string, cairn: string) =>
    add({
      ...{ workload: `${workload}, ${whole(objects)} objects, on ${engine}`, cairn },
      ...{ floor: "", ratio: "", bar: "", isMet: "not shown" },
    });
  tell("objects imported a second, by half millions", (await fill(empty)).map(whole).join("; "));
  for (const shape of indexes) {
    const began = performance.now();
    await finish("src/main.ts", ["index:build", collection, ...shape], env);
    tell(`index:build ${shape.join(" ")}`, secondsSince(began));
  }
  const octets =
    engine === "sqlite" ? sizeOf(env.CAIRN_DATA as string) : await settle(env.CAIRN_DATABASE_URL as string);
  tell("disk", `${(octets / 1e9).toFixed(1)} GB`);
  const began = performance.now();
  const server = await serve(env);
  tell("start", secondsSince(began));
  tell("memory of the server after its start", `${whole(memory(server.pid, "VmRSS"))} MB`);
  await server.stop();
  if (objects <= backedUp) await timeBackups(engine, env, tell);
}

async function timeBackups(engine: BenchEngine, env: Env, tell: (what: string, how: string) => void): Promise<void> {
  const file = join(dirname(env.CAIRN_DATA as string), "whole.zip");
  let began = performance.now();
  await finish("src/main.ts", ["backup:create", file], env);
  tell("backup:create", `${secondsSince(began)}, ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  const cluster = engine === "postgres" ? await startCluster() : undefined;
  const other = {
    ...env,
    CAIRN_DATA: `${env.CAIRN_DATA}-restored`,
    ...(cluster && { CAIRN_DATABASE_URL: cluster.url }),
  };
  began = performance.now();
  await finish("src/main.ts", ["backup:restore-all", file], other);
  tell("backup:restore-all", secondsSince(began));
  await cluster?.stop();
  rmSync(other.CAIRN_DATA, { recursive: true });
  rmSync(file);
}

const serve = (env: Env) => start("src/main.ts", ["serve", "--port", "0"], env);

/** Objects a second, of each piece. */
async function fill({ env, key, objects, history }: Empty): Promise<number[]> {
  const server = await serve(env);
  await patch(`${server.url}/api/collections/${collection}/settings`, key, { history });
  const rates: number[] = [];
  const pieceAt = async (first: number) => {
    const file = join(dirname(env.CAIRN_DATA as string), `articles-${first}.json`);
    await writeArticles(file, first, Math.min(atOnce, objects - first), paragraphs);
    return file;
  };
  let next = pieceAt(0);
  for (let first = 0; first < objects; first += atOnce) {
    const file = await next;
    if (first + atOnce < objects) next = pieceAt(first + atOnce);
    rates.push(await importOverHttp(server.url, key, file));
    rmSync(file);
    console.error(`${whole(Math.min(first + atOnce, objects))} objects: ${whole(rates.at(-1) ?? 0)} a second`);
  }
  await server.stop();
  return rates;
}

async function patch(url: string, key: string, body: unknown): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}

async function benchReads(small: Sized, large: Sized): Promise<void> {
  // Different ones each time, so that no kept answer is sent.
  const reads: Record<string, [count: number, path: (random: (limit: number) => number, objects: number) => string]> = {
    get: [1_000, (random, objects) => `/${makeArticle(random(objects)).id}`],
    list: [250, (random) => `?limit=50&sort=published&order=desc&offset=${random(2_000)}`],
    "indexed filter": [
      250,
      (random) => {
        const status = distinctStatuses[random(distinctStatuses.length)];
        return `?limit=50&sort=price&filter%5Bstatus%5D=${status}&offset=${random(500)}`;
      },
    ],
  };
  // A server checks a large database beside its first requests, and seals the log of an import.
  for (const { site } of [small, large]) while ((await site.cpuOf(() => sleep(idleMs))) > idleMicros);
  // Its total is counted once, and kept.
  for (const { site, objects } of [small, large]) {
    const times: string[] = [];
    for (const status of distinctStatuses) {
      const began = performance.now();
      await site.ask("GET", `/api/collections/${collection}?limit=50&sort=price&filter%5Bstatus%5D=${status}`);
      times.push(`${status} ${secondsSince(began)}`);
    }
    const workload = `first list of each status, with its total, ${whole(objects)} objects, on ${site.engine}`;
    site.add({ workload, cairn: times.join("; "), floor: "", ratio: "", bar: "", isMet: "not shown" });
  }
  for (const [name, [count, path]] of Object.entries(reads)) {
    const work = ({ site, objects }: Sized): Work => ({
      site,
      run(round) {
        const random = randomFrom(round);
        const below = (limit: number) => Math.floor(random() * limit);
        const paths = Array.from({ length: count }, () => `/api/collections/${collection}${path(below, objects)}`);
        return send(
          site,
          paths.map((each) => ({ method: "GET", path: each })),
        );
      },
    });
    const { many, few } = await compare({ many: work(large), few: work(small) }, rounds);
    large.site.add({
      workload: `processor time of ${name}, ${whole(large.objects)} objects against ${whole(small.objects)}, on ${large.site.engine}`,
      ...{ cairn: micros(many), floor: micros(few), ratio: ratioText(few) },
      ...{ bar: `<= ${growth}`, isMet: few.ratio <= growth },
    });
  }
}

const secondsSince = (began: number) => `${((performance.now() - began) / 1_000).toFixed(1)} s`;

/** What PostgreSQL would do by itself in the next minutes, beside the reads. Resolves to the size of the database. */
async function settle(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
    const { rows } = await client.query<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
    return Number(rows[0]?.size);
  } finally {
    await client.end();
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
