import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#base/clock.ts";
import { CairnError, type ErrorDetails } from "#base/errors.ts";
import type { Json } from "#contract/json.ts";
import { testStorage } from "#storage/storage.fixture.ts";
import { listKeys as storedKeys } from "#storage/tables/keys.ts";
import { type Actor, anonymous, type PresentedKey, system } from "./actor.ts";
import { authenticateKey, createKey, deleteKey, flushKeyStamps, listKeys } from "./api-keys.ts";
import { keyAllows } from "./key-scope.ts";

const database = testStorage();

const everything = { name: "all", methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], endpoints: ["*"] };

function caller(actor: Actor = system) {
  return {
    storage: database.storage,
    clock: systemClock,
    log: database.log,
    actor,
    settings: { dataDir: database.dataDir },
    origin: undefined,
  };
}

async function detailsOf(body: Json): Promise<ErrorDetails> {
  const error = await createKey(caller(), body).then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error instanceof CairnError && error.status === 400, JSON.stringify(body));
  return error.details ?? {};
}

test("KEY-1 only the hash and the first characters of a key are stored", async () => {
  const made = await createKey(caller(), everything);
  assert.match(made.key, /^cairn_[A-Za-z0-9_-]{43}$/);
  assert.equal(made.prefix, made.key.slice(0, 12));
  const rows = JSON.stringify(await storedKeys(database.storage));
  assert.ok(!rows.includes(made.key.slice(12)));
  assert.match(rows, /"hash":"[0-9a-f]{64}"/);
});

test("KEY-2, KEY-3, KEY-4, KEY-5 everything wrong with a key is named at once", async () => {
  assert.deepEqual(Object.keys(await detailsOf({})).sort(), ["endpoints", "methods", "name"]);
  assert.ok((await detailsOf({ ...everything, name: "  " })).name);
  assert.ok((await detailsOf({ ...everything, name: "x".repeat(201) })).name);
  for (const methods of [[], ["HEAD"], ["get"], ["GET", "TRACE"], "ALL", [5]])
    assert.ok((await detailsOf({ ...everything, methods })).methods, JSON.stringify(methods));
  for (const endpoints of [[], ["/nowhere"], ["*", "x"], [7], "/", Array(101).fill("/mcp")])
    assert.ok((await detailsOf({ ...everything, endpoints })).endpoints, JSON.stringify(endpoints));
  for (const body of [null, 5, "key", []]) await assert.rejects(createKey(caller(), body), { status: 400 });
});

test("KEY-4 endpoints and methods are kept in one form", async () => {
  const made = await createKey(caller(), {
    name: " tidy ",
    methods: ["PATCH", "GET", "GET"],
    endpoints: ["/api/objects/blog", "/collections/blog/"],
  });
  assert.equal(made.name, "tidy");
  assert.deepEqual(made.methods, ["GET", "PATCH"]);
  assert.deepEqual(made.endpoints, ["/collections/blog"]);
});

test("KEY-10 a key is recognised with its scope, anything else is not", async () => {
  const made = await createKey(caller(), { name: "reader", methods: ["GET"], endpoints: ["/collections"] });
  for (let turn = 0; turn < 2; turn += 1) {
    const key = (await authenticateKey(caller(), made.key)) as PresentedKey;
    assert.equal(key?.id, made.id);
    assert.equal(keyAllows(key.scope, "GET", "/api/collections/x"), true);
    assert.equal(keyAllows(key.scope, "POST", "/api/collections/x"), false);
  }
  const [row] = await storedKeys(database.storage);
  for (const wrong of ["", "cairn_", made.key.slice(0, -1), `${made.key}A`, made.key.toUpperCase(), row?.hash ?? ""])
    assert.equal(await authenticateKey(caller(), wrong), undefined, wrong);
});

test("KEY-11 a deleted key is refused at once, and no usage stamp brings it back (T68)", async () => {
  const made = await createKey(caller(), everything);
  assert.ok(await authenticateKey(caller(), made.key));
  const lookingUp = authenticateKey(caller(), made.key);
  await deleteKey(caller(), made.id);
  await lookingUp;
  assert.equal(await authenticateKey(caller(), made.key), undefined);
  await flushKeyStamps(caller());
  assert.equal(await authenticateKey(caller(), made.key), undefined);
  assert.ok(!(await storedKeys(database.storage)).some((row) => row.id === made.id));
});

test("KEY-12 use is shown at once and written by the flush, once", async () => {
  const made = await createKey(caller(), everything);
  const find = async () => (await storedKeys(database.storage)).find((row) => row.id === made.id);
  assert.equal((await find())?.lastUsed, null);
  await authenticateKey(caller(), made.key);
  await authenticateKey(caller(), made.key);
  assert.ok((await listKeys(caller())).find((key) => key.id === made.id)?.lastUsed);
  assert.equal((await find())?.lastUsed, null);
  await flushKeyStamps(caller());
  const stamped = (await find())?.lastUsed;
  assert.ok(stamped && Math.abs(Date.parse(stamped) - Date.now()) < 60_000);
});

test("KEY-14 keys are for the admin persona, and a list shows neither key nor hash", async () => {
  const user: Actor = { kind: "user", id: "u", permissions: [], isAdmin: false };
  for (const actor of [anonymous, user]) {
    const status = actor === user ? 403 : 401;
    await assert.rejects(createKey(caller(actor), everything), { status });
    await assert.rejects(listKeys(caller(actor)), { status });
    await assert.rejects(deleteKey(caller(actor), "x"), { status });
  }
  for (const key of await listKeys(caller()))
    assert.deepEqual(Object.keys(key), ["id", "name", "prefix", "methods", "endpoints", "created", "lastUsed"]);
});

test("KEY-15 deleting an unknown key is 404", async () => {
  await assert.rejects(deleteKey(caller(), "00000000-0000-4000-8000-000000000000"), { status: 404 });
});
