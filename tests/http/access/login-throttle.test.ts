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

test("AUTH-8 RATE-16 RATE-17 the spellings of one account share its failures, and its lockout (T61)", async () => {
  await makeUser(server, "wendy");
  const names = ["wendy", " Wendy@Example.TEST"];
  const tries = (from: number, times: number, sent: string) =>
    Array.fromAsync({ length: times }, async (_, at) => {
      const { status, body } = await logIn(server, { email: names[(from + at) % 2], password: sent });
      return [status, body];
    });
  const known = await tries(0, 11, "wrong-guess");
  assert.deepEqual(
    known.map(([status]) => status),
    [...Array(10).fill(401), 429],
  );
  assert.deepEqual(
    (await tries(0, 4, password)).map(([status]) => status),
    Array(4).fill(429),
  );
  const unknown: unknown[] = [];
  for (let n = 0; n < 11; n += 1) {
    const { status, body } = await logIn(server, { email: n % 2 ? "Nobody " : "nobody", password: "wrong-guess" });
    unknown.push([status, body]);
  }
  assert.deepEqual(unknown, known);
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
