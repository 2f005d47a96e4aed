// The first administrator.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { cookieOf } from "../../support/sign-in.ts";

let server: Server;
let token: string;
const readToken = () => /\/setup\?token=(\S+)/.exec(server.stdout)?.[1];

before(async () => {
  server = await startServer();
  token = readToken() as string;
});
after(() => server.stop());

const form = { email: "ada@example.test", name: "Ada", password: "long-enough-1", repeat: "long-enough-1" };
const post = (fields: Record<string, string>) =>
  server.request("POST", "/setup", {
    key: null,
    raw: new URLSearchParams({ token, ...fields }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const users = async () => (await server.request("GET", "/api/collections/auth")).body.data;

test("HTTP-80 only the token of the console opens the form (T66)", async () => {
  for (const path of [
    "/setup",
    "/setup?token=",
    "/setup?token=wrong",
    `/setup?token=${token}x`,
    `/setup?token=${token}&token=${token}`,
  ]) {
    const answer = await server.request("GET", path, { key: null });
    assert.equal(answer.status, 403, path);
    assert.equal(answer.text.includes("<form"), false);
  }
  assert.equal((await server.request("GET", "/setup")).status, 403);
  assert.equal((await server.request("GET", `/setup?token=${token}`, { key: null })).status, 200);
  assert.equal((await post({ ...form, token: "wrong" })).status, 403);
  assert.deepEqual(await users(), []);
});

test("HTTP-84 the form can be used by everyone", async () => {
  const { text, headers } = await server.request("GET", `/setup?token=${token}`, { key: null });
  const labels = { email: "Email", name: "Name", password: "Password", repeat: "Password again" };
  for (const [name, label] of Object.entries(labels)) {
    assert.match(text, new RegExp(`<label for="${name}">${label}</label><input id="${name}" name="${name}"`));
  }
  assert.match(text, /<html lang="en">/);
  assert.match(text, /<button type="submit">Create administrator</);
  assert.match(text, /prefers-color-scheme/);
  assert.equal(text.includes("<script"), false);
  assert.match(headers.get("content-security-policy") ?? "", /form-action 'self'/);
  assert.equal(headers.get("cache-control"), "no-store");
});

test("HTTP-81 errors are shown beside the field, and passwords are not sent back", async () => {
  const short = await post({ ...form, password: "short-7", repeat: "short-7" });
  assert.equal(short.status, 400);
  assert.match(short.text, /aria-describedby="password-hint password-error" aria-invalid="true"/);
  assert.equal(short.text.includes("short-7"), false);
  const different = await post({ ...form, repeat: "something-else" });
  assert.equal(different.status, 400);
  assert.match(different.text, /id="repeat-error"/);
  const hostile = await post({ ...form, email: '"><script>alert(1)</script>' });
  assert.equal(hostile.status, 400);
  assert.equal(hostile.text.includes("<script>alert"), false);
  for (const email of ["", "nobody", "a@b c"]) assert.equal((await post({ ...form, email })).status, 400);
  assert.deepEqual(await users(), []);
});

test("HTTP-83, HTTP-82, PWR-14 of twenty forms one makes the administrator, then it is closed (T66)", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post({ ...form, email: `user${n}@example.test` })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 403).length, 19);
  const [admin, ...others] = await users();
  assert.deepEqual([others, admin.groups, admin.name], [[], ["admin"], "Ada"]);
  const done = answers.filter(({ status }) => status === 201)[0] as Answer;
  assert.match(done.text, /<h1>Cairn is set up<\/h1>.*<a [^>]*href="\/setup\/environment">Continue<\/a>/);
  const session = await server.request("GET", "/api/auth/session", { key: null, headers: { cookie: cookieOf(done) } });
  assert.deepEqual([session.status, session.body.data.user.email], [200, admin.email]);
  const headers = { cookie: cookieOf(done), "x-csrf-token": session.body.data.csrfToken };
  const body = { name: "first", methods: ["GET"], endpoints: ["*"] };
  assert.equal((await server.request("POST", "/api/apikeys", { key: null, headers, body })).status, 201);
  for (const { status, headers } of answers) assert.equal(headers.has("set-cookie"), status === 201);
  assert.equal((await server.request("GET", `/setup?token=${token}`, { key: null })).status, 403);
  assert.equal((await post(form)).status, 403);
  await server.restart();
  assert.equal(readToken(), undefined);
  assert.equal((await server.request("GET", `/setup?token=${token}`, { key: null })).status, 403);
  assert.equal((await post(form)).status, 403);
});
