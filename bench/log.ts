// The log of changes at work, on each engine: lists in a log of millions of changes, which SQL puts there; a stream with many
// clients; and writers while the log is sealed and pruned. `--changes` says how many changes there are, `--clients` how many
// clients.

import { get } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { inParallel } from "#base/in-parallel.ts";
import { makeArticle, writeArticles } from "./data.ts";
import {
  articlePath,
  compare,
  type LogSite,
  makeCollection,
  micros,
  onLogSite,
  quantile,
  ratioText,
  send,
  type Work,
} from "./log-site.ts";
import { finish } from "./processes.ts";
import { importOverHttp } from "./site.ts";
import { whole } from "./table.ts";

const rounds = 30;
const versions = 100;
const fewChanges = 10_000;
/** Written in one transaction. */
const slice = 1_000_000;
/** Records that are sealed, and then pruned. */
const sealed = 20_000;
const bars = { list: 1.2, stream: 300, core: 0.5, writers: 1.3 };
const name = "logged";

export interface LogSize {
  changes: number;
  clients: number;
}

type Given = Pick<LogSite, "engine" | "seconds" | "add">;

export async function benchLog(given: Given, size: LogSize): Promise<void> {
  // Older than what is kept, so that they can be pruned; the first in the log, as such are.
  const old = Date.now() - 400 * 86_400_000;
  await onLogSite(
    given,
    async (site) => {
      await fillCollection(site);
      await benchStream(site, size.clients);
      await benchJobs(site);
    },
    (env) => addChanges({ ...given, env }, sealed, old),
  );
  await benchSize(given, size.changes);
}

/** A thousand objects; the first has a hundred versions. */
async function fillCollection(site: LogSite): Promise<void> {
  const file = join(site.folder, "articles.json");
  await writeArticles(file, 0, 1_000);
  await makeCollection(site, name, "full");
  await importOverHttp(site.server.url, site.key, file, name);
  for (let step = 1; step < versions; step += 1) await site.ask("PATCH", articlePath(name, 0), { price: step });
}

type Where = Pick<LogSite, "engine" | "env">;

/** Runs statements beside the server. */
async function beside({ engine, env }: Where, work: (run: (sql: string) => Promise<unknown>) => Promise<void>) {
  if (engine === "postgres") {
    const client = new Client({ connectionString: env.CAIRN_DATABASE_URL });
    await client.connect();
    await work(async (sql) => (await client.query(sql)).rows[0]).finally(() => client.end());
    return;
  }
  const database = new DatabaseSync(join(env.CAIRN_DATA as string, ".system", "cairn.db"), { timeout: 60_000 });
  // Keys of objects are mixed: without room for their pages each is written many times.
  database.exec("PRAGMA cache_size = -1000000");
  await work(async (sql) => database.prepare(sql).get()).finally(() => database.close());
}

/** Adds changes of objects that are gone, a hundred of each, mixed as writers mix them. `at`: milliseconds. */
async function addChanges(site: Where, count: number, at: number): Promise<void> {
  await beside(site, async (run) => {
    for (let from = 0; from < count; from += slice) {
      const to = Math.min(count, from + slice);
      const numbers =
        site.engine === "postgres"
          ? `SELECT n FROM generate_series(${from + 1}, ${to}) AS n`
          : `WITH RECURSIVE numbers (n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})
             SELECT n FROM numbers`;
      await run(`INSERT INTO changes (at, rid, rev, kind, flags, writer, collection, id, props, content)
        SELECT ${at}, 1000000 + (CAST(n AS BIGINT) * 7919) % ${Math.ceil(count / versions)}, 2, 2, 0, 1, '${name}', 'gone', '["price"]',
          '{"price":1}' FROM (${numbers}) AS numbers`);
      await sleep(10);
    }
  });
}

/** Two installations, whose logs differ in size alone, are asked in turns. */
async function benchSize(given: Given, changes: number): Promise<void> {
  const withLog = (count: number, bench: (site: LogSite) => Promise<void>) =>
    onLogSite(
      given,
      async (site) => {
        await fillCollection(site);
        await bench(site);
      },
      async (env) => {
        await addChanges({ ...given, env }, count, Date.now());
        if (given.engine === "postgres")
          await beside({ ...given, env }, async (run) => void (await run("VACUUM (ANALYZE) changes")));
      },
    );
  const lists: Record<string, string> = {
    [`list ${versions} versions of an object`]: `/api/history/${name}/${makeArticle(0).id}?limit=100`,
    "list 100 changes of all objects": "/api/changes?limit=100",
  };
  await withLog(fewChanges, (small) =>
    withLog(changes, async (large) => {
      for (const [workload, path] of Object.entries(lists)) {
        const requests = Array.from({ length: 100 }, () => ({ method: "GET", path }));
        const work = (site: LogSite): Work => ({ site, run: () => send(site, requests) });
        const { few, many } = await compare({ few: work(small), many: work(large) }, rounds);
        // The bar is on the time, and not on the speed.
        const ratio = 1 / many.ratio;
        const spread = [1 / many.spread[1], 1 / many.spread[0]] as const;
        given.add({
          workload: `${workload}, ${whole(changes)} changes in the log against ${whole(fewChanges)}, on ${given.engine}`,
          ...{ cairn: micros(many), floor: micros(few) },
          ...{ ratio: ratioText({ ...many, ratio, spread, clock: 1 / many.clock }) },
          ...{ bar: `<= ${bars.list}`, isMet: ratio <= bars.list },
        });
      }
    }),
  );
}

