// An administrator acts as another user.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { auditLines } from "../../support/audit-lines.ts";
import { makeUser, type Person, password, personOf, signIn } from "../../support/sign-in.ts";

let server: Server;
let root: Person;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"], { name: "Root" });
  await makeUser(server, "second", ["admin"]);
  await makeUser(server, "ada", ["editor"]);
  await makeUser(server, "asleep", [], { active: false });
});
after(() => server.stop());

const start = (person: Person, id: string) => person.request("POST", `/api/auth/impersonate/${id}`);
const stop = (person: Person) => person.request("POST", "/api/auth/impersonate/stop");
const isAlive = async (person: Person) => (await person.request("GET", "/api/auth/session")).status === 200;

test("AUTH-30, AUTH-31 only administrators act as users, and not as administrators", async () => {
  root = await signIn(server, "root");
  const ada = await signIn(server, "ada");
  const cases: [person: Person, id: string, status: number][] = [
    [ada, "root", 403],
    [ada, "asleep", 403],
    [ada, "nobody", 403],
    [root, "root", 400],
    [root, "second", 403],
    [root, "nobody", 404],
    [root, "asleep", 400],
  ];
  for (const [person, id, status] of cases) {
    const answer = await start(person, id);
    assert.equal(answer.status, status, `${person.id} as ${id}`);
    assert.equal(answer.headers.get("set-cookie"), null);
  }
  assert.equal((await server.request("POST", "/api/auth/impersonate/ada")).status, 403);
  assert.equal((await server.request("POST", "/api/auth/impersonate/ada", { key: null })).status, 401);
  const inside = personOf(server, await start(root, "ada"));
  for (const id of ["ada", "root", "second", "asleep"]) assert.equal((await start(inside, id)).status, 403, id);
});

test("AUTH-32, AUTH-33 as the user, with the user's rights, and back", async () => {
  root = await signIn(server, "root", { remember: true });
  const answer = await start(root, "ada");
  assert.deepEqual([answer.status, answer.body.data.user.id], [200, "ada"]);
  assert.doesNotMatch(answer.headers.get("set-cookie") ?? "", /Max-Age/);
  const inside = personOf(server, answer);
  assert.notEqual(inside.token, root.token);
  const { data } = (await inside.request("GET", "/api/auth/session")).body;
  assert.deepEqual([data.user.id, data.user.isAdmin, data.impersonator.id], ["ada", false, "root"]);
  assert.equal((await inside.request("GET", "/api/collections/auth/root")).status, 403);
  assert.equal((await inside.request("GET", "/api/collections/auth/ada")).status, 200);
  assert.equal(await isAlive(root), true);
  const back = await stop(inside);
  assert.deepEqual([back.status, back.body.data.user.id], [200, "root"]);
  assert.match(back.headers.get("set-cookie") ?? "", /Max-Age=25\d{5}/);
  const again = personOf(server, back);
  assert.equal((await again.request("GET", "/api/collections/auth")).status, 200);
  assert.equal("impersonator" in (await again.request("GET", "/api/auth/session")).body.data, false);
  assert.deepEqual([await isAlive(inside), await isAlive(root)], [false, false]);
  assert.equal((await stop(again)).status, 400);
});

test("AUTH-34 it ends with the administrator's session and rights", async () => {
  const begin = async () => {
    const admin = await signIn(server, "second");
    return { admin, inside: personOf(server, await start(admin, "ada")) };
  };
  const first = await begin();
  await first.admin.request("POST", "/api/auth/logout");
  assert.equal(await isAlive(first.inside), false);
  assert.equal((await stop(first.inside)).status, 401);
  const second = await begin();
  await second.inside.request("POST", "/api/auth/logout");
  assert.deepEqual([await isAlive(second.inside), await isAlive(second.admin)], [false, false]);
  const third = await begin();
  await server.request("PATCH", "/api/collections/auth/second", { body: { groups: ["editor"] } });
  assert.equal(await isAlive(third.inside), false);
  assert.equal(await isAlive(third.admin), true);
  await server.request("PATCH", "/api/collections/auth/second", { body: { groups: ["admin"] } });
  const fourth = await begin();
  await server.request("PATCH", "/api/collections/auth/ada", { body: { groups: ["admin"] } });
  assert.equal(await isAlive(fourth.inside), false);
  await server.request("PATCH", "/api/collections/auth/ada", { body: { groups: ["editor"] } });
  const fifth = await begin();
  await server.request("PATCH", "/api/collections/auth/second", { body: { password: "another-one-3" } });
  assert.equal(await isAlive(fifth.inside), false);
});

test("AUTH-35 the password and the address stay the user's own", async () => {
  root = await signIn(server, "root");
  const inside = personOf(server, await start(root, "ada"));
  const body = { password: "taken-over-1" };
  const { email } = (await inside.request("GET", "/api/collections/auth/ada")).body.data;
  assert.equal((await inside.request("PATCH", "/api/collections/auth/ada", { body })).status, 403);
  assert.equal((await inside.request("PUT", "/api/collections/auth/ada", { body: { email, ...body } })).status, 403);
  assert.equal(
    (await inside.request("PUT", "/api/collections/auth/ada/password", { body: body.password })).status,
    403,
  );
  const moved = { email: "moved@example.test", currentPassword: password };
  assert.equal((await inside.request("PATCH", "/api/collections/auth/ada", { body: moved })).status, 403);
  assert.equal(
    (await inside.request("PUT", "/api/collections/auth/ada/email", { body: "moved@example.test" })).status,
    403,
  );
  assert.equal((await inside.request("PATCH", "/api/collections/auth/ada", { body: { name: "A" } })).status, 200);
  await signIn(server, "ada", { password });
});

test("AUTH-36 beginning and end are in the audit log", async () => {
  root = await signIn(server, "root");
  await stop(personOf(server, await start(root, "ada")));
  const [started, stopped] = auditLines(server)
    .filter(({ type }) => String(type).startsWith("impersonation."))
    .slice(-2);
  assert.deepEqual([started?.type, started?.actor, started?.user], ["impersonation.started", "user:root", "ada"]);
  assert.deepEqual([stopped?.type, stopped?.impersonator, stopped?.user], ["impersonation.stopped", "root", "ada"]);
});
