// Metrics of all workers as one text. A worker that is scraped asks the first process, which collects the metrics
// of every worker and adds them up. Counters of a worker that has ended, or does not answer in time, keep their last known
// values in the sum: a falling sum would look like a restart.

import cluster, { type Worker } from "node:cluster";
import { temporarilyUnavailable } from "#base/errors.ts";
import { settleWithin } from "#base/settle-within.ts";
import { type Figures, type MetricsText, renderSum, sumFigures } from "./figures.ts";

/** Messages between a worker and the first process. */
interface Message {
  metrics?: "wanted" | "give" | "given" | "sum";
  id: number;
  figures?: Figures;
}

const none: Figures = { requests: [], others: [] };
const answerMs = 2_000;
const sumMs = 5_000;

/** In a worker: answers for itself, and requests the sum. */
export function joinMetrics(own: () => Promise<Figures>): (ofSite: Figures) => Promise<MetricsText> {
  const waiting = new Map<number, (sum: Figures) => void>();
  let asked = 0;
  process.on("message", async ({ metrics, id, figures }: Message) => {
    if (metrics === "give") process.send?.({ metrics: "given", id, figures: await own() } satisfies Message);
    else if (metrics === "sum" && figures) waiting.get(id)?.(figures);
  });
  return async (ofSite) => {
    asked += 1;
    const id = asked;
    const answer = new Promise<Figures>((resolve) => waiting.set(id, resolve));
    process.send?.({ metrics: "wanted", id, figures: ofSite } satisfies Message);
    await settleWithin([answer], sumMs);
    waiting.delete(id);
    const sum = await Promise.race([answer, Promise.resolve(undefined)]);
    if (!sum) throw temporarilyUnavailable("The first process of the server did not answer.");
    return renderSum(sum);
  };
}

/** In the first process, from before its first worker. */
export function sumMetrics(): void {
  const known = new Map<number, Figures>();
  /** Of workers that have ended; added up when there are several. */
  const ended: Figures[] = [];
  let addedUp: Promise<void> = Promise.resolve();
  let asked = 0;
  const collections = new Map<number, (worker: Worker) => void>();

  async function collect(): Promise<void> {
    asked += 1;
    const id = asked;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[];
    const missing = new Set(workers);
    const all = new Promise<void>((resolve) => {
      collections.set(id, (worker) => {
        missing.delete(worker);
        if (missing.size === 0) resolve();
      });
    });
    for (const worker of workers) worker.send({ metrics: "give", id } satisfies Message);
    await settleWithin([all], answerMs);
    collections.delete(id);
  }

  cluster.on("message", async (worker, { metrics, id, figures = none }: Message) => {
    if (metrics === "given") {
      known.set(worker.id, figures);
      collections.get(id)?.(worker);
    } else if (metrics === "wanted") {
      await collect();
      const sum = await sumFigures([...known.values(), ...ended, figures]);
      if (worker.isConnected()) worker.send({ metrics: "sum", id, figures: sum } satisfies Message);
    }
  });
  cluster.on("exit", (worker) => {
    const { requests, others } = known.get(worker.id) ?? none;
    known.delete(worker.id);
    const lasting = others.filter(({ type }) => `${type}` === "counter" || `${type}` === "histogram");
    ended.push({ requests, others: lasting });
    // At any moment each of them is counted once.
    addedUp = addedUp.then(async () => {
      const parts = [...ended];
      const sum = await sumFigures(parts);
      ended.splice(0, parts.length, sum);
    });
  });
}
