// Undo of what one key wrote, 10,000 changes on each engine: the preview, and the job that applies it. Beside them stand the
// rates of the plain changes that were undone, in the same run. One in twenty was changed by another key since: a conflict.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "#base/in-parallel.ts";
import { makeArticle, writeArticles } from "./data.ts";
import { type LogSite, makeCollection, onLogSite } from "./log-site.ts";
import { finish, type Running } from "./processes.ts";
import { importOverHttp } from "./site.ts";
import { whole } from "./table.ts";

const changes = 10_000;
/** Of these so many are new objects, and so many deletions. */
const [created, deleted] = [1_000, 1_000];
const edited = changes / 20;
const rounds = 2;
const writers = 32;
const name = "undone";
const bars = { preview: 3, apply: { sqlite: 1_000, postgres: 500 } };

type Json = Record<string, unknown>;

/** Asks the server, by a key; throws where it refuses. */
type Ask = (method: string, path: string, body?: Json) => Promise<Json>;

function askerOf({ url }: Running, key: string): Ask {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  return async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return text === "" ? {} : (JSON.parse(text).data as Json);
  };
}

/** Seconds: by the clock, and of the processor in the server and its database. */
interface Spent {
  seconds: number;
  cpu: number;
}

const nothing: Spent = { seconds: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };

async function spent({ cpuOf }: LogSite, work: () => Promise<unknown>): Promise<Spent> {
  const began = performance.now();
  const cpu = (await cpuOf(work)) / 1e6;
  return { seconds: (performance.now() - began) / 1_000, cpu };
}

function less(one: Spent, other: Spent): Spent {
  return { seconds: Math.min(one.seconds, other.seconds), cpu: Math.min(one.cpu, other.cpu) };
}

function each(ns: readonly number[], work: (n: number) => Promise<unknown>): Promise<void> {
  return inParallel(ns, writers, async (n) => void (await work(n)));
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const objects = `/api/collections/${name}`;
const pathOf = (n: number) => `${objects}/${makeArticle(n).id}`;

async function write(ask: Ask, round: number): Promise<void> {
  const patched = changes - created - deleted;
  await each(numbers(0, patched), (n) => ask("PATCH", pathOf(n), { status: `s${round}` }));
  await each(numbers(patched, patched + deleted), (n) => ask("DELETE", pathOf(n)));
  await each(numbers(changes * 10, changes * 10 + created), (n) => ask("POST", objects, { ...makeArticle(n) }));
}

async function finished(ask: Ask, job: string): Promise<void> {
  for (;;) {
    const { status, result } = await ask("GET", `/api/jobs/${job}`);
    if (status === "succeeded") {
      const { failed } = result as { failed: unknown[] };
      if (failed.length > 0) throw new Error(`an undo failed: ${JSON.stringify(failed[0])}`);
      return;
    }
    if (status !== "queued" && status !== "running") throw new Error(`the job of the undo is ${status}`);
    await sleep(100);
  }
}

export async function benchUndo(given: Pick<LogSite, "engine" | "seconds" | "add">): Promise<void> {
  return onLogSite(given, bench);
}

async function bench(site: LogSite): Promise<void> {
  const { engine, server, key, folder, env, add } = site;
  const made = await finish("src/main.ts", ["key:create", "--name", "undone", "--json"], env);
  const other = JSON.parse(made) as { id: string; key: string };
  const [ask, askOther] = [askerOf(server, key), askerOf(server, other.key)];
  await makeCollection(site, name, "full");
  const file = join(folder, "articles.json");
  await writeArticles(file, 0, changes);
  await importOverHttp(server.url, key, file, name);
  const best = { write: nothing, preview: nothing, apply: nothing };
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const since = new Date().toISOString();
    best.write = less(best.write, await spent(site, () => write(askOther, round)));
    await each(numbers(0, edited), (n) => ask("PATCH", pathOf(n), { status: "mine" }));
    const body = { by: { key: other.id }, since };
    let plan: Json = {};
    const preview = await spent(site, async () => (plan = await ask("POST", "/api/undo", body)));
    const { reverted, deleted: gone, restored } = plan.summary as Record<string, number>;
    count = (reverted ?? 0) + (gone ?? 0) + (restored ?? 0);
    const { job } = await ask("POST", "/api/undo", { ...body, apply: plan.plan });
    const apply = await spent(site, () => finished(ask, job as string));
    best.preview = less(best.preview, preview);
    best.apply = less(best.apply, apply);
  }
  const [rate, plain] = [count / best.apply.seconds, changes / best.write.seconds];
  const cost = ({ cpu }: Spent, of: number) => `${whole((cpu / of) * 1e6)} µs`;
  add({
    workload: `undo of ${whole(changes)} changes on ${engine}, preview`,
    cairn: `${best.preview.seconds.toFixed(2)} s, ${cost(best.preview, changes)}`,
    floor: `${best.write.seconds.toFixed(2)} s, ${cost(best.write, changes)} to write them`,
    ratio: (best.preview.seconds / best.write.seconds).toFixed(2),
    bar: `<= ${bars.preview} s`,
    isMet: best.preview.seconds <= bars.preview,
  });
  add({
    workload: `- its ${whole(count)} objects applied`,
    cairn: `${whole(rate)}/s, ${cost(best.apply, count)}`,
    floor: `${whole(plain)}/s by ${writers} writers`,
    ratio: (rate / plain).toFixed(2),
    bar: `>= ${bars.apply[engine]}/s`,
    isMet: rate >= bars.apply[engine],
  });
}
