// What an operator plans by: requests a second and memory of one process, of workers, and of nodes that share a PostgreSQL. The
// client runs on the same machine, so the figures are those of the machine together with it.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, childrenOf, startCluster } from "../scripts/postgres.ts";
import { writeArticles } from "./data.ts";
import { type Request, runLoad } from "./load.ts";
import { type Running, start } from "./processes.ts";
import { importOverHttp, prepare } from "./site.ts";
import { type Row, whole } from "./table.ts";
import { type Read, readRequests, reads, type Write, writeRequests, writes } from "./workloads.ts";

interface Arrangement {
  about: string;
  isPostgres: boolean;
  nodes: number;
  workers: number;
}

const arrangements: readonly Arrangement[] = [
  { about: "one process, SQLite", isPostgres: false, nodes: 1, workers: 1 },
  { about: "2 workers, SQLite", isPostgres: false, nodes: 1, workers: 2 },
  { about: "one process, PostgreSQL", isPostgres: true, nodes: 1, workers: 1 },
  { about: "2 workers, PostgreSQL", isPostgres: true, nodes: 1, workers: 2 },
  { about: "3 nodes, PostgreSQL", isPostgres: true, nodes: 3, workers: 1 },
];
const connections = 32;
const warmSeconds = 4;
/** Three nodes, the database and the client. */
const coresOfNodes = 6;
const bar = 2.5;

type Env = Record<string, string>;

interface Filled {
  folder: string;
  key: string;
  objects: number;
  env: Env;
  cluster: Cluster | undefined;
}

export async function benchCapacity(objects: number, seconds: number, add: (row: Row) => void): Promise<void> {
  const gets = new Map<Arrangement, number>();
  for (const isPostgres of [false, true]) {
    const filled = await fill(objects, isPostgres);
    for (const arrangement of arrangements.filter((each) => each.isPostgres === isPostgres)) {
      const { rates, memories } = await measure(filled, arrangement, seconds);
      gets.set(arrangement, rates.get("get") ?? 0);
      add({
        workload: `requests a second of ${arrangement.about}, ${whole(objects)} objects: ${[...rates.keys()].join("; ")}`,
        ...{ cairn: [...rates.values()].map(whole).join("; "), floor: memories },
        ...{ ratio: "", bar: "", isMet: "not shown" },
      });
    }
    await filled.cluster?.stop();
    rmSync(filled.folder, { recursive: true, force: true });
  }
  const [one = 0, three = 0] = [1, 3].map((nodes) => gets.get(arrangements.find(isOf(nodes)) as Arrangement));
  add({
    workload: "get of 3 nodes against 1, on one PostgreSQL",
    ...{ cairn: `${whole(three)}/s`, floor: `${whole(one)}/s`, ratio: (three / one).toFixed(2), bar: `>= ${bar}` },
    isMet: availableParallelism() < coresOfNodes ? "not shown" : three >= bar * one,
  });
}

const isOf = (count: number) => (each: Arrangement) => each.isPostgres && each.workers === 1 && each.nodes === count;

async function fill(objects: number, isPostgres: boolean): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-capacity-"));
  const cluster = isPostgres ? await startCluster() : undefined;
  const env: Env = {
    ...{
      CAIRN_DATA: join(folder, "1"),
      CAIRN_LOG_LEVEL: "error",
      CAIRN_API_RATE_LIMIT: "0",
      CAIRN_ADMIN_BUILD: "false",
    },
    ...(cluster && { CAIRN_DATABASE_URL: cluster.url, CAIRN_SITE_KEY: "5".repeat(64) }),
  };
  const key = await prepare(env);
  const file = join(folder, "articles.json");
  await writeArticles(file, 0, objects);
  const server = await serve(env, 1);
  await importOverHttp(server.url, key, file);
  await server.stop();
  return { folder, key, objects, env, cluster };
}

const serve = (env: Env, workers: number) =>
  start("src/main.ts", ["serve", "--port", "0", "--workers", String(workers)], env);

interface Measured {
  rates: Map<string, number>;
  memories: string;
}

async function measure(filled: Filled, { nodes, workers }: Arrangement, seconds: number): Promise<Measured> {
  const { env, folder, key, objects, cluster } = filled;
  const servers: Running[] = [];
  // Each with a data directory of its own.
  for (let node = 1; node <= nodes; node += 1)
    servers.push(await serve({ ...env, CAIRN_DATA: join(folder, String(node)) }, workers));
  const loads = new Map<string, Request[]>();
  const ofRead = (name: string) => reads.find((read) => read.name === name) as Read;
  loads.set("get", readRequests(ofRead("get"), "varied", objects));
  loads.set("the same list", readRequests(ofRead("list"), "repeated", objects));
  loads.set("list that is not kept", readRequests(ofRead("list"), "varied", objects));
  for (const write of writes.slice(0, 2) as [Write, Write]) loads.set(write.name, writeRequests(write, objects));
  const rates = new Map<string, number>();
  for (const [name, requests] of loads) rates.set(name, await rateOf(servers, { key, requests, seconds }));
  const memoryOf = (pids: readonly number[]) => `${whole(pids.reduce((sum, pid) => sum + ownMemory(pid), 0))} MB`;
  const processes = servers.flatMap(({ pid }) => [pid, ...childrenOf(pid)]);
  const memories = [
    `${processes.length === 1 ? "process" : `${processes.length} processes`} ${memoryOf(processes)}`,
    ...(cluster ? [`database ${memoryOf(cluster.pids())}`] : []),
  ];
  for (const server of servers) await server.stop();
  return { rates, memories: memories.join("; ") };
}

interface Load {
  key: string;
  requests: Request[];
  seconds: number;
}

/** Of all servers together, each with a client of its own. */
async function rateOf(servers: readonly Running[], { key, requests, seconds }: Load): Promise<number> {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const each = Math.floor(connections / servers.length);
  const run = (duration: number) =>
    Promise.all(servers.map(({ url }) => runLoad({ url, headers, requests, connections: each, seconds: duration })));
  // The first questions over so many objects are slow, and some of them are refused.
  await run(warmSeconds);
  const measured = await run(seconds);
  const errors = measured.reduce((sum, one) => sum + one.errors, 0);
  if (errors > 0) throw new Error(`${errors} failed requests: ${requests[0]?.method} ${requests[0]?.path}`);
  return measured.reduce((sum, { rate }) => sum + rate, 0);
}

/** In megabytes; what processes share is divided among them. */
function ownMemory(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(found?.[1]) / 1024;
}
