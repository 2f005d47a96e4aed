// Clients that read and write all the time, half of them on connections that they keep and half on new ones.

import { setTimeout as sleep } from "node:timers/promises";
import { http, repeats, type Server, send } from "../harness.ts";

/** Between two requests of a client: what is tried is that none fails, not how many there are. None in a soak run. */
const pauseMs = repeats(100, 0);

export interface Load {
  /** The status of each answer. */
  answers: number[];
  /** What went wrong with each request that has none, and the text of each refusal. */
  failures: string[];
  /** The slowest answer, in milliseconds. */
  longest: number;
  /** Requests that are under way; none of these promises rejects. */
  running: Set<Promise<void>>;
  stop(): Promise<void>;
}

/** Needs a collection "things" with a property "title" and an object "first". Lists may be refused as too many at once. */
export function beginLoad(target: (n: number) => Pick<Server, "url" | "key">, clients: number): Load {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  let isStopped = false;
  let sent = 0;
  const load: Load = {
    answers: [],
    failures: [],
    longest: 0,
    running: new Set(),
    async stop() {
      isStopped = true;
      await Promise.all(turns);
      agent.destroy();
    },
  };

  async function ask(isKept: boolean): Promise<void> {
    sent += 1;
    const n = sent;
    const { url, key } = target(n);
    const isWrite = n % 4 === 0;
    const headers = { "x-api-key": key, ...(!isKept && { connection: "close" }) };
    const path = `/api/collections/things${isWrite ? "" : "/first"}`;
    const options = { headers, ...(isWrite && { body: { title: `title ${n}` } }) };
    const started = performance.now();
    try {
      const { status, text } = await send(isKept ? agent : undefined, url, isWrite ? "POST" : "GET", path, options);
      load.answers.push(status);
      if (status >= 300) load.failures.push(`${n}: ${text}`);
      load.longest = Math.max(load.longest, performance.now() - started);
    } catch (error) {
      load.failures.push(`${n} ${isKept ? "kept" : "new"}: ${error}`);
    }
  }

  const turns = Array.from({ length: clients }, async (_, client) => {
    while (!isStopped) {
      const asking = ask(client % 2 === 0);
      load.running.add(asking);
      await asking;
      load.running.delete(asking);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  });
  return load;
}
