// One installation on one engine, for what is measured about the log of changes. The processor time is that of the server and
// of its database together: on a machine that others use as well, rates and durations say little.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inParallel } from "#base/in-parallel.ts";
import { startCluster } from "../scripts/postgres.ts";
import { makeArticle, schema } from "./data.ts";
import type { Request } from "./load.ts";
import { cpuBetween, cpuTimes, type Running, start } from "./processes.ts";
import { prepare } from "./site.ts";
import { type Row, whole } from "./table.ts";

export type BenchEngine = "sqlite" | "postgres";
export const engines: readonly BenchEngine[] = ["sqlite", "postgres"];
export type Mode = "off" | "trail" | "full";

export interface LogSite {
  engine: BenchEngine;
  folder: string;
  env: Record<string, string>;
  server: Running;
  key: string;
  headers: Record<string, string>;
  seconds: number;
  add(row: Row): void;
  /** The `data` of an answer; throws where the server refuses. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Microseconds of the processor that the work took, in the server and its database. */
  cpuOf(work: () => Promise<unknown>): Promise<number>;
}

/** `fill`: before the server starts. */
export async function onLogSite(
  { engine, seconds, add }: Pick<LogSite, "engine" | "seconds" | "add">,
  bench: (site: LogSite) => Promise<void>,
  fill?: (env: Record<string, string>, key: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-log-"));
  const cluster = engine === "postgres" ? await startCluster() : undefined;
  const env: Record<string, string> = {
    CAIRN_DATA: join(folder, "data"),
    CAIRN_LOG_LEVEL: "error",
    CAIRN_API_RATE_LIMIT: "0",
    // A build beside the first rounds would disturb them.
    CAIRN_ADMIN_BUILD: "false",
    ...(cluster && { CAIRN_DATABASE_URL: cluster.url }),
  };
  let server: Running | undefined;
  try {
    const key = await prepare(env);
    await fill?.(env, key);
    const running = await start("src/main.ts", ["serve", "--port", "0"], env);
    server = running;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const times = () => cpuTimes([running.pid, ...(cluster?.pids() ?? [])]);
    await bench({
      ...{ engine, folder, env, server: running, key, headers, seconds, add },
      async ask(method, path, body) {
        const answer = await fetch(running.url + path, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
        return text === "" ? {} : (JSON.parse(text) as { data: unknown }).data;
      },
      async cpuOf(work) {
        const before = times();
        await work();
        return cpuBetween(before, times());
      },
    });
  } finally {
    await server?.stop();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function makeCollection({ ask }: LogSite, id: string, history: Mode): Promise<unknown> {
  return ask("POST", "/api/collections", { id, schema: schema.id, history });
}

/** So many requests, 32 at a time: a fixed number, so that each turn is the same work however busy the machine is. */
export async function send({ server, headers }: LogSite, requests: readonly Request[]): Promise<number> {
  await inParallel(requests, 32, async ({ method, path, body }) => {
    const answer = await fetch(server.url + path, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  });
  return requests.length;
}

export const articlePath = (collection: string, n: number) => `/api/collections/${collection}/${makeArticle(n).id}`;

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

/** The average of the middle half, of ratios: twice as much and half as much even out. */
function centre(ratios: readonly number[]): number {
  const sorted = ratios.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return Math.exp(middle.reduce((sum, ratio) => sum + Math.log(ratio), 0) / middle.length);
}

/** Rounds before those that count: the compiler still works on the code. */
export const warmUp = 4;

/** One of some works that are compared. It resolves to the number of its steps. */
export interface Work {
  site: LogSite;
  run(round: number): Promise<number>;
}

/** What a work takes for one of its steps, measured in turns with others. */
export interface Compared {
  /** Microseconds of the processor. */
  cost: number;
  /** The first work's cost in units of this one's: of each round, and of these the middle half on average. */
  ratio: number;
  /** Half of the rounds had a ratio between these. */
  spread: readonly [number, number];
  /** The ratio by the clock, which also counts what waited for others on the machine. */
  clock: number;
}

interface Turn {
  cpu: number;
  clock: number;
}

async function turnOf({ site, run }: Work, round: number): Promise<Turn> {
  let steps = 1;
  const began = performance.now();
  const cpu = await site.cpuOf(async () => (steps = await run(round)));
  return { cpu: cpu / steps, clock: (performance.now() - began) / steps };
}

/**
 * The works take turns, each round in another order and every second one backwards: what a work leaves behind for the next one,
 * such as garbage, meets all of them. Each is compared with the first work within the same round, a second or so apart: what else
 * the machine does in that time meets both. Rounds that something disturbed do not count.
 */
export async function compare<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  rounds: number,
): Promise<Record<Name, Compared>> {
  const names = Object.keys(works) as Name[];
  const turns = new Map<Name, Turn[]>(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const place = round % 2 === 0 ? turn : names.length - 1 - turn;
      const name = names[(round + place) % names.length] as Name;
      const measured = await turnOf(works[name], round);
      if (round >= warmUp) turns.get(name)?.push(measured);
    }
  }
  const first = turns.get(names[0] as Name) as Turn[];
  const compared = names.map((name) => {
    const own = turns.get(name) as Turn[];
    const ratios = own.map(({ cpu }, round) => (first[round] as Turn).cpu / cpu);
    const clocks = own.map(({ clock }, round) => (first[round] as Turn).clock / clock);
    return [
      name,
      {
        ...{ cost: median(own.map(({ cpu }) => cpu)), ratio: centre(ratios), clock: centre(clocks) },
        spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      },
    ];
  });
  return Object.fromEntries(compared) as Record<Name, Compared>;
}

export const micros = ({ cost }: Pick<Compared, "cost">) => `${whole(cost)} µs`;

export function ratioText({ ratio, spread: [low, high], clock }: Compared): string {
  return `${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}; clock ${clock.toFixed(2)})`;
}
