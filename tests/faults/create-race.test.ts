// Fifty clients want the same new id.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";

const clients = 50;
let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "race",
    properties: { id: { type: "string" }, title: { type: "string" } },
    required: ["id"],
    index: ["id", "title"],
  });
  await server.makeCollection({ id: "race", schema: "race" });
});
after(() => server.stop());

function all(ask: (client: number) => Promise<Answer>): Promise<number[]> {
  return Promise.all(Array.from({ length: clients }, async (_, client) => (await ask(client)).status));
}

const once = (created: number, refused: number) => [...Array(clients - 1).fill(refused), created].sort((a, b) => a - b);

test("DUR-8 of 50 creates of one object id one succeeds, in each of 20 rounds (F15)", async () => {
  for (let round = 1; round <= 20; round += 1) {
    const id = `same-${round}`;
    const statuses = await all((client) =>
      server.request("POST", "/api/collections/race", { body: { id, title: `client ${client}` } }),
    );
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      once(201, 400),
      `round ${round}`,
    );
  }
  const { body } = await server.request("GET", "/api/collections/race/settings");
  assert.deepEqual([body.data.count, body.data.totalObjects], [20, 20]);
});

test("DUR-8 50 creates without an id get 50 ids from the same title (F15)", async () => {
  const made = await Promise.all(
    Array.from({ length: clients }, () =>
      server.request("POST", "/api/collections/race", { body: { title: "Same title" } }),
    ),
  );
  assert.deepEqual([...new Set(made.map(({ status }) => status))], [201]);
  assert.equal(new Set(made.map(({ body }) => body.data.id)).size, clients);
});

test("DUR-8 of 50 creates of one collection one succeeds (F15)", async () => {
  const statuses = await all(() =>
    server.request("POST", "/api/collections", { body: { id: "raced", schema: "race" } }),
  );
  assert.deepEqual(
    statuses.sort((a, b) => a - b),
    once(201, 400),
  );
});

test("DUR-8 of 50 creates of one schema one succeeds (F15)", async () => {
  const body = { id: "raced", properties: { id: { type: "string" } }, required: ["id"], index: ["id"] };
  const statuses = await all(() => server.request("POST", "/api/schemas", { body }));
  assert.deepEqual(
    statuses.sort((a, b) => a - b),
    once(201, 400),
  );
});
