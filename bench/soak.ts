// Whether memory stands still: a mixed load of some 250 requests a second on a server as it is shipped, for twenty minutes. Six
// callers ask one thing after another with short pauses. Memory is VmRSS of the one process; image processes are apart.

import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "../scripts/postgres.ts";
import { collection, schema, writeArticles } from "./data.ts";
import { quantile } from "./log-site.ts";
import { finish, launcher, memory, type Running, start } from "./processes.ts";
import { importOverHttp } from "./site.ts";
import { createMix, type Found, filled, type SoakRequest } from "./soak-mix.ts";
import { type Row, whole } from "./table.ts";

const callers = 6;
const [leastPauseMs, mostPauseMs] = [10, 30];
const restMs = 100_000;
const bars = { growth: 1.05, peak: 300 };

interface Sample {
  /** Since the load began. */
  minute: number;
  server: number;
  images: number;
}

interface Site {
  server: Running;
  key: string;
  found: Found;
}

export async function benchSoak(minutes: number, add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-soak-"));
  // One address stands for all visitors.
  const env = {
    CAIRN_DATA: join(folder, "data"),
    CAIRN_LOG_LEVEL: "error",
    CAIRN_API_RATE_LIMIT: "0",
    CAIRN_ADMIN_BUILD: "false",
  };
  const site = await open(folder, env);
  try {
    const ready = memory(site.server.pid, "VmRSS");
    const { samples, took, wrong } = await load(site, minutes);
    const peak = memory(site.server.pid, "VmHWM");
    await sleep(Math.min(restMs, minutes * 10_000));
    report(add, { minutes, ready, samples, took, wrong, peak, rest: memory(site.server.pid, "VmRSS") });
  } finally {
    await site.server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function open(folder: string, env: Record<string, string>): Promise<Site> {
  await finish(launcher, ["site:init"], env);
  const { key } = JSON.parse(await finish(launcher, ["key:create", "--name", "soak", "--json"], env)) as {
    key: string;
  };
  const first = await start(launcher, ["serve", "--port", "0"], env);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const send = async (path: string, body?: unknown) => {
    const method = body ? "POST" : "GET";
    const answer = await fetch(first.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { data: { id: string; url?: string }[] };
  };
  await send("/api/schemas", schema);
  await send("/api/collections", { id: collection, schema: schema.id, history: "full" });
  const file = join(folder, "articles.json");
  await writeArticles(file, 0, filled);
  await importOverHttp(first.url, key, file);
  const ids = async (name: string) => (await send(`/api/collections/${name}?limit=100`)).data.map(({ id }) => id);
  const [walks, posts, people] = [await ids("walks"), await ids("journal"), await ids("people")];
  const found = {
    pages: [
      ...walks.map((id) => `/walks/${id}`),
      ...posts.map((id) => `/journal/${id}`),
      ...people.map((id) => `/people/${id}`),
    ],
    images: walks.map((id) => `/imageworks/walks/${id}/image.webp`),
  };
  await first.stop();
  return { server: await start(launcher, ["serve", "--port", "0"], env), key, found };
}

interface Loaded {
  samples: Sample[];
  /** Milliseconds by the name of the request. */
  took: Map<string, number[]>;
  /** Answers that were not expected, by name and status. */
  wrong: Map<string, number>;
}

async function load({ server, key, found }: Site, minutes: number): Promise<Loaded> {
  const next = createMix(found);
  const agent = new Agent({ keepAlive: true });
  const loaded: Loaded = { samples: [], took: new Map(), wrong: new Map() };
  const began = performance.now();
  const end = began + minutes * 60_000;
  const watch = setInterval(() => {
    const images = childrenOf(server.pid).reduce((sum, pid) => sum + sizeOf(pid), 0);
    const minute = (performance.now() - began) / 60_000;
    loaded.samples.push({ minute, server: sizeOf(server.pid), images });
    if (Math.floor(minute) > Math.floor(loaded.samples.at(-2)?.minute ?? 0))
      console.error(`minute ${Math.floor(minute)}: ${whole(sizeOf(server.pid))} MB, images ${whole(images)} MB`);
  }, 1_000);
  async function call(): Promise<void> {
    while (performance.now() < end) {
      const asked = next();
      const sent = performance.now();
      const status = await ask(agent, { url: server.url, key }, asked);
      const times = loaded.took.get(asked.name) ?? [];
      times.push(performance.now() - sent);
      loaded.took.set(asked.name, times);
      if (!asked.expects.includes(status)) {
        const name = `${asked.name} ${status}`;
        loaded.wrong.set(name, (loaded.wrong.get(name) ?? 0) + 1);
      }
      await sleep(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs));
    }
  }
  await Promise.all(Array.from({ length: callers }, call));
  clearInterval(watch);
  agent.destroy();
  return loaded;
}

/** The status; 0 where the connection broke. */
function ask(agent: Agent, { url, key }: { url: string; key: string }, asked: SoakRequest): Promise<number> {
  const { method, path, body, isVisitor } = asked;
  const headers = {
    ...(!isVisitor && { "x-api-key": key }),
    ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...asked.headers,
  };
  return new Promise((done) => {
    const sent = request(url + path, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => done(answer.statusCode ?? 0));
      answer.once("error", () => done(0));
    });
    sent.once("error", () => done(0));
    sent.end(body);
  });
}

