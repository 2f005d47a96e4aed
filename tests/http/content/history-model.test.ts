// The log read backwards equals a model that is kept beside it, version by version, over random writes, restores, deletions
// and returns.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { repeats, type Server, startServer } from "../../harness.ts";

let server: Server;
const names = ["title", "body", "count", "tags"] as const;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({
    id: "note",
    properties: {
      title: { field: "text" },
      body: { field: "textarea", default: "none" },
      count: { field: "number" },
      tags: { field: "list" },
    },
  });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

type Body = Record<string, unknown>;

/** The same numbers for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function randomBody(roll: (sides: number) => number): Body {
  const values = [`T${roll(4)}`, `B${roll(4)}`, roll(5), [`t${roll(3)}`, "x"]];
  const body: Body = {};
  names.forEach((name, at) => {
    if (roll(2) === 0) body[name] = roll(5) === 0 ? null : values[at];
  });
  return body;
}

test("HIS-19 for random writes, restores, deletions and returns every version equals the model", {
  timeout: repeats(900_000, 7_200_000),
}, async () => {
  const objects = "/api/collections/notes";
  for (let seed = 1; seed <= repeats(3, 40); seed += 1) {
    const roll = dice(seed);
    const id = `o${seed}`;
    const history = `/api/history/notes/${id}`;
    /** What was answered after each change, by the number of the change. */
    const model = new Map<string, Body>();
    const newest = async () => (await server.request("GET", `${history}?limit=1`)).body.data[0].change as string;
    let current = (await server.request("POST", objects, { body: { id, ...randomBody(roll) } })).body.data as Body;
    model.set(await newest(), current);
    for (let step = 0; step < 18; step += 1) {
      const kind = roll(6);
      const seen = [...model.keys()];
      if (kind < 3) {
        const method = kind === 0 ? "PUT" : "PATCH";
        current = (await server.request(method, `${objects}/${id}`, { body: randomBody(roll) })).body.data;
      } else if (kind === 3) {
        const change = seen[roll(seen.length)] as string;
        const answer = await server.request("POST", `${history}/${change}/restore`);
        assert.equal(answer.status, 200, answer.text);
        current = answer.body.data;
        for (const name of names) assert.deepEqual(current[name], model.get(change)?.[name], `${change} ${name}`);
      } else if (kind === 4) {
        await server.request("DELETE", `${objects}/${id}`);
        const deletion = await newest();
        model.set(deletion, current);
        current = (await server.request("POST", `/api/trash/${deletion}/restore`)).body.data;
      } else {
        const name = names[roll(3)] as string;
        const body = randomBody(roll)[name] ?? null;
        const answer = await server.request("PATCH", `${objects}/${id}`, { body: { [name]: body } });
        current = answer.body.data;
      }
      model.set(await newest(), current);
    }
    for (const [change, expected] of model)
      assert.deepEqual((await server.request("GET", `${history}/${change}`)).body.data, expected, `${seed} ${change}`);
    for (const [change, { modified }] of [...model].slice(-1)) {
      const then = await server.request("GET", `${objects}/${id}?as_of=${modified}`);
      assert.deepEqual(then.body.data, model.get(change));
    }
  }
});
