// Many clients, one object: whatever was answered is in it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, repeats, type Server, startServer } from "../harness.ts";

let server: Server;
const path = "/api/collections/shared";

before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "line",
    properties: { id: { type: "string" }, text: { type: "string" } },
    required: ["id"],
    index: ["id"],
  });
  await server.makeSchema({
    id: "shared",
    properties: {
      id: { type: "string" },
      views: { type: "number" },
      left: { type: "number" },
      right: { type: "number" },
      lines: { type: "deck", deckref: "line" },
    },
    required: ["id"],
    index: ["id", "views"],
  });
  await server.makeCollection({ id: "shared", schema: "shared" });
});
after(() => server.stop());

async function create(id: string, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await server.request("POST", path, { body: { id, ...more } });
  if (answer.status !== 201) throw new Error(answer.text);
}

/** `many` loops at once, `rounds` requests each; all the answers. */
async function storm(
  many: number,
  rounds: number,
  ask: (client: number, round: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const loop = async (client: number) => {
    for (let round = 0; round < rounds; round += 1) answers.push(await ask(client, round));
  };
  await Promise.all(Array.from({ length: many }, (_, client) => loop(client)));
  return answers;
}

const clients = 16;
const increments = repeats(30, 100);
const items = repeats(25, 50);
const pairs = repeats(30, 125);

const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

test(`DUR-4 ${clients * increments} increments by ${clients} clients are as many more (F14)`, async () => {
  await create("counter", { views: 5 });
  const answers = await storm(clients, increments, () => server.request("POST", `${path}/counter/views/increment`));
  assert.deepEqual(statuses(answers), [200]);
  const { body } = await server.request("GET", `${path}/counter`);
  assert.equal(body.data.views, 5 + clients * increments);
  const filtered = await server.request("GET", `${path}?filter%5Bviews%5D=${body.data.views}`);
  assert.deepEqual(
    filtered.body.data.map(({ id }: { id: string }) => id),
    ["counter"],
  );
});

test(`DUR-5 ${clients * items} deck items added by ${clients} clients are all there (F14)`, async () => {
  await create("deck");
  const add = (client: number, round: number) =>
    server.request("POST", `${path}/deck/lines/deck`, { body: { id: `item-${client}-${round}`, text: "x" } });
  const answers = await storm(clients, items, add);
  assert.deepEqual(statuses(answers), [201]);
  const { body } = await server.request("GET", `${path}/deck`);
  assert.equal(new Set(body.data.lines.map(({ id }: { id: string }) => id)).size, clients * items);
});

test(`DUR-6 ${clients * pairs} pairs of PATCHes of different properties keep both (F14)`, async () => {
  await storm(clients, 1, async (client) => {
    await create(`pair-${client}`, { left: 0, right: 0 });
    return server.request("GET", `${path}/pair-${client}`);
  });
  const lost: string[] = [];
  await storm(clients, pairs, async (client, round) => {
    const object = `${path}/pair-${client}`;
    await Promise.all([
      server.request("PATCH", object, { body: { left: round } }),
      server.request("PATCH", object, { body: { right: round } }),
    ]);
    const answer = await server.request("GET", object);
    if (answer.body.data.left !== round || answer.body.data.right !== round) lost.push(answer.text);
    return answer;
  });
  assert.deepEqual(lost, []);
});

test("DUR-7 PUTs at once leave one of the bodies, whole (F14)", async () => {
  await create("whole", { left: 0, right: 0 });
  const answers = await storm(8, repeats(20, 50), (client, round) => {
    const value = client * 1000 + round;
    return server.request("PUT", `${path}/whole`, { body: { left: value, right: value } });
  });
  assert.deepEqual(statuses(answers), [200]);
  const { data } = (await server.request("GET", `${path}/whole`)).body;
  assert.equal(data.left, data.right);
});

test("DUR-9 of 20 writes with the same If-Match one wins (F14)", async () => {
  await create("matched", { left: 0 });
  for (let round = 1; round <= 10; round += 1) {
    const etag = (await server.request("GET", `${path}/matched`)).headers.get("etag") as string;
    const answers = await storm(20, 1, (client) =>
      server.request("PATCH", `${path}/matched`, {
        body: { left: round * 100 + client },
        headers: { "if-match": etag },
      }),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, `round ${round}`);
    assert.equal(answers.filter(({ status }) => status === 412).length, 19, `round ${round}`);
    const { data } = (await server.request("GET", `${path}/matched`)).body;
    assert.equal(data.left, won[0]?.body.data.left);
  }
});
