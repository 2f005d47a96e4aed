// What comes along: a page of 50 with one `expand` against the same page without. Each object points to one of 500.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeArticle, schema } from "./data.ts";
import { runLoad } from "./load.ts";
import { cpuSeconds, start } from "./processes.ts";
import { prepare } from "./site.ts";
import type { Row } from "./table.ts";

const objects = 5_000;
const people = 500;

export async function benchRelations(seconds: number, add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  const key = await prepare(env);
  const { url, pid, stop } = await start("src/main.ts", ["serve", "--port", "0"], env);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const author = { type: "string", field: "text", reference: "people" };
  await post("/schemas", { ...schema, id: "story", properties: { ...schema.properties, author } });
  for (const [id, shape] of [
    ["people", schema.id],
    ["stories", "story"],
  ])
    await post("/collections", { id, schema: shape });
  const all = (count: number) => Array.from({ length: count }, (_, n) => makeArticle(n));
  await post("/import/collections/people/json", all(people));
  const stories = all(objects).map((story, n) => ({ ...story, author: makeArticle((n * 7) % people).id }));
  await post("/import/collections/stories/json", stories);

  const page = (n: number, more: string) => `/api/collections/stories?limit=50&sort=published&offset=${n}${more}`;
  const cost = async (kind: "repeated" | "varied", more: string): Promise<number> => {
    const offsets = kind === "repeated" ? [0] : Array.from({ length: 4_000 }, (_, n) => (n * 13) % (objects - 50));
    const requests = offsets.map((n) => ({ method: "GET" as const, path: page(n, more) }));
    const load = { url, headers, requests, connections: 16, seconds };
    await runLoad({ ...load, seconds: 2 });
    const before = cpuSeconds(pid);
    const { requests: answered, errors } = await runLoad(load);
    if (errors > 0) throw new Error(`${errors} failed requests: ${page(0, more)}`);
    return ((cpuSeconds(pid) - before) / answered) * 1e6;
  };
  for (const kind of ["repeated", "varied"] as const) {
    const without = await cost(kind, "");
    const expanded = await cost(kind, "&expand=author");
    add({
      workload: `list 50 with one expand, against the same without, processor time (${kind})`,
      cairn: `${Math.round(expanded)} µs`,
      floor: `${Math.round(without)} µs`,
      ratio: (expanded / without).toFixed(2),
      bar: "<= 2",
      isMet: expanded <= 2 * without,
    });
  }
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
