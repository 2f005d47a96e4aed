// Guessing at the door.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { logIn, makeUser, password, signIn } from "../sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"]);
  await makeUser(server, "ada");
});
after(() => server.stop());

test("AUTH-8 thirty wrong tries end in 429, which the right password does not open (T61)", async () => {
  const before = await signIn(server, "ada");
  const names = ["ada", "ADA", " ada ", "ada@example.test", "Ada@Example.TEST"];
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    statuses.push((await logIn(server, { email: names[n % names.length], password: `guess ${n}` })).status);
  }
  assert.deepEqual(statuses.slice(0, 10), Array(10).fill(401));
  assert.deepEqual(statuses.slice(10), Array(20).fill(429));
  for (const email of names) {
    const right = await logIn(server, { email, password });
    assert.equal(right.status, 429);
    const wait = Number(right.headers.get("retry-after"));
    assert.ok(wait > 0 && wait <= 900, String(wait));
    assert.equal(right.headers.get("set-cookie"), null);
  }
  assert.equal((await before.request("GET", "/api/auth/session")).status, 200);
  assert.equal((await logIn(server, { email: "root", password })).status, 200);
});

test("AUTH-8 signing in clears what was wrong before", async () => {
  await makeUser(server, "sam");
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 9; n += 1) assert.equal((await logIn(server, { email: "sam", password: "no" })).status, 401);
    await signIn(server, "sam");
  }
});
