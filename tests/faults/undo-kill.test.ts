// Sudden death in the middle of an undo: the next start goes on, and nothing is undone twice.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";

const count = 1_500;
let server: Server;

before(async () => {
  server = await startServer();
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "note", properties: { a: text }, index: ["id"] });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

const importAll = async (value: string, query = "") => {
  const body = Array.from({ length: count }, (_, at) => ({ id: `n${at}`, a: `${value}${at}` }));
  const { status, text } = await server.request("POST", `/api/import/collections/notes/json${query}`, { body });
  assert.equal(status, 200, text);
  return (await server.request("GET", "/api/jobs?kind=import&limit=1")).body.data[0].id as string;
};

test("UND-12 an undo that is killed goes on where it was, and each object is undone once", async () => {
  await importAll("old");
  const run = await importAll("bad", "?update=true");
  const by = { import: run };
  const preview = await server.request("POST", "/api/undo", { body: { by } });
  assert.equal(preview.body.data.summary.reverted, count, preview.text);
  const answer = await server.request("POST", "/api/undo", { body: { by, apply: preview.body.data.plan } });
  assert.equal(answer.status, 202, answer.text);
  const { job } = answer.body.data;
  const look = async () => (await server.request("GET", `/api/jobs/${job}`)).body.data;
  await until(
    async () => (await server.request("GET", "/api/collections/notes/n0")).body.data.a,
    (a) => a === "old0",
  );
  await server.kill();
  await server.restart();
  const ended = await until(look, ({ status }) => status === "succeeded" || status === "failed");
  assert.equal(ended.status, "succeeded", ended.error);
  assert.deepEqual(ended.result.failed, []);
  const { text } = await server.request("GET", "/api/export/collections/notes/json");
  const rows = JSON.parse(text) as { id: string; a: string }[];
  assert.equal(rows.length, count);
  for (const { id, a } of rows) assert.equal(a, `old${id.slice(1)}`);
  // Made, changed, undone: the third version of each.
  for (const id of ["n0", "n700", "n1499"]) {
    const { headers } = await server.request("GET", `/api/collections/notes/${id}`);
    assert.equal(headers.get("etag")?.split("-")[1], "3");
  }
});
