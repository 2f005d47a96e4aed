// Passkeys, with an authenticator in software.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { type Forgery, makePasskey, type Passkey, useByPasskey } from "../../support/authenticator.ts";
import { openLogin } from "../../support/login-browser.ts";
import { contentsOf } from "../../support/sample-files.ts";
import { makeUser, type Person, password, personOf, signIn } from "../../support/sign-in.ts";
import { testOnce } from "../../support/test-once.ts";

const site = { origin: "https://cms.example.test", rpId: "cms.example.test" };
const challenges: string[] = [];
let server: Server;
let ada: Person;
let passkey: Passkey;

before(async () => {
  server = await startServer({ env: { CAIRN_URL: site.origin, CAIRN_LOG_LEVEL: "debug" } });
  await makeUser(server, "admin", ["admin"]);
  await makeUser(server, "ada");
  await makeUser(server, "bob");
  ada = await signIn(server, "ada");
});
after(() => server.stop());

/** For those who are signed in. */
const proof = { currentPassword: password };

async function options(path: "login" | "register" | "confirm", person?: Person) {
  const { body } = person
    ? await person.request("POST", `/api/passkeys/${path}/options`, { body: proof })
    : await server.request("POST", `/api/passkeys/${path}/options`, { key: null });
  challenges.push(body.data.challenge);
  return body.data;
}

async function add(person: Person, forge: Forgery = {}, name?: string): Promise<{ answer: Answer; passkey: Passkey }> {
  const made = makePasskey(site, await options("register", person), forge);
  const body = { ...proof, ...(name === undefined ? made.credential : { credential: made.credential, name }) };
  return { answer: await person.request("POST", "/api/passkeys/register", { body }), passkey: made.passkey };
}

const send = (body: object) => server.request("POST", "/api/passkeys/login", { key: null, body });
const logInBy = async (key: Passkey, forge: Forgery = {}) =>
  send(useByPasskey(site, await options("login"), key, forge));

test("PKEY-1 a signed-in user makes a passkey", async () => {
  const asked = await options("register", ada);
  assert.equal(asked.rp.id, site.rpId);
  assert.equal(Buffer.from(asked.challenge, "base64url").length, 32);
  assert.equal(asked.timeout, 300_000);
  assert.equal(asked.attestation, "none");
  assert.equal(asked.authenticatorSelection.residentKey, "required");
  assert.equal(asked.authenticatorSelection.userVerification, "required");
  assert.deepEqual(
    asked.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
    [-7, -257],
  );
  const added = await add(ada, {}, "My phone");
  passkey = added.passkey;
  assert.equal(added.answer.status, 201, added.answer.text);
  assert.deepEqual(Object.keys(added.answer.body.data), ["id", "name", "created", "lastUsed"]);
  assert.equal(added.answer.body.data.name, "My phone");
  const again = await options("register", ada);
  assert.deepEqual(again.excludeCredentials, [
    { id: passkey.id, transports: ["hybrid", "internal"], type: "public-key" },
  ]);
});

test("PKEY-2 signing in by passkey is signing in", async () => {
  const answer = await logInBy(passkey);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data.user.id, "ada");
  assert.match(
    answer.headers.get("set-cookie") ?? "",
    /^cairn_session=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const person = personOf(server, answer);
  assert.equal((await person.request("GET", "/api/auth/session")).body.data.user.id, "ada");
  assert.equal((await person.request("PATCH", "/api/collections/auth/ada", { body: { name: "Ada" } })).status, 200);
  const user = (await server.request("GET", "/api/collections/auth/ada")).body.data;
  assert.equal(user.loginCount, 2);
  assert.equal("passkeys" in user && user.passkeys.length > 0, false);
});

testOnce("PKEY-2 options come by GET as well", async () => {
  const { body, status } = await server.request("GET", "/api/passkeys/login/options", { key: null });
  assert.equal(status, 200);
  challenges.push(body.data.challenge);
  assert.equal(body.data.rpId, site.rpId);
  assert.equal(body.data.userVerification, "required");
  assert.equal((await send(useByPasskey(site, body.data, passkey))).status, 200);
});

