// Kept pages of the site: beside Fastify with the same bytes, and while their collection takes writes that do not matter to them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeArticle, schema } from "./data.ts";
import { median } from "./log-site.ts";
import { finish, start } from "./processes.ts";
import { closeSite, measure, openSite, type Site, type SiteMeasured } from "./site.ts";
import { type Row, whole } from "./table.ts";
import { measureTurn, type Turn, takeTurns, turnsRow } from "./turns.ts";
import { type Read, readRequests, reads } from "./workloads.ts";

const shown = "shown";
const objects = 200;
const writesPerSecond = 100;
const page = [{ method: "GET", path: "/page" }];
/** About 20 kB. */
const template =
  '{% layout none %}{% query l from "shown", sort: "id", limit: 10 %}{% for p in l %}<h2>{{ p.title }}</h2>{{ p.body }}{% endfor %}';

export async function benchPages(seconds: number, add: (row: Row) => void): Promise<void> {
  const site = await openSite(1_000);
  await makePages(site);
  const answer = await fetch(`${site.cairn.url}/page`, { headers: plain });
  const etag = answer.headers.get("etag") as string;
  const unchanged = await fetch(`${site.cairn.url}/page`, { headers: { ...plain, "if-none-match": etag } });
  const file = join(site.folder, "page.html");
  writeFileSync(file, await answer.text());
  await site.floor.stop();
  site.floor = await start("bench/floor-page.ts", [file, sentHeaders(answer), sentHeaders(unchanged)]);

  await benchAgainstFloor(site, { seconds, about: "kept page of 20 kB", bar: 0.6 }, add);
  await benchAgainstFloor(site, { seconds, about: "304 of a kept page", bar: 0.7, etag }, add);
  await benchBesideWrites(site, seconds, add);
  await benchApi(site, seconds, add);
  await closeSite(site);
}

const plain = { "accept-encoding": "identity" };

/** Without those that every server of Node adds. */
function sentHeaders({ headers }: Response): string {
  const added = new Set(["connection", "content-length", "date", "keep-alive"]);
  return JSON.stringify(Object.fromEntries([...headers].filter(([name]) => !added.has(name))));
}

interface Asked {
  seconds: number;
  connections?: number;
  etag?: string | undefined;
}

function ask(site: Site, { seconds, connections, etag }: Asked, target: "cairn" | "floor" = "cairn") {
  const headers: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
  return measure(site, { requests: page, seconds, target, headers, ...(connections && { connections }) });
}

async function better(run: () => Promise<SiteMeasured>): Promise<SiteMeasured> {
  const [first, second] = [await run(), await run()];
  return first.rate > second.rate ? first : second;
}

function ratioRow(workload: string, ours: SiteMeasured, floor: SiteMeasured, bar: number): Row {
  const speed = ({ rate, cpu }: SiteMeasured) => `${whole(rate)}/s, ${whole(cpu)} µs`;
  const ratio = ours.rate / floor.rate;
  return {
    workload,
    cairn: speed(ours),
    floor: speed(floor),
    ratio: ratio.toFixed(2),
    bar: `>= ${bar}`,
    isMet: ratio >= bar,
  };
}

async function benchAgainstFloor(
  site: Site,
  { about, bar, ...asked }: Asked & { about: string; bar: number },
  add: (row: Row) => void,
): Promise<void> {
  const ours = await better(() => ask(site, asked));
  const floor = await better(() => ask(site, asked, "floor"));
  add(ratioRow(`${about}, against Fastify`, ours, floor, bar));
}

