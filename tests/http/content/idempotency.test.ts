// Idempotency-Key: requests that are sent again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { cookieOf, logIn, makeUser, password, signIn } from "../../support/sign-in.ts";
import { runSql } from "../../support/sql.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await server.makeSchema({
    id: "thing",
    properties: { title: { type: "string" } },
    required: ["title"],
    index: ["title"],
  });
  for (const id of ["things", "others"]) await server.makeCollection({ id, schema: "thing" });
});
after(() => server.stop());

const post = (key: string, body: unknown, { path = "/api/collections/things", as = server.key } = {}) =>
  server.request("POST", path, { key: as, body, headers: { "idempotency-key": key } });
const count = async (title: string, collection = "things") =>
  (await server.request("GET", `/api/collections/${collection}?filter[title]=${title}`)).body.data.length;
const isReplayed = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true";

test("HTTP-110 a request that is sent again gets the first answer and is not carried out again", async () => {
  const first = await post("k-1", { title: "once" });
  const again = await post("k-1", { title: "once" });
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  for (const name of ["location", "etag", "content-type"])
    assert.equal(again.headers.get(name), first.headers.get(name));
  assert.deepEqual([isReplayed(first), isReplayed(again), await count("once")], [false, true, 1]);
  // Without a key each is a request of its own.
  await server.request("POST", "/api/collections/things", { body: { title: "once" } });
  assert.equal(await count("once"), 2);
  const document = (await server.request("GET", "/api/openapi.json")).body;
  const { parameters } = document.paths["/api/collections/{collection}"].post;
  assert.ok(parameters.some(({ name }: { name: string }) => name === "Idempotency-Key"));
});

test("HTTP-111 a key belongs to its caller, its address and its body", async () => {
  assert.equal((await post("k-2", { title: "mine" })).status, 201);
  const other = await post("k-2", { title: "other" });
  assert.equal(other.status, 422);
  assert.match(other.body.error.message, /another body/);
  const elsewhere = await post("k-2", { title: "mine" }, { path: "/api/collections/others" });
  assert.deepEqual([elsewhere.status, isReplayed(elsewhere)], [201, false]);
  const key = await server.makeKey();
  const foreign = await post("k-2", { title: "mine" }, { as: key.key });
  assert.deepEqual([foreign.status, isReplayed(foreign), await count("mine")], [201, false, 2]);
  for (const bad of ["", "with space", "x".repeat(256)]) assert.equal((await post(bad, { title: "bad" })).status, 400);
  const open = await server.request("POST", "/api/collections/things", {
    ...{ key: null, body: { title: "bad" }, headers: { "idempotency-key": "k" } },
  });
  assert.equal(open.status, 401);
  assert.equal(await count("bad"), 0);
  await makeUser(server, "root", ["admin"]);
  const person = await signIn(server, "root");
  const sent = () =>
    person.request("POST", "/api/collections/things", {
      body: { title: "person" },
      headers: { "idempotency-key": "k-2" },
    });
  const [made, repeated] = [await sent(), await sent()];
  assert.deepEqual([made.status, repeated.text, await count("person")], [201, made.text, 1]);
});

test("HTTP-111 a user with the id of a deleted one does not get its answers", async () => {
  const statuses = [];
  for (let time = 0; time < 2; time += 1) {
    await makeUser(server, "heir", ["admin"]);
    const heir = await signIn(server, "heir");
    const headers = { "idempotency-key": "inherited" };
    const answer = await heir.request("POST", "/api/collections/things", { body: { title: "inherited" }, headers });
    statuses.push(answer.status);
    assert.equal((await server.request("DELETE", "/api/collections/auth/heir")).status, 204);
  }
  assert.deepEqual(statuses, [201, 422]);
});

test("HTTP-112 of many requests at once exactly one is carried out", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => post("k-3", { title: "race" })));
  const first = answers.find((answer) => answer.status === 201 && !isReplayed(answer));
  assert.ok(first);
  for (const { status, text, headers } of answers)
    if (status === 201) assert.equal(text, first.text);
    else assert.deepEqual([status, headers.get("retry-after")], [409, "1"]);
  assert.equal(await count("race"), 1);
});