test("PKEY-3 a challenge is good for one use, also when the use fails", async () => {
  const asked = await options("login");
  const body = useByPasskey(site, asked, passkey);
  assert.equal((await send(body)).status, 200);
  assert.equal((await send(body)).status, 401);
  assert.equal((await send(useByPasskey(site, asked, passkey))).status, 401);
  const second = await options("login");
  assert.equal((await send(useByPasskey(site, second, passkey, { origin: "https://evil.test" }))).status, 401);
  assert.equal((await send(useByPasskey(site, second, passkey))).status, 401);
  const asked2 = await options("register", ada);
  const made = makePasskey(site, asked2);
  assert.equal(
    (await ada.request("POST", "/api/passkeys/register", { body: { ...made.credential, ...proof } })).status,
    201,
  );
  const twice = makePasskey(site, asked2);
  assert.equal(
    (await ada.request("POST", "/api/passkeys/register", { body: { ...twice.credential, ...proof } })).status,
    400,
  );
  await ada.request("DELETE", `/api/passkeys/${made.passkey.id}`, { body: proof });
});

test("PKEY-3 of one assertion sent many times at once, one signs in", async () => {
  const body = useByPasskey(site, await options("login"), passkey);
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => send(body)))).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 401, 401, 401, 401, 401]);
});

testOnce("PKEY-4 a foreign challenge, or one for another purpose or user, is refused", async () => {
  const bob = await signIn(server, "bob");
  const invented = Buffer.alloc(32, 7).toString("base64url");
  assert.equal((await logInBy(passkey, { challenge: invented })).status, 401);
  assert.equal((await send(useByPasskey(site, await options("register", ada), passkey))).status, 401);
  const forLogin = makePasskey(site, {
    ...(await options("register", ada)),
    challenge: (await options("login")).challenge,
  });
  assert.equal(
    (await ada.request("POST", "/api/passkeys/register", { body: { ...forLogin.credential, ...proof } })).status,
    400,
  );
  const forBob = makePasskey(site, await options("register", bob));
  assert.equal(
    (await ada.request("POST", "/api/passkeys/register", { body: { ...forBob.credential, ...proof } })).status,
    400,
  );
  assert.equal((await ada.request("GET", "/api/passkeys")).body.data.length, 1);
});

testOnce("PKEY-5 another origin, another site, another key, another kind of signature are refused", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const forgeries: Forgery[] = [
    { origin: "https://evil.test" },
    { origin: "http://cms.example.test" },
    { origin: "https://cms.example.test.evil.test" },
    { rpId: "evil.test" },
    { privateKey },
    { type: "webauthn.create" },
    { userHandle: Buffer.from("somebody else").toString("base64url") },
  ];
  for (const forge of forgeries) {
    const answer = await logInBy(passkey, forge);
    assert.equal(answer.status, 401, JSON.stringify(forge));
    assert.equal(answer.headers.get("set-cookie"), null);
  }
  for (const forge of [{ origin: "https://evil.test" }, { rpId: "evil.test" }, { type: "webauthn.get" }])
    assert.equal((await add(ada, forge)).answer.status, 400, JSON.stringify(forge));
  assert.equal((await logInBy(passkey)).status, 200);
});

testOnce("PKEY-5 the site is the public URL, whatever the request says (T27)", async () => {
  const headers = { host: "203.0.113.9", "x-forwarded-host": "evil.test" };
  const { body } = await server.request("POST", "/api/passkeys/login/options", { key: null, headers });
  challenges.push(body.data.challenge);
  assert.equal(body.data.rpId, site.rpId);
  const forged = useByPasskey(site, body.data, passkey, { origin: "http://evil.test", rpId: "evil.test" });
  assert.equal((await server.request("POST", "/api/passkeys/login", { key: null, headers, body: forged })).status, 401);
});

testOnce("PKEY-17 a passkey that has not verified its holder is refused, at registration and at login", async () => {
  assert.equal((await logInBy(passkey, { isUnverified: true })).status, 401);
  assert.equal((await add(ada, { isUnverified: true })).answer.status, 400);
  assert.equal((await logInBy(passkey)).status, 200);
});

test("PKEY-6 a passkey whose count of uses does not go up is refused", async () => {
  assert.equal((await logInBy(passkey)).status, 200);
  const { signCount } = passkey;
  for (const count of [signCount, signCount - 1, 0])
    assert.equal((await logInBy({ ...passkey }, { signCount: count })).status, 401, String(count));
  passkey.signCount = signCount;
  assert.equal((await logInBy(passkey)).status, 200);
});

test("PKEY-6 a passkey that counts nothing works each time", async () => {
  const { passkey: plain, answer } = await add(ada, { signCount: 0 });
  assert.equal(answer.status, 201);
  for (let round = 0; round < 3; round += 1) assert.equal((await logInBy(plain, { signCount: 0 })).status, 200);
  await ada.request("DELETE", `/api/passkeys/${plain.id}`, { body: proof });
});

