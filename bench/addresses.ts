// A site with 10,000 pages and 10,000 redirects: who answers an address, and how much longer the server takes to start. And
// forms of the website, against creates by the API.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request } from "./load.ts";
import { cpuSeconds, finish, type Running, start } from "./processes.ts";
import { closeSite, openSite } from "./site.ts";
import { type Row, whole } from "./table.ts";
import { measureTurn, takeTurns, turnsRow } from "./turns.ts";

const pages = 10_000;
const starts = 8;

export async function benchAddresses(seconds: number, add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const site = (name: string) => ({ CAIRN_DATA: join(folder, name), CAIRN_LOG_LEVEL: "error" });
  const [small, large] = [site("small"), site("large")];
  await makeAddresses(small, 2);
  await makeAddresses(large, pages);
  const [few, many] = [{ ...noTime }, { ...noTime }];
  // In turns: on a machine that others use one start is not like the next.
  for (let round = 0; round < starts; round += 1) {
    await timeStart(small, few);
    await timeStart(large, many);
  }
  const { p50, p99 } = JSON.parse(await finish("bench/resolve.ts", [large.CAIRN_DATA, String(pages)])) as {
    p50: number;
    p99: number;
  };
  rmSync(folder, { recursive: true, force: true });
  add({
    workload: `who answers an address, ${whole(pages)} pages and as many redirects, p50 and p99`,
    cairn: `${p50.toFixed(1)}, ${p99.toFixed(1)} µs`,
    floor: "",
    ratio: "",
    bar: "p99 <= 30 µs",
    isMet: p99 <= 30,
  });
  add({
    workload: "start to the first page with them, against two, processor time",
    cairn: `${whole(many.cpu)} ms (clock ${whole(many.clock)})`,
    floor: `${whole(few.cpu)} ms (clock ${whole(few.clock)})`,
    ratio: "",
    bar: "+ 200 ms",
    isMet: many.cpu <= few.cpu + 200,
  });
  await benchForm(seconds, add);
}

async function makeAddresses(env: Record<string, string>, count: number): Promise<void> {
  const made = await finish("src/main.ts", ["key:create", "--name", "bench", "--json"], env);
  const { key } = JSON.parse(made) as { key: string };
  const server = await start("src/main.ts", ["serve", "--port", "0"], env);
  const template = { template: "{% layout none %}{{ page.title }}" };
  await send(server, key, "/api/templates/pages/plain", JSON.stringify(template), "application/json", "PUT");
  const all = Array.from({ length: count }, (_, n) => {
    return { id: `page-${n}`, title: `Page ${n}`, route: `/part${n % 10}/page-${n}`, template: "plain" };
  });
  await send(server, key, "/api/import/collections/builder-pages/json", JSON.stringify(all), "application/json");
  const lines = all.map(({ route }, n) => `/old/${n},${route},301`);
  await send(server, key, "/api/site/redirects/import", ["source,target,status", ...lines].join("\n"), "text/csv");
  await server.stop();
}

const noTime = { cpu: Number.POSITIVE_INFINITY, clock: Number.POSITIVE_INFINITY };

/** The least of all starts so far, in milliseconds. */
async function timeStart(env: Record<string, string>, least: { cpu: number; clock: number }): Promise<void> {
  const started = performance.now();
  const server = await start("src/main.ts", ["serve", "--port", "0"], env);
  await (await fetch(`${server.url}/part1/page-1`)).text();
  least.clock = Math.min(least.clock, performance.now() - started);
  least.cpu = Math.min(least.cpu, cpuSeconds(server.pid) * 1_000);
  await server.stop();
}

async function benchForm(seconds: number, add: (row: Row) => void): Promise<void> {
  const site = await openSite(100);
  const text = { type: "string", field: "text" };
  const json = "application/json";
  const properties = { name: text, message: text };
  await send(site.cairn, site.key, "/api/schemas", JSON.stringify({ id: "note", properties, required: [] }), json);
  const forms = { contact: { fields: ["name", "message"] } };
  await send(site.cairn, site.key, "/api/collections", JSON.stringify({ id: "notes", schema: "note", forms }), json);
  const body = "name=Ada&message=A+stone+on+a+hill+@N@";
  const asForm = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  for (const section of ["api", "forms"])
    await send(site.cairn, site.key, `/api/settings/${section}`, JSON.stringify({ rateLimit: 0 }), json, "PUT");
  const asJson = { "content-type": json, "x-api-key": site.key };
  const sent: Request = { method: "POST", path: "/forms/notes/contact", body };
  const note = JSON.stringify({ name: "Ada", message: "A stone on a hill @N@" });
  const created: Request = { method: "POST", path: "/api/collections/notes", body: note };
  const measure = (request: Request, headers: Record<string, string>) => (length: number) =>
    measureTurn(site.cairn, { requests: [request], headers, connections: 32, seconds: length });
  const turns = await takeTurns(
    { ours: measure(sent, asForm), floor: measure(created, asJson) },
    { rounds: 8, seconds: Math.max(1, Math.round(seconds / 4)) },
  );
  add(turnsRow("form sent, urlencoded, against a create by the API", turns, 0.8));
  await closeSite(site);
}

async function send(server: Running, key: string, path: string, body: string, type: string, method = "POST") {
  const headers = { "x-api-key": key, "content-type": type };
  const answer = await fetch(server.url + path, { method, headers, body });
  const answered = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${answered.slice(0, 500)}`);
}