/** In turns with the same without writes: a commit waits for a disk that others use too. */
async function benchBesideWrites(site: Site, seconds: number, add: (row: Row) => void): Promise<void> {
  const ask = (connections: number) => (length: number) =>
    measureTurn(site.cairn, { requests: page, connections, seconds: length, headers: {} });
  const written: number[] = [];
  const beside = (run: (length: number) => Promise<Turn>) => async (length: number) => {
    const { measured, rate } = await whileWriting(site, () => run(length));
    written.push(rate);
    return measured;
  };
  const before = await renderingsOf(site);
  const each = { rounds: 6, seconds: Math.max(1, Math.round(seconds / 2)) };
  const few = await takeTurns({ ours: beside(ask(32)), floor: ask(32) }, each);
  add(turnsRow("kept page, its collection moved, nothing it read, against a kept page", few, 0.4));
  const [alone, disturbed]: [number[], number[]] = [[], []];
  for (let round = 0; round <= each.rounds; round += 1) {
    const quiet = await tailOfMany(site, seconds);
    const { measured, rate } = await whileWriting(site, () => tailOfMany(site, seconds));
    if (round === 0) continue;
    written.push(rate);
    alone.push(quiet);
    disturbed.push(measured);
  }
  const ratio = median(disturbed.map((p99, round) => p99 / (alone[round] as number)));
  add({
    workload: `p99 of 100 clients on a page while its collection takes ${writesPerSecond} writes a second, against none`,
    cairn: `${median(disturbed).toFixed(2)} ms`,
    floor: `${median(alone).toFixed(2)} ms`,
    ratio: ratio.toFixed(2),
    bar: "<= 2",
    isMet: ratio <= 2,
  });
  const renderings = (await renderingsOf(site)) - before;
  add({
    workload: `- their renderings (${whole(Math.min(...written))} to ${whole(Math.max(...written))} writes a second)`,
    cairn: String(renderings),
    floor: "",
    ratio: "",
    bar: "0",
    isMet: renderings === 0,
  });
}

/** Not by wrk: it counts the wait of new connections, and each long answer as many. */
async function tailOfMany({ cairn }: Site, seconds: number): Promise<number> {
  const args = ["many", `${cairn.url}/page`, "", String(seconds * 1_000)];
  const times = (JSON.parse(await finish("bench/paced-client.ts", args)) as number[]).sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] as number;
}

/** Writes to a property that the page does not read, at an even rate. */
async function whileWriting<T>(site: Site, run: () => Promise<T>): Promise<{ measured: T; rate: number }> {
  let isOver = false;
  async function write(): Promise<number> {
    const began = performance.now();
    let count = 0;
    for (; !isOver; count += 1) {
      const { id } = makeArticle(count % objects);
      await send(site, "PATCH", `/api/collections/${shown}/${id}`, { price: count });
      const due = began + ((count + 1) * 1_000) / writesPerSecond;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
    return (count * 1_000) / (performance.now() - began);
  }
  const writing = write();
  const measured = await run();
  isOver = true;
  return { measured, rate: await writing };
}

async function renderingsOf({ cairn, key }: Site): Promise<number> {
  const text = await (await fetch(`${cairn.url}/metrics`, { headers: { "x-api-key": key } })).text();
  return Number(/^cairn_page_renderings (\d+)/m.exec(text)?.[1]);
}

/** In one process: what it has done before makes a larger difference than the site. */
async function benchApi(site: Site, seconds: number, add: (row: Row) => void): Promise<void> {
  const requests = readRequests(reads[0] as Read, "varied", site.objects);
  const get = (enabled: boolean) => async (length: number) => {
    await send(site, "PUT", "/api/settings/site", { enabled });
    // What the switch itself sets off is not what a request costs.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const headers = { "x-api-key": site.key };
    return measureTurn(site.cairn, { requests, connections: 32, seconds: length, headers });
  };
  const turns = await takeTurns(
    { ours: get(true), floor: get(false) },
    { rounds: 16, seconds: Math.max(1, Math.round(seconds / 4)) },
  );
  add(turnsRow("get by the API with the site on, against off", turns, 0.98));
}

async function makePages(site: Site): Promise<void> {
  await send(site, "POST", "/api/collections", { id: shown, schema: schema.id, publicOperations: ["read"] });
  for (let n = 0; n < objects; n += 1) await send(site, "POST", `/api/collections/${shown}`, makeArticle(n));
  const folder = join(site.folder, "data", "builder", "pages");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "bench.liquid"), template);
  const body = { id: "bench", title: "Bench", route: "/page", template: "bench" };
  await send(site, "POST", "/api/collections/builder-pages", body);
}

async function send({ cairn, key }: Site, method: string, path: string, body: unknown): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(cairn.url + path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
}