test("PKEY-7 one sees and deletes one's own passkeys, and a deleted one opens nothing", async () => {
  const { passkey: second, answer } = await add(ada);
  assert.match(answer.body.data.name, /^Passkey \d{4}-\d\d-\d\d$/);
  assert.equal((await logInBy(second)).status, 200);
  const list = (await ada.request("GET", "/api/passkeys")).body.data;
  assert.deepEqual(list.map(({ id }: { id: string }) => id).sort(), [passkey.id, second.id].sort());
  assert.ok(list.every(({ lastUsed }: { lastUsed: string }) => lastUsed !== null));
  const bob = await signIn(server, "bob");
  assert.deepEqual((await bob.request("GET", "/api/passkeys")).body.data, []);
  assert.equal((await bob.request("DELETE", `/api/passkeys/${second.id}`, { body: proof })).status, 404);
  assert.equal((await ada.request("DELETE", `/api/passkeys/${second.id}`, { body: proof })).status, 204);
  assert.equal((await ada.request("DELETE", `/api/passkeys/${second.id}`, { body: proof })).status, 404);
  assert.equal((await logInBy(second)).status, 401);
});

testOnce("PKEY-8 managing needs a session and its CSRF token, and no key will do (T57)", async () => {
  const { credential } = makePasskey(site, await options("register", ada));
  const { cookie } = ada;
  const bare = { key: null, headers: { cookie } };
  assert.equal((await server.request("POST", "/api/passkeys/register", { ...bare, body: credential })).status, 403);
  assert.equal((await server.request("POST", "/api/passkeys/register/options", bare)).status, 403);
  assert.equal((await server.request("DELETE", `/api/passkeys/${passkey.id}`, bare)).status, 403);
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/register/options"],
    ["POST", "/register"],
    ["DELETE", `/${passkey.id}`],
  ] as const) {
    const body = method === "POST" ? { body: credential } : {};
    assert.equal((await server.request(method, `/api/passkeys${path}`, { key: null, ...body })).status, 401, path);
    assert.equal((await server.request(method, `/api/passkeys${path}`, body)).status, 403, path);
  }
});

testOnce("PKEY-18 making and removing a passkey takes the current password (T60)", async () => {
  const bare = { body: {} };
  const wrong = { body: { currentPassword: "wrong-password-1" } };
  const before = (await ada.request("GET", "/api/passkeys")).body.data.length;
  const made = makePasskey(site, await options("register", ada));
  const doors: [method: string, path: string, body: object][] = [
    ["POST", "register/options", {}],
    ["GET", "register/options", {}],
    ["POST", "register", made.credential],
    ["POST", "register", { credential: made.credential }],
    ["DELETE", passkey.id, {}],
  ];
  for (const [method, path, body] of doors) {
    const send = (more: object) =>
      ada.request(method, `/api/passkeys/${path}`, method === "GET" ? {} : { body: { ...body, ...more } });
    const missing = await send(bare.body);
    assert.equal(missing.status, 400, `${method} ${path}`);
    assert.deepEqual(Object.keys(missing.body.error.details), ["currentPassword"]);
    if (method === "GET") continue;
    const refused = await send(wrong.body);
    assert.equal(refused.status, 403, `${method} ${path}`);
    assert.equal(refused.text.includes(wrong.body.currentPassword), false);
  }
  assert.equal((await ada.request("GET", "/api/passkeys")).body.data.length, before);
  await ada.request("POST", "/api/auth/logout");
  ada = await signIn(server, "ada");
});

