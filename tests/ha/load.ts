// Writers that remember what was acknowledged, and read each write back through another node. Half of them ask the balancer, half the
// nodes themselves, in turn.

import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, http, send } from "../harness.ts";
import type { Site } from "./site.ts";

const patchesEach = 3;
/** After a refusal. */
const pauseMs = 200;

export interface Loss {
  /** The longest time without an acknowledged write, and the slowest answer, in milliseconds. */
  gap: number;
  slowest: number;
}

export interface Counts {
  acknowledged: number;
  refused: number;
  reads: number;
  /** Connections that ended with a node that was killed, without an answer. */
  cut: number;
}

export interface HaLoad {
  readonly counts: Counts;
  /** Neither success nor 503, or 503 of a node without Retry-After. */
  readonly surprises: string[];
  /** Answers that are older than an acknowledged write. */
  readonly stale: string[];
  /** Resolves when it is over and writes succeed again. `cuts`: connections of writes, and those to nodes themselves, may end without an answer. */
  watch(act: () => Promise<void>, cuts?: boolean): Promise<Loss>;
  stop(): Promise<void>;
  /** Acknowledged writes that are not there, and how many refused creates are. Before the end only what no call has looked at. */
  check(): Promise<{ lost: string[]; stored: number }>;
}

export interface LoadOptions {
  writers: number;
  /** Between two requests of a writer. */
  restMs?: number;
  /** Only by the balancer. */
  isBalanced?: boolean;
}

/** Of an object: the last number that was acknowledged, and the last that was tried. */
interface Written {
  acknowledged: number;
  tried: number;
  /** Nobody changes it any more. */
  isOver: boolean;
  isChecked: boolean;
}

