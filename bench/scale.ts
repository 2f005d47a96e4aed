// Readers of single objects beside callers whose queries look at everything.
//   node bench/scale.ts [--objects 1000000] [--seconds 10]
// Eight callers without a credential, each from an address of its own (127.0.0.2 and on), ask one expensive thing again and
// again; two readers with a key get single objects. Told: the readers' p50 and p99 alone and beside, memory, the longest hold
// of the event loop, and how the expensive ones were answered.

import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { collection, makeArticle, writeArticles } from "./data.ts";
import { memory, start } from "./processes.ts";
import { importOverHttp, prepare } from "./site.ts";

const { values } = parseArgs({
  options: { objects: { type: "string", default: "1000000" }, seconds: { type: "string", default: "10" } },
});
const objects = Number(values.objects);
const seconds = Number(values.seconds);
const callers = 8;
const readers = 2;
const bars = { p99Ms: 50, ratio: 3 };

const folder = mkdtempSync(join(tmpdir(), "cairn-scale-"));
const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
const key = await prepare(env);
const server = await start("src/main.ts", ["serve", "--port", "0"], env);
const list = `/api/collections/${collection}`;

interface Asked {
  status: number;
  ms: number;
  text: string;
}

function ask(path: string, { agent, withKey = false }: { agent?: Agent; withKey?: boolean } = {}): Promise<Asked> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = get(
      `${server.url}${path}`,
      { ...(agent && { agent }), headers: withKey ? { "x-api-key": key } : {} },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => {
          if (text.length < 100_000) text += chunk;
        });
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - began, text }));
      },
    );
    sent.on("error", reject);
  });
}

async function settings(path: string, body: object, method: string): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** Single objects at random, until it is over; their times in order. */
async function readObjects(isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true });
  await Promise.all(
    Array.from({ length: readers }, async () => {
      while (!isOver()) {
        const { id } = makeArticle(Math.floor(Math.random() * objects));
        const { status, ms } = await ask(`${list}/${id}`, { agent, withKey: true });
        if (status !== 200) throw new Error(`a reader was answered ${status}`);
        times.push(ms);
      }
    }),
  );
  agent.destroy();
  return times.sort((a, b) => a - b);
}

const at = (times: number[], share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

async function longestHold(): Promise<string> {
  const { text } = await ask("/metrics", { withKey: true });
  const of = (by: string) => Number(new RegExp(`held_max_seconds\\{by="${by}"\\} (\\S+)`).exec(text)?.[1] ?? 0) * 1_000;
  return `${of("clock").toFixed(0)} / ${of("work").toFixed(0)}`;
}

async function beside(
  work: (caller: number, round: number) => string,
  withKey: boolean,
): Promise<{ times: number[]; statuses: string }> {
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;
  const counts = new Map<number, number>();
  const asking = Array.from({ length: callers }, async (_, caller) => {
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.0.${caller + 2}` });
    for (let round = 0; !isOver(); round++) {
      const { status } = await ask(work(caller, round), { agent, withKey }).catch(() => ({ status: 0 }));
      counts.set(status, (counts.get(status) ?? 0) + 1);
      // A refusal comes at once: nobody asks again without a breath.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    agent.destroy();
  });
  const times = await readObjects(isOver);
  await Promise.all(asking);
  return { times, statuses: [...counts].map(([status, count]) => `${status}: ${count}`).join(", ") };
}

/** None holds, and each looks into text that is not indexed. */
function conditions(caller: number, round: number): string {
  return Array.from({ length: 64 }, (_, n) => `body:contains:none${caller}x${round}x${n}`).join(",");
}

const words = ["stone", "river", "cloud", "winter"];
type Work = [name: string, path: (caller: number, round: number) => string, withKey?: boolean];
const works: Work[] = [
  ["sort by text that is not indexed", (caller, round) => `${list}?sort=body&offset=${caller * 1_000 + round}`],
  ["contains on text that is not indexed", (caller, round) => `${list}?filter[body][contains]=none${caller}x${round}`],
  ["search of a common word", (caller, round) => `${list}?search=${words[caller % 4]}&offset=${round * 7 + caller}`],
  ["deep offset", (caller, round) => `${list}?sort=price&offset=${objects - 1_000 - caller * 50 - round}`],
  ["all of these, by eight at once", (caller, round) => works[caller % 4]?.[1](caller, round) ?? list],
  ["64 conditions, with a key", (caller, round) => `${list}/query?include=${conditions(caller, round)}`, true],
  ["report", () => `/api/report/collections/${collection}/csv?fields=id,title`],
  ["export", () => `/api/export/collections/${collection}/json`, true],
];

try {
  await settings(`${list}/settings`, { publicOperations: ["read"] }, "PATCH");
  const file = join(folder, "articles.json");
  await writeArticles(file, 0, objects);
  const rate = await importOverHttp(server.url, key, file);
  console.log(`${objects} objects, imported at ${Math.round(rate)} a second`);
  let end = performance.now() + seconds * 1_000;
  const alone = await readObjects(() => performance.now() > end);
  await longestHold();
  console.log(
    "\n| beside | p50 ms | p50 / alone | p99 ms | p99 / alone | hold ms: clock / work | RSS MB | answers |\n|---|---|---|---|---|---|---|---|",
  );
  const told = (name: string, times: number[], hold: string, statuses: string) => {
    const ratio = at(times, 0.99) / at(alone, 0.99);
    const isMet = at(times, 0.99) <= bars.p99Ms && ratio <= bars.ratio;
    const rss = Math.round(memory(server.pid, "VmRSS"));
    console.log(
      `| ${name} | ${at(times, 0.5).toFixed(2)} | ${(at(times, 0.5) / at(alone, 0.5)).toFixed(1)} | ${at(times, 0.99).toFixed(2)} | ${ratio.toFixed(1)} ${isMet ? "" : "MISSED"} | ${hold} | ${rss} | ${statuses} |`,
    );
  };
  told("nothing", alone, await longestHold(), "");
  for (const [name, path, withKey = false] of works) {
    const { times, statuses } = await beside(path, withKey);
    told(name, times, await longestHold(), statuses);
  }
  end = performance.now() + seconds * 1_000;
  const rebuild = settings(`${list}/index`, {}, "PUT").catch((error) => console.log(String(error)));
  told("rebuild of the index", await readObjects(() => performance.now() > end), await longestHold(), "");
  await rebuild;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
