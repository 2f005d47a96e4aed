// Idempotency-Key: requests that were refused, and are sent again.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const part = { id: "part", properties: { name: { type: "string" } }, required: [], index: [] };
  await server.makeSchema(part);
  const properties = {
    title: { type: "string" },
    number: { type: "number" },
    parts: { type: "deck", schemaref: "part" },
  };
  await server.makeSchema({ id: "thing", properties, required: ["title"], index: ["title"] });
  await server.makeCollection({ id: "things", schema: "thing", history: "full" });
});
after(() => server.stop());

const things = "/api/collections/things";
const put = (path: string, body: object) => server.request("PUT", path, { body });
const remove = (path: string) => server.request("DELETE", path);
const make = async (path: string, body: object) => {
  const answer = await server.request("POST", path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer;
};
const makeThing = (id: string) => make(things, { id, title: id });
const lastDeletion = async () => (await server.request("GET", "/api/trash?collection=things")).body.data[0].change;

interface Case {
  name: string;
  path: string;
  body: object;
  status: number;
  /** Takes the reason of the refusal away. */
  mend(): Promise<unknown>;
}

async function cases(): Promise<Case[]> {
  await makeThing("taken");
  await makeThing("copied");
  await makeThing("gone");
  await remove(`${things}/gone`);
  const deletion = await lastDeletion();
  await makeThing("gone");
  await make("/api/access-groups", { id: "taken" });
  const schema = { id: "spare", properties: {}, required: [], index: [] };
  await server.makeSchema(schema);
  const template = { id: "hello", template: "hello" };
  await make("/api/templates", template);
  return [
    {
      name: "object",
      path: things,
      body: { id: "taken", title: "two" },
      status: 400,
      mend: () => remove(`${things}/taken`),
    },
    {
      name: "clone",
      ...{ path: `${things}/copied/clone`, body: { id: "late" }, status: 400 },
      mend: () => remove(`${things}/late`),
    },
    {
      name: "number",
      ...{ path: `${things}/later/number/increment`, body: {}, status: 404 },
      mend: () => makeThing("later"),
    },
    {
      name: "deck item",
      ...{ path: `${things}/decked/parts/deck`, body: { id: "a", name: "A" }, status: 404 },
      mend: () => makeThing("decked"),
    },
    {
      name: "collection",
      ...{ path: "/api/collections", body: { id: "fresh", schema: "unmade" }, status: 400 },
      mend: () => server.makeSchema({ id: "unmade", properties: {}, required: [], index: [] }),
    },
    {
      name: "schema",
      ...{ path: "/api/schemas", body: schema, status: 400 },
      mend: () => remove("/api/schemas/spare"),
    },
    {
      name: "group",
      ...{ path: "/api/access-groups", body: { id: "taken" }, status: 400 },
      mend: () => remove("/api/access-groups/taken"),
    },
    {
      name: "template",
      ...{ path: "/api/templates", body: template, status: 400 },
      mend: () => remove("/api/templates/hello"),
    },
    {
      name: "trash",
      ...{ path: `/api/trash/${deletion}/restore`, body: {}, status: 400 },
      mend: () => remove(`${things}/gone`),
    },
  ];
}

test("HTTP-116 a refused request that is sent again is refused alike, and succeeds when its reason is gone", async () => {
  const all = await cases();
  await makeThing("late");
  for (const { name, path, body, status, mend } of all) {
    // A caller that has written nothing yet.
    const { key } = await server.makeKey();
    const post = (idempotency: string): Promise<Answer> =>
      server.request("POST", path, { key, body, headers: { "idempotency-key": idempotency } });
    const [first, again] = [await post("one"), await post("one")];
    assert.equal(first.status, status, `${name}: ${first.text}`);
    assert.deepEqual([again.status, again.text], [first.status, first.text], name);
    await mend();
    const anew = await post("two");
    assert.ok(anew.status < 300, `${name}: ${anew.text}`);
    const repeated = await post("two");
    assert.deepEqual([repeated.status, repeated.headers.get("idempotency-replayed")], [anew.status, "true"], name);
  }
});

test("HTTP-116 an undo whose plan is old is refused alike, and the plan of the answer is carried out", async () => {
  const { key, id } = await server.makeKey();
  const ask = (body: object, idempotency?: string) =>
    server.request("POST", "/api/undo", {
      ...{ key, body },
      ...(idempotency !== undefined && { headers: { "idempotency-key": idempotency } }),
    });
  await server.request("POST", things, { key, body: { id: "undone", title: "one" } });
  const by = { by: { key: id } };
  const { plan } = (await ask(by)).body.data;
  await put(`${things}/undone`, { title: "two" });
  const [first, again] = [await ask({ ...by, apply: plan }, "one"), await ask({ ...by, apply: plan }, "one")];
  assert.deepEqual([first.status, again.status, again.text], [412, 412, first.text]);
  const started = await ask({ ...by, apply: first.body.error.details.plan[0] }, "two");
  assert.equal(started.status, 202, started.text);
});

test("HTTP-116 HTTP-117 a form that was refused and counted is judged again when it is sent again", async () => {
  const schema = (type: string) => ({ id: "letter", properties: { from: { type } }, required: [], index: ["from"] });
  await server.makeSchema(schema("email"));
  await server.makeCollection({ id: "letters", schema: "letter", forms: { write: { fields: ["from"] } } });
  const send = () =>
    server.request("POST", "/forms/letters/write", {
      body: { from: "nobody" },
      headers: { "idempotency-key": "form", accept: "application/json" },
    });
  const [first, again] = [await send(), await send()];
  assert.deepEqual([first.status, again.status, again.text], [422, 422, first.text]);
  assert.equal((await put("/api/schemas/letter", schema("string"))).status, 200);
  const [sent, repeated] = [await send(), await send()];
  assert.deepEqual([sent.status, repeated.text], [201, sent.text], sent.text);
  const { body } = await server.request("GET", "/api/collections/letters");
  assert.equal(body.data.length, 1);
});
