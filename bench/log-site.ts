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
  fill?: (env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-log-"));
  const cluster = engine === "postgres" ? await startCluster() : undefined;
  const env: Record<string, string> = {
    CAIRN_DATA: join(folder, "data"),
    CAIRN_LOG_LEVEL: "error",
    CAIRN_API_RATE_LIMIT: "0",
    ...(cluster && { CAIRN_DATABASE_URL: cluster.url }),
  };
  let server: Running | undefined;
  try {
    const key = await prepare(env);
    await fill?.(env);
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

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number;
}

/** How much processor time each of some works takes for one of its steps, measured in turns. */
export interface Compared {
  /** Microseconds a step. */
  cost: number;
  /** The first work's cost in units of this one's. */
  ratio: number;
}

/**
 * The works take turns, each round in another order, so that what else the machine does meets all of them. Of each the least
 * of the rounds counts: others on the machine can only add to it.
 */
export async function compare<Name extends string>(
  site: LogSite,
  works: Readonly<Record<Name, (round: number) => Promise<number>>>,
  rounds: number,
): Promise<Record<Name, Compared>> {
  const names = Object.keys(works) as Name[];
  const costs = new Map<Name, number[]>(names.map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] as Name;
      let steps = 0;
      const cpu = await site.cpuOf(async () => (steps = await works[name](round)));
      if (round > 0) costs.get(name)?.push(cpu / steps);
    }
  }
  const least = (name: Name) => Math.min(...(costs.get(name) as number[]));
  const first = least(names[0] as Name);
  const compared = names.map((name) => [name, { cost: least(name), ratio: first / least(name) }]);
  return Object.fromEntries(compared) as Record<Name, Compared>;
}

export const micros = ({ cost }: Pick<Compared, "cost">) => `${whole(cost)} µs`;
