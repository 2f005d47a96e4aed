// What extensions cost the rest: reads beside one that misbehaves, a start with 20 of them, and reads with 20 enabled that nobody calls.
//   node bench/extensions.ts [--seconds 4] [--rounds 3] [--only faults,start,reads] [--faults throws,floods]
// Each pair is measured in turns. Of percentiles and times the least of the rounds counts: others use the machine as well.
// Reads have two figures. By the clock, as a client sees them. By the turns of the server: how long a read that arrives at any moment
// waits for the turn under way, in processor time of the main thread, so that other processes make no difference.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { collection, makeArticle } from "./data.ts";
import { runLoad } from "./load.ts";
import { cpuSeconds, finish, type Running, start } from "./processes.ts";
import { prepare } from "./site.ts";
import { printTable, type Row } from "./table.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "faults,start,reads" },
    faults: { type: "string", default: "" },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const chosen = new Set(values.only.split(","));
const bars = { faults: 2, crowd: 1, start: 150, reads: 0.98 };
const faults = ["throws", "loops", "exits", "fills", "floods", "logs", "asks", "answers"] as const;
/** It has no function for what its manifest names. */
const liar = "lies";
/** Those whose manifest is the harm: it is written again and again, and looked at. */
const manifests = ["climbs out of its folder", "asks for more in each version"] as const;
/** What the machine has beside the same load without an extension: no bar, but no extension can do better. */
const floors = ["a busy process", "100 connections that read one object"] as const;
/** Crowds of callers: their bar is the same crowd on a route of the service. */
const crowds: ReadonlySet<string> = new Set(["floods"]);
const many = 20;

const code = `export function register(cairn) {
  cairn.route("throws", async () => { throw new Error("as ordered"); });
  cairn.route("loops", async () => { for (;;); });
  cairn.route("exits", async () => { process.exit(3); });
  cairn.route("fills", async () => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())); });
  cairn.route("logs", async () => { for (let n = 0; n < 20_000; n += 1) cairn.log.info("line"); return { body: "x" }; });
  cairn.route("asks", async () => { await Promise.all(Array.from({ length: 5_000 }, () => cairn.store.get("x"))); return { body: "x" }; });
  cairn.route("answers", async () => ({ body: Array.from({ length: 20_000 }, (_, n) => ({ n, text: "a" + n })) }));
  cairn.route("floods", async () => { for (let n = 0; n < 50; n += 1) cairn.log.info("flood"); return { body: "x".repeat(1e5) }; });
}`;

function writeExtension(data: string, name: string, more: object = {}): void {
  const folder = join(data, "extensions", "bench", name);
  mkdirSync(folder, { recursive: true });
  const routes = faults.map((fault) => ({ name: fault, method: "GET", path: `/${fault}`, access: "public" }));
  const about = { id: `bench/${name}`, name, version: "1.0.0", api: 1, runtime: "node", entrypoint: "index.ts" };
  writeFileSync(join(folder, "extension.json"), JSON.stringify({ ...about, contributes: { routes }, ...more }));
  writeFileSync(join(folder, "index.ts"), name === liar ? "export function register() {}" : code);
}

function extensionNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `ext-${n}`);
}

interface Prepared {
  env: Record<string, string>;
  key: string;
}

const folder = mkdtempSync(join(tmpdir(), "cairn-extensions-"));
const serve = ({ env }: Prepared): Promise<Running> => start("src/main.ts", ["serve", "--port", "0"], env);

async function prepareSite(name: string, extensions: readonly string[]): Promise<Prepared> {
  const data = join(folder, name);
  const env = { CAIRN_DATA: data, CAIRN_LOG_LEVEL: "silent", CAIRN_ADMIN_BUILD: "false" };
  const settings = { api: { rateLimit: 0 }, extensions: { memoryLimit: 64 }, environment: "development" };
  mkdirSync(join(data, ".system"), { recursive: true });
  writeFileSync(join(data, ".system", "settings.json"), JSON.stringify(settings));
  const key = await prepare(env);
  for (const extension of extensions) {
    writeExtension(data, extension);
    await finish("src/main.ts", ["extension:enable", `bench/${extension}`, "--yes"], env);
  }
  const site = { env, key };
  const server = await serve(site);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  await fetch(`${server.url}/api/collections/${collection}`, {
    ...{ method: "POST", headers, body: JSON.stringify(makeArticle(1)) },
  });
  await server.stop();
  return site;
}

