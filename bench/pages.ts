// Kept pages of the site: beside Fastify with the same bytes, and while their collection takes writes that do not matter to them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeArticle, schema } from "./data.ts";
import { start } from "./processes.ts";
import { closeSite, measure, openSite, type Site, type SiteMeasured } from "./site.ts";
import { type Row, whole } from "./table.ts";
import { measureTurn, takeTurns, turnsRow } from "./turns.ts";
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

  const kept = await benchAgainstFloor(site, { seconds, about: "kept page of 20 kB", bar: 0.6 }, add);
  await benchAgainstFloor(site, { seconds, about: "304 of a kept page", bar: 0.7, etag }, add);
  const moved = await whileWriting(site, () => ask(site, { seconds }));
  add(ratioRow("kept page, its collection moved, nothing it read, against a kept page", moved.measured, kept, 0.4));
  await benchMany(site, seconds, add);
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
): Promise<SiteMeasured> {
  const ours = await better(() => ask(site, asked));
  const floor = await better(() => ask(site, asked, "floor"));
  add(ratioRow(`${about}, against Fastify`, ours, floor, bar));
  return ours;
}

async function benchMany(site: Site, seconds: number, add: (row: Row) => void): Promise<void> {
  const idle = await ask(site, { seconds, connections: 100 });
  const { measured, renderings } = await whileWriting(site, () => ask(site, { seconds, connections: 100 }));
  add({
    workload: `p99 of 100 clients on a page while its collection takes ${writesPerSecond} writes a second, against none`,
    cairn: `${measured.p99.toFixed(2)} ms`,
    floor: `${idle.p99.toFixed(2)} ms`,
    ratio: (measured.p99 / idle.p99).toFixed(2),
    bar: "<= 2",
    isMet: measured.p99 <= 2 * idle.p99,
  });
  add({
    workload: "- its renderings",
    cairn: String(renderings),
    floor: "",
    ratio: "",
    bar: "0",
    isMet: renderings === 0,
  });
}

/** Writes to objects that the page does not show, and to a property that it does not read. */
async function whileWriting(site: Site, run: () => Promise<SiteMeasured>) {
  let isOver = false;
  async function write(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const due = performance.now() + 1_000 / writesPerSecond;
      const { id } = makeArticle(n % objects);
      await send(site, "PATCH", `/api/collections/${shown}/${id}`, { price: n });
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
  }
  const before = await renderingsOf(site);
  const writing = write();
  const measured = await run();
  isOver = true;
  await writing;
  return { measured, renderings: (await renderingsOf(site)) - before };
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
    const headers = { "x-api-key": site.key };
    return measureTurn(site.cairn, { requests, connections: 32, seconds: length, headers });
  };
  const turns = await takeTurns({ ours: get(true), floor: get(false) }, { rounds: 8, seconds: seconds / 4 });
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
