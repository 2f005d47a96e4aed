// A site with 10,000 pages and 10,000 redirects: who answers an address, and how much longer the server takes to start. And
// forms of the website, against creates by the API.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish, type Running, start } from "./processes.ts";
import { closeSite, measure, openSite } from "./site.ts";
import { type Row, whole } from "./table.ts";

const pages = 10_000;
const starts = 5;

export async function benchAddresses(seconds: number, add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  const { key } = JSON.parse(await finish("src/main.ts", ["key:create", "--name", "bench", "--json"], env)) as {
    key: string;
  };
  const few = await startTime(env);
  const server = await start("src/main.ts", ["serve", "--port", "0"], env);
  await makeAddresses(server, key);
  await server.stop();
  const many = await startTime(env);
  const { p50, p99 } = JSON.parse(await finish("bench/resolve.ts", [env.CAIRN_DATA, String(pages)])) as {
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
    workload: "start with them, against none",
    cairn: `${whole(many)} ms`,
    floor: `${whole(few)} ms`,
    ratio: "",
    bar: "+ 200 ms",
    isMet: many <= few + 200,
  });
  await benchForm(seconds, add);
}

async function makeAddresses(server: Running, key: string): Promise<void> {
  const template = { id: "pages/plain", template: "{% layout none %}{{ page.title }}" };
  await send(server, key, "/api/templates", JSON.stringify(template), "application/json");
  const all = Array.from({ length: pages }, (_, n) => {
    return { id: `page-${n}`, title: `Page ${n}`, route: `/part${n % 10}/page-${n}`, template: "plain" };
  });
  await send(server, key, "/api/import/collections/builder-pages/json", JSON.stringify(all), "application/json");
  const lines = all.map(({ route }, n) => `/old/${n},${route},301`);
  await send(server, key, "/api/site/redirects/import", ["source,target,status", ...lines].join("\n"), "text/csv");
}

/** The median, in milliseconds. */
async function startTime(env: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const started = performance.now();
    const server = await start("src/main.ts", ["serve", "--port", "0"], env);
    await (await fetch(`${server.url}/part1/page-1`)).text();
    times.push(performance.now() - started);
    await server.stop();
  }
  return times.sort((a, b) => a - b)[Math.floor(starts / 2)] as number;
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
  const sent = await measure(site, {
    requests: [{ method: "POST", path: "/forms/notes/contact", body }],
    seconds,
    target: "cairn",
    headers: asForm,
  });
  const created = await measure(site, {
    requests: [
      {
        method: "POST",
        path: "/api/collections/notes",
        body: JSON.stringify({ name: "Ada", message: "A stone on a hill @N@" }),
      },
    ],
    seconds,
    target: "cairn",
  });
  add({
    workload: "form sent, urlencoded, against a create by the API",
    cairn: `${whole(sent.rate)}/s, ${whole(sent.cpu)} µs`,
    floor: `${whole(created.rate)}/s, ${whole(created.cpu)} µs`,
    ratio: (sent.rate / created.rate).toFixed(2),
    bar: ">= 0.8",
    isMet: sent.rate >= 0.8 * created.rate,
  });
  await closeSite(site);
}

async function send(server: Running, key: string, path: string, body: string, type: string, method = "POST") {
  const headers = { "x-api-key": key, "content-type": type };
  const answer = await fetch(server.url + path, { method, headers, body });
  const answered = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${answered.slice(0, 500)}`);
}