testOnce(
  "PKEY-19 a passkey that was confirmed takes the place of the current password, in this session alone",
  async () => {
    await makeUser(server, "cora");
    const cora = await signIn(server, "cora");
    const elsewhere = await signIn(server, "cora");
    const { passkey: hers } = await add(cora);
    const confirm = (body: object) => cora.request("POST", "/api/passkeys/confirm", { body });
    const asked = await options("confirm", cora);
    assert.deepEqual(
      asked.allowCredentials.map(({ id }: { id: string }) => id),
      [hers.id],
    );
    assert.equal(asked.userVerification, "required");
    for (const body of [
      useByPasskey(site, await options("login"), hers),
      useByPasskey(site, await options("confirm", cora), hers, { isUnverified: true }),
      useByPasskey(site, await options("confirm", cora), { ...passkey, signCount: 999 }),
      useByPasskey(site, await options("confirm", ada), hers),
      {},
    ])
      assert.equal((await confirm(body)).status, 400);
    const patch = (person: Person, body: object) => person.request("PATCH", "/api/collections/auth/cora", { body });
    assert.equal((await patch(cora, { password: "another-one-1" })).status, 400);
    const answer = await confirm(useByPasskey(site, await options("confirm", cora), hers));
    assert.equal(answer.status, 200, answer.text);
    const until = Date.parse(answer.body.data.confirmedUntil) - Date.now();
    assert.ok(until > 200_000 && until <= 300_000, String(until));
    assert.equal((await cora.request("GET", "/api/passkeys/register/options")).status, 200);
    assert.equal((await elsewhere.request("GET", "/api/passkeys/register/options")).status, 400);
    assert.equal((await patch(elsewhere, { password: "another-one-1" })).status, 400);
    assert.equal((await cora.request("PUT", "/api/collections/auth/cora/password", { body: "short" })).status, 400);
    assert.equal((await patch(cora, { password: "another-one-1" })).status, 200);
    const fresh = personOf(server, await logInBy(hers));
    assert.equal((await fresh.request("PUT", "/api/collections/auth/cora/password", { body: password })).status, 200);
    const admin = await signIn(server, "admin");
    const acting = personOf(server, await admin.request("POST", "/api/auth/impersonate/cora"));
    assert.equal((await acting.request("POST", "/api/passkeys/confirm/options")).status, 403);
    for (const path of ["confirm", "confirm/options"]) {
      assert.equal((await server.request("POST", `/api/passkeys/${path}`, { body: {} })).status, 403);
      assert.equal((await server.request("POST", `/api/passkeys/${path}`, { key: null, body: {} })).status, 401);
    }
  },
);

testOnce("PKEY-9 an administrator who acts as a user cannot manage passkeys", async () => {
  const admin = await signIn(server, "admin");
  const acting = personOf(server, await admin.request("POST", "/api/auth/impersonate/ada"));
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/register/options"],
    ["DELETE", `/${passkey.id}`],
  ] as const)
    assert.equal((await acting.request(method, `/api/passkeys${path}`)).status, 403, path);
  const { credential } = makePasskey(site, { challenge: "x", user: { id: "x" } });
  assert.equal((await acting.request("POST", "/api/passkeys/register", { body: credential })).status, 403);
});

test("PKEY-10 a closed or deleted user is refused like an unknown passkey, and a new user inherits nothing (T62)", async () => {
  await makeUser(server, "eve");
  const { passkey: hers } = await add(await signIn(server, "eve"));
  assert.equal((await logInBy(hers)).status, 200);
  const unknown = await logInBy({ ...hers, id: Buffer.alloc(32, 1).toString("base64url") });
  await server.request("PATCH", "/api/collections/auth/eve", { body: { active: false } });
  const closed = await logInBy(hers);
  assert.equal(closed.status, 401);
  assert.deepEqual(closed.body, unknown.body);
  await server.request("PATCH", "/api/collections/auth/eve", { body: { active: true } });
  assert.equal((await logInBy(hers)).status, 200);
  await server.request("DELETE", "/api/collections/auth/eve");
  assert.equal((await logInBy(hers)).status, 401);
  await makeUser(server, "eve");
  assert.equal((await logInBy(hers)).status, 401);
  assert.deepEqual((await (await signIn(server, "eve")).request("GET", "/api/passkeys")).body.data, []);
});

testOnce("PKEY-10 the limit of logins holds for passkeys too", async () => {
  await makeUser(server, "twice", [], { maxLoginCount: 2 });
  const { passkey: theirs } = await add(await signIn(server, "twice"));
  assert.equal((await logInBy(theirs)).status, 200);
  assert.equal((await logInBy(theirs)).status, 401);
});