test("HTTP-113 a request that failed may be sent again; one with a large answer is not carried out again", async () => {
  assert.equal((await post("k-4", {})).status, 400);
  assert.equal((await post("k-4", { title: "mended" })).status, 201);
  const large = { title: "large", id: "large", text: "x".repeat(70_000) };
  await server.makeSchema({
    id: "long",
    properties: { title: { type: "string" }, text: { type: "string" } },
    required: [],
    index: ["title"],
  });
  await server.makeCollection({ id: "longs", schema: "long" });
  assert.equal((await post("k-5", large, { path: "/api/collections/longs" })).status, 201);
  const again = await post("k-5", large, { path: "/api/collections/longs" });
  assert.equal(again.status, 409);
  assert.match(again.body.error.message, /was carried out/);
});

test("HTTP-114 an answer that shows a secret is not kept", async () => {
  const made: [string, unknown, (answer: Answer) => string][] = [
    ["/api/apikeys", { name: "by a script", methods: ["GET"], endpoints: ["*"] }, ({ body }) => body.data.key],
    ["/api/webhooks", { url: "https://example.com/in", events: ["object.created"] }, ({ body }) => body.data.secret],
  ];
  for (const [path, body, secretOf] of made) {
    const count = async () => (await server.request("GET", path)).body.data.length;
    const before = await count();
    const first = await post("k-6", body, { path });
    assert.equal(first.status, 201, first.text);
    const again = await post("k-6", body, { path });
    assert.deepEqual([again.status, await count()], [409, before + 1], again.text);
    assert.match(again.body.error.message, /secret, which is shown once/);
    assert.ok(secretOf(first).length > 20 && !again.text.includes(secretOf(first)));
  }
});

test("HTTP-119 what signs in or confirms a session ignores the key, and sets its cookie each time", async () => {
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "clerk");
  const boss = await signIn(server, "boss");
  const headers = { "idempotency-key": "session" };
  const send = (path: string, body: object) => boss.request("POST", `/api/auth/${path}`, { body, headers });
  for (const time of ["first", "again"]) {
    const confirmed = await send("confirm", { password });
    assert.deepEqual([confirmed.status, isReplayed(confirmed)], [200, false], `${time}: ${confirmed.text}`);
  }
  for (const time of ["first", "again"]) {
    // The same caller: signing in ends the session that it came with.
    const { cookie } = await signIn(server, "boss");
    const signedIn = await logIn(server, { login: "clerk", password }, { ...headers, cookie });
    assert.deepEqual([signedIn.status, isReplayed(signedIn)], [200, false], `${time}: ${signedIn.text}`);
    assert.match(cookieOf(signedIn), /^cairn_session=./);
  }
  const { paths } = (await server.request("GET", "/api/openapi.json")).body;
  const takesKey = (path: string) =>
    (paths[path].post.parameters ?? []).some(({ name }: { name: string }) => name === "Idempotency-Key");
  assert.equal(takesKey("/api/auth/login"), false);
});

/** As version 0.1.0 kept requests and bodies; anybody can make it. */
const plainHash = (...parts: string[]) => {
  const text = parts.map((part) => `${part.length}:${part}`).join("");
  return createHash("sha256").update(text).digest("base64url");
};

test("HTTP-118 what is kept of a body is made with the site key, and requests kept by version 0.1.0 are known", async () => {
  const { id, key: as } = await server.makeKey();
  const body = { title: "guessed" };
  const [name, digest] = [
    plainHash(`key:${id}`, "POST /api/collections/things", "k-7"),
    plainHash(JSON.stringify(body)),
  ];
  assert.equal((await post("k-7", body, { as })).status, 201);
  const found = (what: string) => runSql(server, `SELECT name FROM request_claims WHERE ${what}`);
  // Nodes of that version find it, and see another body in it.
  assert.deepEqual([await found(`name = '${name}'`), await found(`digest = '${digest}'`)], [1, 0]);
  await runSql(server, "DELETE FROM request_claims");
  const values = `'${name}', '${digest}', 'one', 2, NULL, ${Date.now() + 60_000}`;
  await runSql(server, `INSERT INTO request_claims (name, digest, owner, written, answer, expires) VALUES (${values})`);
  const statuses = [];
  for (const title of ["guessed", "other"]) statuses.push((await post("k-7", { title }, { as })).status);
  assert.deepEqual([statuses, await count("guessed")], [[409, 422], 1]);
  await runSql(server, "UPDATE request_claims SET expires = 0");
  assert.equal((await post("k-7", body, { as })).status, 201);
});