/** Clients that follow the collection. Each says which change it has seen. */
async function follow({ server, headers }: LogSite, count: number, onChange: (change: string) => void) {
  const requests: ReturnType<typeof get>[] = [];
  const open = () =>
    new Promise<void>((done, failed) => {
      const url = `${server.url}/api/changes/stream?collections=${name}&after=now`;
      const request = get(url, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return failed(new Error(`the stream answered ${response.statusCode}`));
        response.setEncoding("utf8");
        response.on("data", (text: string) => {
          for (const [, change] of text.matchAll(/"change":"(\d+)"/g)) onChange(change as string);
        });
        response.on("error", () => {});
        done();
      });
      request.on("error", failed);
      requests.push(request);
    });
  await inParallel(Array.from({ length: count }), 20, open);
  return () => {
    for (const request of requests) request.destroy();
  };
}

async function benchStream(site: LogSite, clients: number): Promise<void> {
  const writes = 5 * site.seconds;
  const seen = new Map<string, number[]>();
  const close = await follow(site, clients, (change) => {
    const times = seen.get(change) ?? [];
    seen.set(change, times);
    times.push(performance.now());
  });
  await sleep(2_000);
  const sent: number[] = [];
  const began = performance.now();
  const cpu = await site.cpuOf(async () => {
    for (let n = 0; n < writes; n += 1) {
      await site.ask("PATCH", articlePath(name, 1), { price: n });
      sent.push(performance.now());
      await sleep(200);
    }
    await sleep(2_000);
  });
  const cores = cpu / 1_000 / (performance.now() - began);
  close();
  const changes = [...seen.entries()].sort(([one], [other]) => Number(one) - Number(other)).map(([, times]) => times);
  const complete = changes.length === writes && changes.every(({ length }) => length === clients);
  const late = quantile(
    changes.flatMap((times, n) => times.map((time) => Math.max(0, time - (sent[n] as number)))),
    0.99,
  );
  site.add({
    workload: `stream to ${whole(clients)} clients, from the answer of a write to the client, p99, on ${site.engine}`,
    ...{ cairn: `${late.toFixed(0)} ms`, floor: "", ratio: complete ? "each once" : "NOT each once" },
    ...{ bar: `<= ${bars.stream} ms`, isMet: complete && late <= bars.stream },
  });
  site.add({
    workload: `- its processor time with 5 writes a second, on ${site.engine}`,
    ...{ cairn: `${cores.toFixed(2)} cores`, floor: "", ratio: "", bar: `<= ${bars.core}`, isMet: cores <= bars.core },
  });
}

/** Writers that run until they are stopped; how long each write took, by the moment at which it ended. */
function keepWriting(site: LogSite): { between(from: number, to: number): number[]; stop(): Promise<void> } {
  const done: { at: number; ms: number }[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isOver; n += 1) {
      const began = performance.now();
      await site.ask("PATCH", articlePath(name, 10 + writer * 10 + (n % 10)), { price: n });
      done.push({ at: performance.now(), ms: performance.now() - began });
    }
  });
  return {
    between: (from, to) => done.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms),
    async stop() {
      isOver = true;
      await Promise.all(writers);
    },
  };
}

async function benchJobs(site: LogSite): Promise<void> {
  const count = async (what: string): Promise<number> => {
    let found = 0;
    await beside(site, async (run) => {
      found = Number(((await run(what)) as { n: number }).n);
    });
    return found;
  };
  const seals = () => count("SELECT coalesce(sum(records), 0) AS n FROM seals");
  const emptied = () =>
    count("SELECT count(*) AS n FROM (SELECT 1 FROM changes WHERE content_hash IS NOT NULL LIMIT 1) AS found");
  const writing = keepWriting(site);
  const moment = () => performance.now();
  const quietMs = Math.max(5_000, 2_000 * site.seconds);
  try {
    await sleep(3_000);
    const quiet = [moment(), 0];
    await sleep(quietMs);
    quiet[1] = moment();
    // The server looks every minute.
    while ((await seals()) === 0) await sleep(50);
    const sealing = [moment(), 0];
    while ((await seals()) < sealed) await sleep(100);
    sealing[1] = moment();
    const after = [moment(), 0];
    await sleep(quietMs);
    after[1] = moment();
    // The command takes a second of the processor to start, which is not what is measured.
    const command = finish("src/main.ts", ["history:prune", "--json"], site.env);
    while ((await emptied()) === 0) await sleep(50);
    const pruning = [moment(), 0];
    const pruned = JSON.parse(await command) as { changes: number };
    if (pruned.changes < sealed) throw new Error(`${pruned.changes} changes were pruned, not ${sealed}`);
    pruning[1] = moment();
    await writing.stop();
    const p99 = ([from, to]: number[]) => quantile(writing.between(from as number, to as number), 0.99);
    // Whichever is worse: the machine itself changes meanwhile.
    const floor = Math.max(p99(quiet), p99(after));
    for (const [work, phase] of Object.entries({ sealed: sealing, pruned: pruning })) {
      const [ours, seconds] = [p99(phase), ((phase[1] as number) - (phase[0] as number)) / 1_000];
      const rate = `${whole(sealed / seconds)} records/s`;
      site.add({
        workload: `p99 of 8 writers while ${whole(sealed)} records are ${work} (${rate}), on ${site.engine}`,
        ...{ cairn: `${ours.toFixed(1)} ms`, floor: `${floor.toFixed(1)} ms`, ratio: (ours / floor).toFixed(2) },
        ...{ bar: `<= ${bars.writers}`, isMet: ours <= bars.writers * floor },
      });
    }
  } finally {
    await writing.stop();
  }
}
