// A new collection with the id of a deleted one: it has no part in what the log keeps of the former one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { openStream } from "../../support/change-stream.ts";
import { makeUser, type Person, signIn } from "../../support/sign-in.ts";

type Body = Record<string, unknown>;
let server: Server;
let editor: Person;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "note", properties: { title: text } });
  await server.makeSchema({ id: "other", properties: { title: text } });
  await makeUser(server, "ed", ["editor"]);
  editor = await signIn(server, "ed");
});
after(() => server.stop());

const send = (method: string, path: string, body?: Body): Promise<Answer> =>
  server.request(method, `/api${path}`, body && { body });
const done = async (method: string, path: string, body?: Body) => {
  const answer = await send(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body?.data;
};
const makeCollection = (id: string, more: Body = {}) =>
  done("POST", "/collections", { id, schema: "note", history: "full", ...more });
const removeCollection = (id: string) => done("DELETE", `/collections/${id}?confirm=${id}`);
/** All that is in the trash: by its number, what it was. */
const trash = async (collection: string): Promise<{ change: string; id: string; title: string }[]> =>
  done("GET", `/trash?collection=${collection}&limit=100`);
const wholeOf = async (collection: string, title: string) => {
  const found = (await trash(collection)).find((entry) => entry.id === "" && entry.title === title);
  assert.ok(found, `${title} is in the trash`);
  return found.change;
};
const restore = async (collection: string, change: string, total: number) => {
  await done("POST", `/trash/${change}/restore`);
  await until(
    () => send("GET", `/collections/${collection}/settings`),
    ({ body }) => body.data?.totalObjects === total,
  );
};
const limitedKey = async (endpoints: string[]) => {
  const { key } = await server.makeKey({ methods: ["GET", "POST", "PATCH", "PUT", "DELETE"], endpoints });
  return (method: string, path: string, body?: Body): Promise<Answer> =>
    server.request(method, `/api${path}`, { key, ...(body && { body }) });
};
const doors = ["/history", "/trash", "/changes", "/undo"];

for (const schema of ["note", "other"])
  test(`HIS-27 COL-20 a new collection with the schema ${schema} reaches nothing of the former one of its id`, async () => {
    const id = `former-${schema}`;
    await makeCollection(id);
    for (const title of ["Secret", "Secret two"])
      await editor.request(
        title === "Secret" ? "POST" : "PATCH",
        `/api/collections/${id}${title === "Secret" ? "" : "/priv"}`,
        {
          body: title === "Secret" ? { id: "priv", title } : { title },
        },
      );
    await done("POST", `/collections/${id}`, { id: "bin", title: "Binned" });
    const wasThere = new Date().toISOString();
    await done("DELETE", `/collections/${id}/bin`);
    const binned = (await trash(id)).find((entry) => entry.id === "bin")?.change;
    await removeCollection(id);
    const gone = await trash(id);
    assert.deepEqual(gone.map((entry) => entry.id).sort(), ["", "bin", "priv"]);
    await makeCollection(id, { schema });
    await done("POST", `/collections/${id}`, { id: "mine", title: "Mine" });

    const key = await limitedKey([...doors, `/collections/${id}`]);
    for (const ask of [key, send]) {
      assert.equal((await ask("GET", `/history/${id}/priv`)).status, 404);
      assert.equal((await ask("GET", `/history/${id}/priv/properties`)).status, 404);
      assert.equal((await ask("GET", `/history/${id}/priv/${gone[0]?.change}`)).status, 404);
      assert.equal((await ask("GET", `/collections/${id}/priv?as_of=${wasThere}`)).status, 404);
      assert.deepEqual((await ask("GET", `/trash?collection=${id}`)).body.data, []);
      assert.equal((await ask("GET", `/history/${id}/mine`)).body.data.length, 1);
    }
    for (const { change } of gone) {
      const refused = await key("POST", `/trash/${change}/restore`);
      assert.equal(refused.status, 401, refused.text);
      assert.equal((await key("DELETE", `/trash/${change}`)).status, 401);
      assert.equal((await send("POST", `/trash/${change}/restore`)).status, 400);
    }
    for (const ask of [key, send])
      assert.equal((await ask("DELETE", `/trash?collection=${id}&confirm=${id}`)).status, 204);
    assert.equal((await send("GET", `/collections/${id}/priv`)).status, 404);

    const listed = async () => (await key("GET", `/changes?collection=${id}&limit=100`)).body.data as Body[];
    await becomes(
      async () => (await listed()).map((entry) => `${entry.kind} ${entry.id}`),
      ["collection ", "create mine"],
    );
    assert.deepEqual(
      Object.keys((await listed())[0] ?? {}).filter((name) => ["by", "note"].includes(name)),
      [],
    );
    const reader = await server.makeKey({ methods: ["GET"], endpoints: [...doors, `/collections/${id}`] });
    const stream = await openStream(server, `collections=${id}&include=object`, { key: reader.key });
    await until(() => JSON.stringify(stream.events).includes("mine"));
    assert.ok(!JSON.stringify(stream.events).includes("priv"));
    stream.close();

    const undone = async (ask: typeof send) => {
      const { items } = (await ask("POST", "/undo", { by: { user: "ed" }, collections: [id] })).body.data;
      return items.map((item: Body) => `${item.id} ${item.action} ${item.conflict}`);
    };
    assert.deepEqual(await undone(key), []);
    assert.deepEqual(await undone(send), ["priv keep undefined"]);

    // Nothing of it was deleted for good.
    await removeCollection(id);
    assert.ok(binned && (await trash(id)).some(({ change }) => change === binned));
  });

test("TRA-8 HIS-27 of two deleted collections of one id each comes back with its own objects and its own history", async () => {
  await makeCollection("twice", { name: "First" });
  await done("POST", "/collections/twice", { id: "one", title: "One" });
  await done("POST", "/collections/twice", { id: "both", title: "Of the first" });
  await done("POST", "/collections/twice", { id: "binned", title: "Binned by the first" });
  await done("DELETE", "/collections/twice/binned");
  await removeCollection("twice");
  const first = await wholeOf("twice", "First");
  await makeCollection("twice", { name: "Second" });
  assert.deepEqual(await trash("twice"), []);
  const refused = await send("POST", `/trash/${first}/restore`);
  assert.deepEqual([refused.status, refused.body.error.details], [400, { id: ["is taken"] }]);
  await done("POST", "/collections/twice", { id: "both", title: "Of the second" });
  await done("POST", "/collections/twice", { id: "two", title: "Two" });
  await done("DELETE", "/collections/twice/two");
  await removeCollection("twice");
  const second = await wholeOf("twice", "Second");

  await restore("twice", first, 2);
  const settings = await done("GET", "/collections/twice/settings");
  assert.deepEqual([settings.name, settings.count, settings.totalObjects], ["First", 3, 2]);
  assert.equal((await done("GET", "/collections/twice/both")).title, "Of the first");
  assert.deepEqual(
    (await trash("twice")).map(({ id }) => id),
    ["binned"],
  );
  const kinds = async (id: string) => {
    const { status, body } = await send("GET", `/history/twice/${id}`);
    return status === 200 ? body.data.map(({ kind }: Body) => kind) : status;
  };
  assert.deepEqual(await kinds("one"), ["restore", "delete", "create"]);
  assert.deepEqual([await kinds("binned"), await kinds("two")], [["delete", "create"], 404]);
  await done("DELETE", "/collections/twice/one");
  await done("POST", "/collections/twice", { id: "late", title: "Late" });
  await done("DELETE", "/collections/twice/late");
  assert.deepEqual(
    (await trash("twice")).map(({ id }) => id),
    ["late", "one", "binned"],
  );

  await removeCollection("twice");
  await restore("twice", second, 1);
  assert.equal((await done("GET", "/collections/twice/both")).title, "Of the second");
  assert.deepEqual(
    (await trash("twice")).map(({ id }) => id),
    ["two"],
  );
  assert.deepEqual([await kinds("two"), await kinds("one"), await kinds("late")], [["delete", "create"], 404, 404]);
});

test("TRA-8 a reserved collection comes back as long as nobody has written to the new one", async () => {
  await server.setSetting("history.default", "full");
  await done("POST", "/collections/mcp-prompt", { id: "p1", name: "first", title: "First", body: "Say it" });
  await removeCollection("mcp-prompt");
  assert.equal((await send("GET", "/history/mcp-prompt/p1")).status, 404);
  const whole = (await trash("mcp-prompt")).find(({ id }) => id === "")?.change;
  await restore("mcp-prompt", String(whole), 1);
  assert.equal((await done("GET", "/collections/mcp-prompt/p1")).id, "p1");
  await server.setSetting("history.default", "off");
});

test("TRA-8 HIS-27 a return that is under way brings nothing into a newer collection of the id", async () => {
  const many = 60;
  const id = "replaced";
  await makeCollection(id);
  for (let number = 0; number < many; number += 1) await done("POST", `/collections/${id}`, { title: `Old ${number}` });
  await removeCollection(id);
  const whole = (await trash(id)).find((entry) => entry.id === "")?.change;
  const { job } = await done("POST", `/trash/${whole}/restore`);
  await removeCollection(id);
  await makeCollection(id, { name: "New" });
  await done("POST", `/collections/${id}`, { id: "mine", title: "Mine" });
  await until(
    () => send("GET", `/jobs/${job}`),
    ({ body }) => !["queued", "running"].includes(body.data?.status),
  );
  const listed = (await send("GET", `/collections/${id}?limit=200`)).body.data as Body[];
  assert.deepEqual(
    listed.map((object) => object.id),
    ["mine"],
  );
  assert.equal((await done("GET", `/collections/${id}/settings`)).totalObjects, 1);
});
