// One installation to measure: a data directory with the benchmark's collection, a server on it, and the floor beside it.

import { mkdtempSync, openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collection, makeArticle, schema, textSchema, texts, writeArticles } from "./data.ts";
import { type Load, type Measured, type Request, runLoad } from "./load.ts";
import { cpuSeconds, finish, memory, type Running, start } from "./processes.ts";

export interface Site {
  folder: string;
  env: Record<string, string>;
  key: string;
  cairn: Running;
  floor: Running;
  objects: number;
  /** How the filling went, over the HTTP import route. */
  filled: { rate: number; memoryEarly: number; memoryPeak: number };
}

export async function openSite(objects: number): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  const key = await prepare(env);
  const cairn = await start("src/main.ts", ["serve", "--port", "0"], env);
  const file = join(folder, "articles.json");
  await writeArticles(file, 0, objects);
  const samples: number[] = [];
  const watch = setInterval(() => samples.push(memory(cairn.pid, "VmRSS")), 50);
  const rate = await importOverHttp(cairn.url, key, file);
  clearInterval(watch);
  const memoryEarly = Math.max(...samples.slice(0, Math.ceil(samples.length / 3)));
  const memoryPeak = Math.max(...samples);
  const floor = await start("bench/floor.ts", ["serve", join(folder, "floor.db"), String(objects)]);
  const site = { folder, env, key, cairn, floor, objects, filled: { rate, memoryEarly, memoryPeak } };
  await compareBytes(site);
  return site;
}

export async function closeSite(site: Site): Promise<void> {
  await site.cairn.stop();
  await site.floor.stop();
  rmSync(site.folder, { recursive: true, force: true });
}

/** Key, schema and collection, by the command line; resolves to the key. */
export async function prepare(env: Record<string, string>): Promise<string> {
  const cli = (...args: string[]) => finish("src/main.ts", args, env);
  const { key } = JSON.parse(await cli("key:create", "--name", "bench", "--json")) as { key: string };
  const server = await start("src/main.ts", ["serve", "--port", "0"], env);
  await post(server.url, key, "/api/schemas", schema);
  for (const id of [collection, "other"]) await post(server.url, key, "/api/collections", { id, schema: schema.id });
  await post(server.url, key, "/api/schemas", textSchema);
  await post(server.url, key, "/api/collections", { id: texts, schema: textSchema.id });
  await server.stop();
  return key;
}

/** Objects a second. */
export async function importOverHttp(url: string, key: string, file: string, into = collection): Promise<number> {
  const form = new FormData();
  form.set("json", await openAsBlob(file, { type: "application/json" }), "articles.json");
  const started = performance.now();
  const answer = await fetch(`${url}/api/import/collections/${into}/json`, {
    method: "POST",
    headers: { "x-api-key": key },
    body: form,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the import answered ${answer.status}: ${text.slice(0, 500)}`);
  const { import_count } = JSON.parse(text) as { import_count: number };
  return import_count / ((performance.now() - started) / 1000);
}

export interface Asked {
  requests: Request[];
  connections?: number;
  seconds: number;
  target: "cairn" | "floor";
  /** In place of the API key. */
  headers?: Record<string, string>;
}

export interface SiteMeasured extends Measured {
  /** Processor time of the server, microseconds a request: steadier than the rate on a machine that others use too. */
  cpu: number;
}

/** Three seconds to warm up, then the measurement. */
export async function measure(site: Site, asked: Asked): Promise<SiteMeasured> {
  const { requests, connections = 32, seconds, target } = asked;
  const own = asked.headers ?? (target === "cairn" && { "x-api-key": site.key });
  const headers = { "content-type": "application/json", ...own };
  const { url, pid } = site[target];
  const load: Load = { url, headers, requests, connections, seconds };
  await runLoad({ ...load, seconds: 3 });
  const before = cpuSeconds(pid);
  const measured = await runLoad(load);
  if (measured.errors > 0) {
    const [first] = requests;
    throw new Error(`${measured.errors} failed requests on ${target}: ${first?.method} ${first?.path}`);
  }
  return { ...measured, cpu: ((cpuSeconds(pid) - before) / measured.requests) * 1e6 };
}

async function post(url: string, key: string, path: string, body: unknown): Promise<void> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

/** A floor that sends less than Cairn would flatter nobody. */
async function compareBytes({ cairn, floor, key, objects }: Site): Promise<void> {
  const path = `/api/collections/${collection}/${makeArticle(objects - 1).id}`;
  const ours = await (await fetch(cairn.url + path, { headers: { "x-api-key": key } })).text();
  const theirs = await (await fetch(floor.url + path)).text();
  if (ours.length !== theirs.length) throw new Error(`Cairn and the floor answer differently:\n${ours}\n${theirs}`);
}