/** Needs a site without the collection "things". */
export async function beginLoad(site: Site, options: LoadOptions): Promise<HaLoad> {
  const { writers, restMs = 5, isBalanced = false } = options;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  const counts: Counts = { acknowledged: 0, refused: 0, reads: 0, cut: 0 };
  const surprises: string[] = [];
  const stale: string[] = [];
  const known = new Map<string, Written>();
  const unknown: string[] = [];
  let isOver = false;
  let turn = 0;
  let times: number[] = [];
  let slowest = 0;
  let lastRefusal = "";
  let mayCut = false;

  function ask(isDirect: boolean, method: string, path: string, body?: object): Promise<Answer> {
    const direct = site.nodes.filter(({ isInUse }) => isInUse);
    turn += 1;
    const url = isDirect && direct.length > 0 ? direct[turn % direct.length]?.url : site.balancer.url;
    const headers = { "x-api-key": site.key };
    return send(agent, url as string, method, `/api/${path}`, { headers, ...(body && { body }) });
  }

  async function must(path: string, body: object): Promise<void> {
    const answer = await ask(false, "POST", path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  }

  /** The balancer says no more than 503 where it knows no node. */
  const isRefusal = ({ status, headers }: Answer, isDirect: boolean) =>
    status === 503 && (!isDirect || headers.get("retry-after") !== null);

  /** The balancer sends reads to another node. It also ends the client's connection with that of a write, when it had used both before. */
  function noteFailure(what: string, isExpected: boolean, error: Error): void {
    if (mayCut && isExpected) counts.cut += 1;
    else surprises.push(`${what}: ${error.message}`);
  }

  /** The answer when it is a success. */
  async function attempt(what: string, ...asked: Parameters<typeof ask>): Promise<Answer | undefined> {
    const began = performance.now();
    const answer = await ask(...asked).catch((error: Error) => error);
    const spent = performance.now() - began;
    slowest = Math.max(slowest, spent);
    if (answer instanceof Error) noteFailure(`${what} after ${Math.round(spent)} ms`, true, answer);
    else if (answer.status < 300) return answer;
    else if (isRefusal(answer, asked[0])) {
      counts.refused += 1;
      lastRefusal = answer.text;
    } else surprises.push(`${what}: ${answer.status} ${answer.text}`);
    await sleep(pauseMs);
    return undefined;
  }

  /** Asked again while it is refused. */
  async function get(id: string): Promise<Answer> {
    for (;;) {
      const answer = await ask(true, "GET", `collections/things/${id}`);
      if (answer.status !== 503) return answer;
      await sleep(pauseMs);
    }
  }

  async function readBack(isDirect: boolean, id: string, n: number): Promise<void> {
    const isList = n === patchesEach;
    const path = isList ? `collections/things?filter[tag]=${id}-${n}` : `collections/things/${id}`;
    const began = performance.now();
    const answer = await ask(isDirect, "GET", path).catch((error: Error) => error);
    slowest = Math.max(slowest, performance.now() - began);
    if (answer instanceof Error) noteFailure(`read ${id}`, isDirect, answer);
    else if (isRefusal(answer, isDirect)) return void (await sleep(pauseMs));
    else if (answer.status === 200 || answer.status === 404) {
      counts.reads += 1;
      const found = isList ? answer.body?.data?.[0]?.n : answer.body?.data?.n;
      if (found !== n) stale.push(`${path}: ${answer.status}, ${found} instead of ${n}`);
    } else surprises.push(`read ${id}: ${answer.status} ${answer.text}`);
  }

  async function writeOne(id: string, isDirect: boolean): Promise<void> {
    const made = await attempt(id, isDirect, "POST", "collections/things", { id, n: 0, tag: `${id}-0` });
    if (!made) return void unknown.push(id);
    const state = { acknowledged: 0, tried: 0, isOver: false, isChecked: false };
    known.set(id, state);
    await patchOne(id, isDirect, state);
    state.isOver = true;
  }

  async function patchOne(id: string, isDirect: boolean, state: Written): Promise<void> {
    for (let n = 0; ; ) {
      counts.acknowledged += 1;
      times.push(performance.now());
      await readBack(isDirect, id, n);
      n += 1;
      if (isOver || n > patchesEach) return;
      await sleep(restMs);
      state.tried = n;
      const change = { n, tag: `${id}-${n}` };
      if (!(await attempt(`${id} ${n}`, isDirect, "PATCH", `collections/things/${id}`, change))) return;
      state.acknowledged = n;
    }
  }

  await must("schemas", {
    id: "thing",
    properties: { id: { type: "string" }, n: { type: "number" }, tag: { type: "string" } },
    required: ["id"],
    index: ["tag"],
  });
  await must("collections", { id: "things", schema: "thing" });
  const work = Array.from({ length: writers }, async (_, writer) => {
    for (let n = 0; !isOver; n++) await writeOne(`w${writer}-${n}`, !isBalanced && writer % 2 === 1);
  });

  return {
    counts,
    surprises,
    stale,
    async watch(act, cuts = false) {
      times = [performance.now()];
      slowest = 0;
      mayCut = cuts;
      await act();
      const before = counts.acknowledged;
      for (const end = performance.now() + 120_000; counts.acknowledged < before + 50; await sleep(100))
        if (performance.now() > end) throw new Error(`no write succeeds any more: ${lastRefusal} ${surprises.at(-1)}`);
      mayCut = false;
      const gap = times.reduce((most, time, at) => Math.max(most, time - (times[at - 1] ?? time)), 0);
      return { gap, slowest };
    },
    async stop() {
      isOver = true;
      await Promise.all(work);
      agent.destroy();
    },
    async check() {
      const lost: string[] = [];
      const left = [...known].filter(([, state]) => state.isOver && (isOver || !state.isChecked));
      const look = async () => {
        for (let next = left.pop(); next; next = left.pop()) {
          const [id, state] = next;
          state.isChecked = true;
          const { status, body } = await get(id);
          const n = body?.data?.n;
          if (status !== 200 || !(n === state.acknowledged || n === state.tried))
            lost.push(`${id}: ${status}, ${n} instead of ${state.acknowledged}`);
        }
      };
      let stored = 0;
      const open = unknown.splice(0);
      const lookUnknown = async () => {
        for (let id = open.pop(); id !== undefined; id = open.pop()) if ((await get(id)).status === 200) stored += 1;
      };
      const some = Array.from({ length: 8 });
      await Promise.all(some.map(look));
      await Promise.all(some.map(lookUnknown));
      return { lost, stored };
    },
  };
}
