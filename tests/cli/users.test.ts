// Users by command, beside a running server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { logIn, makeUser, password, signIn } from "../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"]);
  await makeUser(server, "ada", ["editor"], { name: "Ada" });
});
after(() => server.stop());

test("CLI-28 user:list shows every user, and no password", async () => {
  const { stdout } = await server.cli(["user:list", "--json"]);
  const users = JSON.parse(stdout);
  assert.deepEqual(
    users.map(({ id, groups, active }: Record<string, unknown>) => ({ id, groups, active })),
    [
      { id: "ada", groups: ["editor"], active: true },
      { id: "root", groups: ["admin"], active: true },
    ],
  );
  assert.equal(/password|argon2/.test(stdout), false);
  const table = await server.cli(["user:list"]);
  assert.match(table.stdout, /^ID +NAME +EMAIL +GROUPS/);
  assert.match(table.stdout, /^ada +Ada +ada@example\.test +editor +yes +0 +never$/m);
});

test("CLI-28 user:update changes only named properties", async () => {
  const { code, stdout } = await server.cli([
    ...["user:update", "ada", "--email", "lovelace@example.test", "--groups", "editor,viewer"],
    ...["--expiration", "2999-12-31", "--json"],
  ]);
  assert.equal(code, 0);
  const { email, groups, name, expiration } = JSON.parse(stdout);
  assert.deepEqual(
    [email, groups, name, expiration],
    ["lovelace@example.test", ["editor", "viewer"], "Ada", "2999-12-31T00:00:00.000Z"],
  );
  const ada = await signIn(server, "ada");
  assert.equal((await server.cli(["user:update", "ada", "--active", "false"])).code, 0);
  assert.equal((await ada.request("GET", "/api/auth/session")).status, 401);
  assert.equal((await logIn(server, { email: "ada", password })).status, 401);
  assert.equal((await server.cli(["user:update", "ada", "--active", "true", "--expiration", ""])).code, 0);
  await signIn(server, "ada");
});

test("CLI-28 user:update refuses invalid values", async () => {
  assert.equal((await server.cli(["user:update", "ada"])).code, 2);
  assert.equal((await server.cli(["user:update", "ada", "--active", "maybe"])).code, 2);
  assert.equal((await server.cli(["user:update", "nobody", "--name", "N"])).code, 1);
  const group = await server.cli(["user:update", "ada", "--groups", "nowhere"]);
  assert.deepEqual([group.code, group.stdout], [1, ""]);
  assert.match(group.stderr, /^cairn: .*groups: There is no group "nowhere"/);
  assert.equal((await server.cli(["user:update", "root", "--groups", ""])).code, 1);
});

test("CLI-29 user:password sets it from standard input and signs out", async () => {
  const ada = await signIn(server, "ada");
  const set = await server.cli(["user:password", "ada", "--password", "-"], { input: "from-a-pipe-1\n" });
  assert.equal(set.code, 0);
  assert.equal((await ada.request("GET", "/api/auth/session")).status, 401);
  assert.equal((await logIn(server, { email: "ada", password: "from-a-pipe-1" })).status, 200);
  assert.equal((await server.cli(["user:password", "ada"])).code, 2);
  assert.equal((await server.cli(["user:password", "ada", "--password", "-"], { input: "\n" })).code, 2);
  assert.equal((await server.cli(["user:password", "nobody", "--password", "long-enough-1"])).code, 1);
});

test("CLI-29 user:delete asks first, and ends the sessions", async () => {
  await makeUser(server, "gone");
  const gone = await signIn(server, "gone");
  assert.equal((await server.cli(["user:delete", "gone"])).code, 2);
  const { code, stdout } = await server.cli(["user:delete", "gone", "--force", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout)], [0, { deleted: "gone" }]);
  assert.equal((await gone.request("GET", "/api/auth/session")).status, 401);
  assert.equal((await server.cli(["user:delete", "gone", "--force"])).code, 1);
  const last = await server.cli(["user:delete", "root", "--force"]);
  assert.equal(last.code, 1);
  assert.match(last.stderr, /last active administrator/);
});

test("CLI-29 user:sessions lists the sessions of a user, and ends them", async () => {
  await makeUser(server, "mia");
  const people = [await signIn(server, "mia"), await signIn(server, "mia"), await signIn(server, "mia")];
  const listed = JSON.parse((await server.cli(["user:sessions", "mia", "--json"])).stdout);
  assert.equal(listed.length, 3);
  assert.match((await server.cli(["user:sessions", "mia"])).stdout, new RegExp(`^${listed[0].id} +`, "m"));
  assert.equal((await server.cli(["user:sessions", "mia", "--end", listed[0].id])).code, 0);
  const { stdout } = await server.cli(["user:sessions", "mia", "--end", "all", "--json"]);
  assert.deepEqual(JSON.parse(stdout), { ended: 2 });
  for (const person of people) assert.equal((await person.request("GET", "/api/auth/session")).status, 401);
  assert.equal((await server.cli(["user:sessions", "mia", "--end", "none"])).code, 1);
  assert.equal((await server.cli(["user:sessions", "nobody"])).code, 1);
});
