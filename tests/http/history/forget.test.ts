// Erasure from outside: the command, and a schema that makes a property a password.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";

let server: Server;
const text = { type: "string", field: "text" };
const password = { type: "string", field: "password" };
const schema = (pin: object) => ({ id: "note", index: ["title"], properties: { title: text, pin } });

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema(schema(text));
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

type Body = Record<string, unknown>;
const send = (method: string, path: string, body?: Body) => server.request(method, `/api${path}`, body && { body });

test("RET-10 history:forget erases old versions and the trash of an object, after a yes", async () => {
  await send("POST", "/collections/notes", { id: "one", title: "Before" });
  await send("PATCH", "/collections/notes/one", { title: "After" });
  await send("DELETE", "/collections/notes/one");
  assert.equal((await send("GET", "/trash?collection=notes")).body.data.length, 1);
  const unsure = await server.cli(["history:forget", "notes", "one"]);
  assert.notEqual(unsure.code, 0);
  assert.match(unsure.stderr, /--force/);
  const half = await server.cli(["history:forget", "notes", "--force"]);
  assert.notEqual(half.code, 0);
  const done = await server.cli(["history:forget", "notes", "one", "--force", "--json"]);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout), { changes: 2, notes: 0 });
  assert.deepEqual((await send("GET", "/trash?collection=notes")).body.data, []);
  const { data } = (await send("GET", "/history/notes/one")).body;
  assert.deepEqual(
    data.map(({ kind, hasContent }: Body) => [kind, hasContent]),
    [
      ["delete", false],
      ["update", false],
      ["create", false],
    ],
  );
  assert.equal((await server.cli(["history:verify"])).code, 0);
  const unknown = await server.cli(["history:forget", "--user", "nobody", "--force"]);
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.stderr, /knows no user/);
});

test("RET-12 a property that becomes a password is gone from old versions, also when it is text again", async () => {
  await send("POST", "/collections/notes", { id: "two", title: "T", pin: "1234" });
  await send("PATCH", "/collections/notes/two", { pin: "5678" });
  const changes = (await send("GET", "/history/notes/two")).body.data;
  const first = changes.at(-1).change as string;
  assert.equal((await send("GET", `/history/notes/two/${first}`)).body.data.pin, "1234");
  assert.equal((await send("PUT", "/schemas/note", schema(password))).status, 200);
  // At once, before any job.
  assert.equal((await send("GET", `/history/notes/two/${first}`)).body.data.pin, undefined);
  await until(async () => {
    const { data } = (await send("GET", "/jobs?kind=history.scrub")).body;
    return data.some(({ status }: Body) => status === "succeeded");
  });
  assert.equal((await send("PUT", "/schemas/note", schema(text))).status, 200);
  const { data } = (await send("GET", `/history/notes/two/${first}`)).body;
  assert.deepEqual([data.title, data.pin], ["T", undefined]);
});

test("RET-12 an undo shows no old password in a card, also where it was text for a while", async () => {
  const part = (pin: object) => ({ id: "part", properties: { text, pin } });
  await server.makeSchema(part(text));
  const card = { field: "card", schemaref: "/schemas/part.json" };
  await server.makeSchema({ id: "holder", properties: { title: text, card } });
  await server.makeCollection({ id: "holders", schema: "holder", history: "full" });
  await send("POST", "/collections/holders", { id: "first", title: "T" });
  const scrubs = async () => (await send("GET", "/jobs?kind=history.scrub")).body.data as Body[];
  const isScrubbed = async () =>
    (await scrubs()).some(({ subject, status }) => subject === "holders" && status === "succeeded");
  assert.equal((await send("PUT", "/schemas/part", part(password))).status, 200);
  await until(isScrubbed);
  assert.equal((await send("PUT", "/schemas/part", part(text))).status, 200);
  const { id, key } = await server.makeKey();
  const asKey = (method: string, path: string, body: Body) => server.request(method, `/api${path}`, { key, body });
  await send("POST", "/collections/holders", { id: "h", title: "T", card: { text: "a", pin: "pin-9911" } });
  await asKey("PATCH", "/collections/holders/h", { card: { text: "b", pin: "pin-7722" } });
  const preview = () => asKey("POST", "/undo", { by: { key: id } });
  assert.match((await preview()).text, /pin-9911/);
  assert.equal((await send("PUT", "/schemas/part", part(password))).status, 200);
  const { status, text: shown } = await preview();
  assert.equal(status, 200, shown);
  assert.match(shown, /"name":"card"/);
  assert.doesNotMatch(shown, /pin-/);
});

test("TRA-6 what comes back from the trash is not judged again by a stricter schema; what replaces it is", async () => {
  await server.makeSchema({ id: "page1", index: ["title"], properties: { title: text } });
  await server.makeCollection({ id: "pages1", schema: "page1", history: "full" });
  await send("POST", "/collections/pages1", { id: "stays", title: "S" });
  await send("POST", "/collections/pages1", { id: "back", title: "B" });
  await send("DELETE", "/collections/pages1/back");
  const [entry] = (await send("GET", "/trash?collection=pages1")).body.data;
  const strict = { id: "page1", index: ["title"], required: ["id", "lead"], properties: { title: text, lead: text } };
  assert.equal((await send("PUT", "/schemas/page1", strict)).status, 200);
  const back = await send("POST", `/trash/${entry.change}/restore`);
  assert.deepEqual([back.status, back.body.data.title], [200, "B"]);
  for (const id of ["stays", "back"]) {
    assert.equal((await send("PUT", `/collections/pages1/${id}`, { title: "X" })).status, 400);
    assert.equal((await send("PUT", `/collections/pages1/${id}`, { title: "X", lead: "L" })).status, 200);
  }
});