const path = `/api/collections/${collection}/${makeArticle(1).id}`;
const rows: Row[] = [];

const client = join(import.meta.dirname, "paced-client.ts");

interface Measured {
  /** Milliseconds by the clock. */
  p99: number;
  /** Milliseconds of the processor that a read waits for the turn under way: more in one of a hundred cases. */
  wait: number;
}

async function measureReads(server: Running, key: string, ms: number): Promise<Measured> {
  await takeTurns(server);
  const began = performance.now();
  const text = await finish(client, ["reads", server.url + path, key, String(ms)]);
  const turns = await takeTurns(server);
  return { p99: percentile(JSON.parse(text) as number[], 0.99), wait: waitFor(turns, performance.now() - began) };
}

const turnsFile = join(folder, "turns.json");

async function takeTurns({ pid }: Running): Promise<number[]> {
  rmSync(turnsFile, { force: true });
  process.kill(pid, "SIGUSR2");
  while (!existsSync(turnsFile)) await sleep(10);
  return JSON.parse(readFileSync(turnsFile, "utf8")) as number[];
}

/** Of all moments of the time, in one of a hundred more than this is left of a turn. */
function waitFor(turns: readonly number[], ms: number): number {
  const isLonger = (wait: number) => turns.reduce((sum, turn) => sum + Math.max(0, turn - wait), 0) > ms / 100;
  let wait = 0;
  while (isLonger(wait)) wait += 0.05;
  return wait;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

let written = 0;

function writeManifest(data: string, by: string): void {
  written += 1;
  const asksMore = { version: `1.0.${written}`, permissions: { hosts: [`host-${written}.example`] } };
  writeExtension(data, "ext-1", by === manifests[0] ? { entrypoint: "../ext-0/index.ts" } : asksMore);
}

/** Does harm until it is ended; resolves to the number of calls then. */
function doHarm({ url }: Running, { env, key }: Prepared, by: string): () => Promise<number> {
  if (by === floors[0]) {
    const busy = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
    return async () => {
      busy.kill();
      return 0;
    };
  }
  const address = by === liar ? `/api/ext/bench/${liar}/throws` : `/api/ext/bench/ext-0/${by}`;
  const load = { url, connections: 100, seconds, isElsewhere: true };
  if (by === floors[1]) {
    const running = runLoad({ ...load, headers: { "x-api-key": key }, requests: [{ method: "GET", path }] });
    return async () => (await running).requests;
  }
  if (by === "floods") {
    const running = runLoad({ ...load, headers: {}, requests: [{ method: "GET", path: address }] });
    return async () => (await running).requests;
  }
  const isManifest = manifests.some((one) => one === by);
  const asked = [isManifest ? "/api/extensions" : address, isManifest ? key : ""];
  const writing = isManifest ? setInterval(() => writeManifest(env.CAIRN_DATA ?? "", by), 20) : undefined;
  const calls = finish(client, ["calls", url + asked[0], asked[1] ?? "", String(seconds * 1_000)]);
  return async () => {
    clearInterval(writing);
    return Number(await calls);
  };
}

async function benchFaults(): Promise<void> {
  const site = await prepareSite("faults", [...extensionNames(2), liar]);
  const hook = { NODE_OPTIONS: `--import=${join(import.meta.dirname, "note-turns.ts")}`, TURNS: turnsFile };
  const server = await serve({ ...site, env: { ...site.env, ...hook } });
  await measureReads(server, site.key, 2_000);
  const asked = values.faults.split(",").filter(Boolean);
  const isAsked = (fault: string) => asked.length === 0 || asked.includes(fault);
  let crowd: Measured | undefined;
  const needsCrowd = asked.some((fault) => crowds.has(fault));
  const wanted = (by: string) => isAsked(by) || (needsCrowd && by === floors[1]);
  for (const by of [...floors, ...faults, liar, ...manifests].filter(wanted)) {
    const alone: Measured[] = [];
    const beside: Measured[] = [];
    let calls = 0;
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await measureReads(server, site.key, seconds * 1_000));
      const end = doHarm(server, site, by);
      beside.push(await measureReads(server, site.key, seconds * 1_000));
      calls += await end();
    }
    if (by === floors[1]) crowd = bestOf(beside);
    const isFloor = floors.some((floor) => floor === by);
    const isCrowd = crowds.has(by) && crowd !== undefined;
    addRows(`${isFloor ? by : `an extension that ${by}`} (${calls} calls)`, {
      ...{ beside: bestOf(beside), alone: isCrowd && crowd ? crowd : bestOf(alone) },
      bar: isFloor ? undefined : isCrowd ? bars.crowd : bars.faults,
    });
  }
  await server.stop();
}

