// Guessing at the door.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../../harness.ts";
import { logIn, makeUser, password, signIn } from "../../support/sign-in.ts";

let server: Server;
before(async () => {
  server = await startServer();
  await makeUser(server, "root", ["admin"]);
  await makeUser(server, "ada");
});
after(() => server.stop());

test("AUTH-8 thirty wrong tries end in 429, which the right password does not open (T61)", async () => {
  const before = await signIn(server, "ada");
  const names = ["ada", "ADA", " ada "];
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

test("AUTH-8 RATE-16 a locked account answers by its other name like an unknown name", async () => {
  // Locked as "ada" by the test above; the address of the same user is refused like that of nobody, and opens nothing.
  const ofAda: unknown[] = [];
  const ofNobody: unknown[] = [];
  for (let n = 0; n < 12; n += 1) {
    const sent = n % 2 === 0 ? password : "wrong-guess";
    for (const [email, answers] of [
      ["Ada@Example.TEST", ofAda],
      ["nobody@example.test", ofNobody],
    ] as const) {
      const { status, body } = await logIn(server, { email, password: sent });
      answers.push([status, body]);
    }
  }
  assert.deepEqual(ofAda, ofNobody);
  assert.deepEqual((ofAda[0] as [number])[0], 401);
  assert.deepEqual((ofAda[11] as [number])[0], 429);
});

test("USER-16 wrong current passwords count like failed logins", async () => {
  await makeUser(server, "tess");
  const tess = await signIn(server, "tess");
  const change = (currentPassword: string) =>
    tess.request("PATCH", "/api/collections/auth/tess", { body: { password: "another-one-1", currentPassword } });
  for (let n = 0; n < 10; n += 1) assert.equal((await change(`wrong-guess-${n}`)).status, 403);
  const right = await change(password);
  assert.equal(right.status, 429);
  assert.ok(Number(right.headers.get("retry-after")) > 0);
  assert.equal((await logIn(server, { email: "tess", password })).status, 429);
  assert.equal((await tess.request("GET", "/api/auth/session")).status, 200);
});

test("AUTH-8 signing in clears earlier failures", async () => {
  await makeUser(server, "sam");
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 9; n += 1) assert.equal((await logIn(server, { email: "sam", password: "no" })).status, 401);
    await signIn(server, "sam");
  }
});
