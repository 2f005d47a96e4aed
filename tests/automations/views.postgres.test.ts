// A view must not miss a write whose transaction was still open when its build was taken from the queue.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";

let server: Server;
let slow: Client;

before(async () => {
  server = await startServer();
  slow = new Client({ connectionString: server.env.CAIRN_DATABASE_URL as string });
  await slow.connect();
});
after(async () => {
  await slow?.end();
  await server.stop();
});

const titles = async () => (await server.request("GET", "/api/dataviews/titles/data")).body as string[];

test("JOB-6, VIEW-2 a build begins after the writes that found it waiting, and follows those that take too long", async () => {
  await server.makeCollection({ id: "news", schema: "blog" });
  await server.request("POST", "/api/collections/news", { body: { id: "a", title: "before" } });
  const definition = `export default async (ctx) => (await ctx.objects.all("news")).map(({ title }) => title).sort()`;
  const view = { id: "titles", name: "titles", definition, dependencies: ["news"] };
  await server.request("POST", "/api/collections/dataviews", { body: view });
  assert.deepEqual(await titles(), ["before"]);

  // The writer: it finds the build that the other one has queued, and takes its time. Both times: soon enough, and not.
  for (const [at, pause] of [1_200, 4_500].entries()) {
    await slow.query("BEGIN");
    await slow.query("UPDATE objects SET doc = replace(doc, 'before', 'after') WHERE collection = 'news' AND id = 'a'");
    await server.request("POST", "/api/collections/news", { body: { id: `b${at}`, title: `later ${at}` } });
    await sleep(pause);
    await slow.query("COMMIT");
    await until(titles, ([first]) => first === "after");
    await server.request("PATCH", "/api/collections/news/a", { body: { title: "before" } });
    await until(titles, (found) => found.includes("before"));
  }
});