testOnce("PKEY-11 an invalid credential is refused, and nothing breaks", async () => {
  const good = useByPasskey(site, await options("login"), passkey) as { response: object };
  const bodies = [
    {},
    [],
    null,
    "x",
    { id: 1 },
    { id: passkey.id },
    { id: passkey.id, response: {} },
    { id: passkey.id, response: { clientDataJSON: "%%%" } },
    { id: passkey.id, response: { clientDataJSON: Buffer.from("null").toString("base64url") } },
    { ...good, response: { ...good.response, authenticatorData: "AAAA", signature: null } },
    { ...good, type: "password" },
    { ...good, rawId: "other" },
    { ...good, id: "x".repeat(5_000) },
  ];
  for (const body of bodies) {
    const login = await server.request("POST", "/api/passkeys/login", {
      key: null,
      raw: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    assert.equal(login.status, 401, JSON.stringify(body).slice(0, 80));
    const made = await ada.request("POST", "/api/passkeys/register", {
      raw: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    assert.equal(made.status, 400, JSON.stringify(body).slice(0, 80));
  }
  const made = makePasskey(site, await options("register", ada));
  const named = { ...proof, credential: made.credential, name: "x".repeat(101) };
  assert.equal((await ada.request("POST", "/api/passkeys/register", { body: named })).status, 400);
});

test("PKEY-15 a user has at most twenty passkeys, also when several are made at the same moment", async () => {
  await makeUser(server, "many");
  const many = await signIn(server, "many");
  for (let count = 0; count < 19; count += 1) assert.equal((await add(many)).answer.status, 201);
  for (let round = 0; round < 3; round += 1) {
    // A newer challenge makes those before it void, so that any number of these may fail.
    const tried = await Promise.all(Array.from({ length: 10 }, () => add(many)));
    const added = tried.filter(({ answer }) => answer.status === 201);
    assert.ok(added.length <= 1, `${19 + added.length} passkeys`);
    for (const { passkey: one } of added) await many.request("DELETE", `/api/passkeys/${one.id}`, { body: proof });
  }
  assert.equal((await add(many)).answer.status, 201);
  assert.equal((await add(many)).answer.status, 400);
  assert.equal((await many.request("GET", "/api/passkeys")).body.data.length, 20);
});

testOnce("PKEY-16 the login page signs in by passkey, with a script of this site alone, and goes on", async () => {
  const back = "/oauth/authorize?client_id=a&scope=b";
  const { text: page, headers } = await server.request("GET", `/login?redirect=${encodeURIComponent(back)}`, {
    key: null,
  });
  assert.match(
    headers.get("content-security-policy") ?? "",
    /^default-src 'none'; style-src '[^']+'; script-src https:\/\/cms\.example\.test\/login\/passkey\.js; connect-src 'self';/,
  );
  assert.deepEqual(page.match(/<script.*?<\/script>/gs), ['<script type="module" src="/login/passkey.js"></script>']);
  assert.match(page, /<section id="passkey" [^>]*hidden>/);
  const { headers: served } = await server.request("GET", "/login/passkey.js", { key: null });
  assert.equal(served.get("content-type"), "text/javascript; charset=utf-8");

  const tab = await openLogin(server, { page, site, passkey });
  assert.ok(tab.isOffered);
  await tab.click();
  const { to, login } = tab.went();
  assert.equal(to, `/login?redirect=${encodeURIComponent(back)}`, tab.status());
  const { cookie } = personOf(server, login as Answer);
  const gone = await server.request("GET", to as string, { key: null, headers: { cookie } });
  assert.deepEqual([gone.status, gone.headers.get("location")], [303, back]);
});

testOnce("PKEY-16 a refused or missing passkey shows a message, and the form stays", async () => {
  const { text: page } = await server.request("GET", "/login", { key: null });
  const none = await openLogin(server, { page, site, passkey: undefined });
  await none.click();
  assert.match(none.status(), /No passkey was used/);
  const stranger = { ...passkey, id: "c3RyYW5nZXI" };
  const refused = await openLogin(server, { page, site, passkey: stranger });
  await refused.click();
  assert.match(refused.status(), /is not valid for an account/);
  assert.equal(refused.went().to, undefined);
});

testOnce("PKEY-12 where they are switched off, or below the Standard edition, there are none", async () => {
  const paths = [
    ["POST", "/login/options"],
    ["POST", "/login"],
    ["GET", "/register/options"],
    ["GET", ""],
    ["DELETE", `/${passkey.id}`],
  ] as const;
  const set = (name: string, value: string) => server.cli(["settings:set", name, value]);
  for (const [name, off, on] of [
    ["auth.usePasskeys", "false", "true"],
    ["edition", "lite", "standard"],
  ] as const) {
    await set(name, off);
    for (const [method, path] of paths) {
      const body = path === "/login" ? { body: {} } : {};
      assert.equal((await server.request(method, `/api/passkeys${path}`, { key: null, ...body })).status, 404, path);
      assert.equal((await ada.request(method, `/api/passkeys${path}`, body)).status, 404, path);
    }
    assert.ok(!/script|passkey/i.test((await server.request("GET", "/login", { key: null })).text));
    await set(name, on);
    assert.equal((await logInBy(passkey)).status, 200, name);
  }
});

testOnce("PKEY-13 no challenge is in the data directory or in the log (T70)", () => {
  assert.ok(challenges.length > 30);
  for (const [path, content] of contentsOf(server.dataDir)) {
    for (const challenge of challenges) assert.equal(content.includes(challenge), false, path);
  }
  for (const challenge of challenges) assert.equal(server.stderr.includes(challenge), false);
});