function sizeOf(pid: number): number {
  try {
    return memory(pid, "VmRSS");
  } catch {
    return 0;
  }
}

interface Reported extends Loaded {
  minutes: number;
  ready: number;
  peak: number;
  rest: number;
}

function report(add: (row: Row) => void, { minutes, ready, samples, took, wrong, peak, rest }: Reported): void {
  const quarters = [0, 1, 2, 3].map((n) => {
    const own = samples.filter(({ minute }) => Math.floor((minute * 4) / minutes) === n);
    return own.reduce((sum, { server }) => sum + server, 0) / own.length;
  });
  const [, second = 0, , last = 0] = quarters;
  const requests = [...took.values()].reduce((sum, { length }) => sum + length, 0);
  add({
    workload: `memory under ${whole(requests / minutes / 60)} requests a second, ${minutes} minutes: last quarter against the second`,
    cairn: `${quarters.map(whole).join("; ")} MB`,
    ...{ floor: "", ratio: (last / second).toFixed(2), bar: `<= ${bars.growth}`, isMet: last <= bars.growth * second },
  });
  add({
    workload: "- at its peak; when ready; at rest afterwards",
    cairn: `${[peak, ready, rest].map(whole).join("; ")} MB`,
    ...{ floor: "", ratio: "", bar: `<= ${bars.peak} MB`, isMet: peak <= bars.peak },
  });
  add({
    workload: "- image processes together, at their peak",
    cairn: `${whole(Math.max(...samples.map(({ images }) => images)))} MB`,
    ...{ floor: "", ratio: "", bar: "", isMet: "not shown" },
  });
  const failed = [...wrong].filter(([name]) => / (0|5\d\d)$/.test(name));
  add({
    workload: `- ${whole(requests)} requests: broken or answered with 5xx; other answers than expected`,
    cairn: `${failed.reduce((sum, [, count]) => sum + count, 0)}; ${[...wrong].map(([name, count]) => `${name}: ${count}`).join(", ") || "none"}`,
    ...{ floor: "", ratio: "", bar: "0", isMet: failed.length === 0 },
  });
  for (const [name, times] of took)
    add({
      workload: `- ${name}, p50 and p99`,
      cairn: `${quantile(times, 0.5).toFixed(1)}, ${quantile(times, 0.99).toFixed(1)} ms (${whole(times.length)})`,
      ...{ floor: "", ratio: "", bar: "", isMet: "not shown" },
    });
}