function bestOf(all: readonly Measured[]): Measured {
  return { p99: Math.min(...all.map(({ p99 }) => p99)), wait: Math.min(...all.map(({ wait }) => wait)) };
}

function addRows(
  by: string,
  { beside, alone, bar }: { beside: Measured; alone: Measured; bar: number | undefined },
): void {
  const about = { p99: "p99 of reads, clock,", wait: "p99 of their wait, processor," } as const;
  for (const figure of ["p99", "wait"] as const) {
    const ratio = beside[figure] / alone[figure];
    rows.push({
      workload: `${about[figure]} beside ${by}`,
      ...{ cairn: `${beside[figure].toFixed(1)} ms`, floor: `${alone[figure].toFixed(1)} ms`, ratio: ratio.toFixed(2) },
      ...{ bar: bar === undefined ? "none" : `<= ${bar}`, isMet: bar === undefined || ratio <= bar },
    });
  }
}

const sites = new Map<number, Promise<Prepared>>();
function siteWith(extensions: number): Promise<Prepared> {
  const known = sites.get(extensions) ?? prepareSite(`with-${extensions}`, extensionNames(extensions));
  sites.set(extensions, known);
  return known;
}

async function benchStart(): Promise<void> {
  const best = new Map([0, many].map((count) => [count, Number.POSITIVE_INFINITY]));
  const threads = new Map<number, number>();
  for (let round = 0; round < 2 * rounds; round += 1)
    for (const count of [0, many]) {
      const site = await siteWith(count);
      const began = performance.now();
      const server = await serve(site);
      await fetch(`${server.url}${path}`, { headers: { "x-api-key": site.key } });
      best.set(count, Math.min(best.get(count) ?? 0, performance.now() - began));
      await sleep(500);
      threads.set(count, readdirSync(`/proc/${server.pid}/task`).length);
      await server.stop();
    }
  const [without = 0, withMany = 0] = best.values();
  rows.push({
    workload: `start to the first answer with ${many} extensions`,
    ...{
      cairn: `${withMany.toFixed(0)} ms`,
      floor: `${without.toFixed(0)} ms`,
      ratio: `+ ${(withMany - without).toFixed(0)} ms`,
    },
    ...{ bar: `<= + ${bars.start} ms`, isMet: withMany - without <= bars.start },
  });
  const [none = 0, idle = 0] = threads.values();
  rows.push({
    workload: `threads of the server with ${many} extensions that nobody called`,
    ...{ cairn: String(idle), floor: String(none), ratio: String(idle - none), bar: "0 more", isMet: idle <= none },
  });
}

/** Microseconds of the processor for a read. */
async function benchReads(): Promise<void> {
  const counts = [0, 1, many];
  const servers = await Promise.all(counts.map(async (count) => serve(await siteWith(count))));
  const best = counts.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, server] of servers.entries()) {
      const { key } = await siteWith(counts[at] ?? 0);
      const before = cpuSeconds(server.pid);
      const { requests } = await runLoad({
        ...{ url: server.url, headers: { "x-api-key": key }, connections: 16, seconds },
        requests: [{ method: "GET", path }],
      });
      const cost = ((cpuSeconds(server.pid) - before) * 1e6) / requests;
      if (round > 0) best[at] = Math.min(best[at] ?? 0, cost);
    }
  for (const [at, count] of counts.entries()) {
    if (at === 0) continue;
    const ratio = (best[0] ?? 0) / (best[at] ?? 1);
    rows.push({
      workload: `get one object with ${count} extensions enabled, processor time`,
      ...{ cairn: `${best[at]?.toFixed(0)} µs`, floor: `${best[0]?.toFixed(0)} µs`, ratio: ratio.toFixed(2) },
      ...{ bar: `>= ${bars.reads}`, isMet: ratio >= bars.reads },
    });
  }
  for (const server of servers) await server.stop();
}

try {
  if (chosen.has("faults")) await benchFaults();
  if (chosen.has("start")) await benchStart();
  if (chosen.has("reads")) await benchReads();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printTable("Extensions", rows);
if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
