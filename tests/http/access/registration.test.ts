// People who register by themselves, and prove that their address is theirs.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { contentsOf } from "../../support/sample-files.ts";
import { logIn, makeUser, type Person, signIn } from "../../support/sign-in.ts";
import { type Mailbox, openMailbox, tokenIn } from "../../support/smtp-server.ts";
import { testOnce } from "../../support/test-once.ts";

let mailbox: Mailbox;
let server: Server;
const chosen = "my-own-password-1";
const tokens: string[] = [];

before(async () => {
  mailbox = await openMailbox();
  server = await startServer({
    env: { CAIRN_TRUST_PROXY: "127.0.0.1", CAIRN_LOG_LEVEL: "debug" },
    settings: { smtp: mailbox.smtp, auth: { publicRegistration: ["auth"] } },
  });
});
after(async () => {
  await server.stop();
  await mailbox.close();
});
beforeEach(() => requireVerification(false));

const requireVerification = (isRequired: boolean) =>
  server.request("PATCH", "/api/collections/auth/settings", { body: { requireEmailVerification: isRequired } });

let hosts = 0;
const post = (path: string, body: unknown, address = `198.51.100.${++hosts}`) =>
  server.request("POST", `/api/auth/${path}`, { key: null, body, headers: { "x-forwarded-for": address } });
const register = (id: string, more: object = {}, address?: string) =>
  post("register", { email: `${id}@example.test`, password: chosen, ...more }, address);
const stored = async (email: string) => {
  const { body } = await server.request("GET", `/api/collections/auth?filter[email]=${encodeURIComponent(email)}`);
  return body.data;
};
const mailed = async (id: string) => {
  const token = tokenIn(await mailbox.next(`${id}@example.test`));
  tokens.push(token);
  return token;
};
const canLogIn = async (id: string, password = chosen) =>
  (await logIn(server, { email: `${id}@example.test`, password })).status === 200;

test("REG-2 registration is closed before the installation has an administrator (T66)", async () => {
  const early = await register("early");
  assert.equal(early.status, 403, early.text);
  assert.deepEqual(await stored("early@example.test"), []);
  await makeUser(server, "admin", ["admin"]);
});

testOnce(
  "REG-1 registration is closed unless the settings open it, and only the users' own collection can be opened",
  async () => {
    await server.request("PUT", "/api/settings/auth", { body: { publicRegistration: [] } });
    assert.equal((await register("closed")).status, 403);
    const other = await server.request("PUT", "/api/settings/auth", { body: { publicRegistration: ["members"] } });
    assert.equal(other.status, 400);
    assert.match(other.text, /a list of auth/);
    await server.request("PUT", "/api/settings/auth", { body: { publicRegistration: ["auth"] } });
    assert.equal((await register("opened")).status, 201);
  },
);

test("REG-3 without verification the user can sign in at once", async () => {
  const answer = await register("ann", { name: "Ann" });
  assert.equal(answer.status, 201, answer.text);
  const { data } = answer.body;
  assert.equal(data.email, "ann@example.test");
  assert.equal(data.name, "Ann");
  assert.equal(data.active, true);
  assert.equal("password" in data, false);
  assert.equal(answer.body.meta, undefined);
  assert.equal(await canLogIn("ann"), true);
});

testOnce("REG-4 a registration sets only name, address and password", async () => {
  const sent = {
    id: "admin-2",
    groups: ["admin"],
    active: false,
    expiration: "2030-01-01",
    maxLoginCount: 5,
    loginCount: 5,
    lastlogin: "2020-01-01",
    passkeys: [{ credentialId: "x" }],
    image: { name: "x.png" },
    unknown: "x",
  };
  assert.equal((await register("mallory", sent)).status, 201);
  const [user] = await stored("mallory@example.test");
  assert.notEqual(user.id, "admin-2");
  assert.deepEqual(user.groups, ["member"]);
  assert.equal(user.active, true);
  assert.equal(user.loginCount, 0);
  assert.equal(user.maxLoginCount, 0);
  for (const name of ["expiration", "lastlogin", "passkeys", "image", "unknown"]) assert.ok(!user[name]?.length, name);
  const session = await logIn(server, { email: "mallory@example.test", password: chosen });
  assert.equal(session.body.data.user.isAdmin, false);
});

testOnce("REG-5 invalid fields are refused by name", async () => {
  for (const [body, name] of [
    [{ password: chosen }, "email"],
    [{ email: "no-password@example.test" }, "password"],
    [{ email: "not an address", password: chosen }, "email"],
    [{ email: "a@example.test, b@example.test", password: chosen }, "email"],
    [{ email: ["a@example.test"], password: chosen }, "email"],
    [{ email: "short@example.test", password: "short-7" }, "password"],
    [{ email: "spaces@example.test", password: "with some spaces" }, "password"],
  ] as const) {
    for (const isRequired of [false, true]) {
      await requireVerification(isRequired);
      const answer = await post("register", body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.ok(answer.body.error.details[name], answer.text);
    }
  }
  for (const body of [[], "x", 1]) assert.equal((await post("register", body)).status, 400);
});

test("REG-6 without verification a taken address is refused, in any case", async () => {
  await register("taken");
  for (const email of ["taken@example.test", "TAKEN@Example.test"]) {
    const again = await post("register", { email, password: chosen });
    assert.equal(again.status, 400);
    assert.ok(again.body.error.details.email);
  }
  assert.equal((await stored("taken@example.test")).length, 1);
});

test("REG-7 with verification a user is closed until the link is used", async () => {
  await requireVerification(true);
  const answer = await register("vera", { name: "Vera" });
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body, { data: { email: "vera@example.test" }, meta: { requiresVerification: true } });
  assert.equal(await canLogIn("vera"), false);
  const token = await mailed("vera");
  for (const path of ["/verify-email", "/verify-email"]) {
    const page = await server.request("GET", `${path}?token=${token}`, { key: null });
    assert.equal(page.status, 200);
    assert.match(page.text, /<form method="post" action="\/verify-email">.*<button type="submit">/);
    assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  }
  assert.equal(await canLogIn("vera"), false);
  assert.equal((await post("verify-email", { token })).status, 200);
  assert.equal(await canLogIn("vera"), true);
  assert.equal((await post("verify-email", { token })).status, 400);
});

testOnce("REG-7 the page's button verifies too", async () => {
  await requireVerification(true);
  await register("paul");
  const press = (token: string) =>
    server.request("POST", "/verify-email", {
      key: null,
      raw: new URLSearchParams({ token }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const token = await mailed("paul");
  assert.equal((await press("wrong")).status, 400);
  assert.equal((await press(token)).status, 200);
  assert.equal(await canLogIn("paul"), true);
  assert.equal((await press(token)).status, 400);
});

test("REG-8 with verification a taken address is answered like a free one, and its owner gets a mail (T61)", async () => {
  await register("owner", { name: "Owner" });
  await requireVerification(true);
  const free = await register("free");
  const taken = await register("owner", { password: "somebody-elses-1", name: "Buy this at evil.test" });
  assert.equal(taken.status, free.status);
  assert.deepEqual(Object.keys(taken.body.data), Object.keys(free.body.data));
  assert.deepEqual(taken.body.meta, free.body.meta);
  assert.deepEqual([...taken.headers.keys()].sort(), [...free.headers.keys()].sort());
  const mail = await mailbox.next("owner@example.test");
  assert.match(mail.parsed.subject ?? "", /already/);
  assert.equal(mail.raw.includes("evil.test"), false);
  assert.equal(tokenIn(mail), "");
  assert.equal(await canLogIn("owner"), true);
  assert.equal(await canLogIn("owner", "somebody-elses-1"), false);
  await mailed("free");
});

test("REG-9 a new link is sent to unverified users, and the answer reveals nothing", async () => {
  await register("done");
  await requireVerification(true);
  await register("waiting");
  const first = await mailed("waiting");
  const answers = [];
  for (const id of ["waiting", "done", "nobody"]) {
    answers.push(await post("resend-verification", { email: `${id}@example.test` }));
  }
  for (const { status, text } of answers) {
    assert.equal(status, 202);
    assert.equal(text, answers[0]?.text);
  }
  const second = await mailed("waiting");
  assert.equal((await post("verify-email", { token: first })).status, 400);
  assert.equal((await post("verify-email", { token: second })).status, 200);
  for (const id of ["done", "nobody"]) assert.deepEqual(await mailbox.settled(`${id}@example.test`), []);
});

test("REG-10 verification does not open a user whom an administrator has disabled", async () => {
  await requireVerification(true);
  await register("banned");
  const [{ id }] = await stored("banned@example.test");
  const token = await mailed("banned");
  await server.request("PATCH", `/api/collections/auth/${id}`, { body: { active: true } });
  await server.request("PATCH", `/api/collections/auth/${id}`, { body: { active: false } });
  assert.equal((await post("verify-email", { token })).status, 400);
  await makeUser(server, "off", [], { active: false });
  for (const name of ["banned", "off"]) await post("resend-verification", { email: `${name}@example.test` });
  assert.equal((await mailbox.settled("banned@example.test")).length, 1);
  assert.deepEqual(await mailbox.settled("off@example.test"), []);
  assert.equal(await canLogIn("banned"), false);
});

test("REG-11 a registration of an unverified address replaces the earlier one", async () => {
  await requireVerification(true);
  await register("victim", { password: "the-attackers-1" });
  const theirs = await mailed("victim");
  await register("victim", { password: "the-owners-own-1" });
  const own = await mailed("victim");
  assert.equal((await stored("victim@example.test")).length, 1);
  assert.equal((await post("verify-email", { token: theirs })).status, 400);
  assert.equal((await post("verify-email", { token: own })).status, 200);
  assert.equal(await canLogIn("victim", "the-attackers-1"), false);
  assert.equal(await canLogIn("victim", "the-owners-own-1"), true);
});

test("REG-12 a reset link does not bypass verification", async () => {
  await requireVerification(true);
  await register("around");
  await mailed("around");
  await post("forgot-password", { email: "around@example.test" });
  assert.equal((await mailbox.settled("around@example.test")).length, 1);
  assert.equal(await canLogIn("around"), false);
});

test("REG-13 an address registers ten times an hour, failures included (T72)", async () => {
  const address = "203.0.113.7";
  for (let round = 0; round < 10; round += 1) {
    const more = round < 5 ? { password: "short" } : {};
    assert.equal((await register(`many-${round}`, more, address)).status, round < 5 ? 400 : 201);
  }
  const over = await register("many-11", {}, address);
  assert.equal(over.status, 429);
  assert.ok(Number(over.headers.get("retry-after")) > 0);
});

test("REG-17 an address gets five mails an hour, however many register it from wherever", async () => {
  await requireVerification(true);
  for (let round = 0; round < 7; round += 1) assert.equal((await register("bombed")).status, 201);
  await post("resend-verification", { email: "bombed@example.test" });
  const mails = await mailbox.settled("bombed@example.test", 5);
  assert.equal(mails.length, 5);
  tokens.push(...mails.map(tokenIn));
});

test("REG-14 of the same registration many times at once one makes a user", async () => {
  for (const isRequired of [false, true]) {
    await requireVerification(isRequired);
    const id = `crowd-${isRequired}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => register(id)));
    const refused = answers.filter(({ status }) => status !== 201).map(({ status }) => status);
    assert.deepEqual(refused, isRequired ? [] : [400, 400, 400, 400, 400]);
    assert.equal((await stored(`${id}@example.test`)).length, 1);
  }
});

testOnce("REG-15 a registration by a signed-in user gives none of their rights", async () => {
  await makeUser(server, "chief", ["admin"]);
  const chief = await signIn(server, "chief");
  const body = { email: "by-chief@example.test", password: chosen, groups: ["admin"] };
  const answer = await chief.request("POST", "/api/auth/register", { body });
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual((await stored("by-chief@example.test"))[0].groups, ["member"]);
});

const move = (person: Person, email: string, more: object = {}) =>
  person.request("PATCH", `/api/collections/auth/${person.id}`, { body: { email, currentPassword: chosen, ...more } });
const mover = async (id: string) => {
  await makeUser(server, id, [], { password: chosen });
  return signIn(server, id, { password: chosen });
};

test("USER-13 USER-22 a new address takes effect when its link was opened, and the old one gets a notice", async () => {
  const mia = await mover("mia");
  const asked = await move(mia, "mia-new@example.test", { name: "Mia" });
  assert.equal(asked.status, 200, asked.text);
  assert.deepEqual(asked.body.meta, { requiresVerification: true });
  assert.deepEqual([asked.body.data.email, asked.body.data.name], ["mia@example.test", "Mia"]);
  const notice = await mailbox.next("mia@example.test");
  assert.match(notice.parsed.text ?? "", /If it was not you, choose a new password/);
  assert.equal(tokenIn(notice), "");
  const token = await mailed("mia-new");
  const page = await server.request("GET", `/verify-email?token=${token}`, { key: null });
  assert.match(page.text, /<form method="post" action="\/verify-email">/);
  assert.equal(await canLogIn("mia"), true);
  assert.equal(await canLogIn("mia-new"), false);
  const forged = token.slice(0, 43) + Buffer.from("evil@example.test").toString("base64url");
  assert.equal((await post("verify-email", { token: forged })).status, 400);
  assert.equal((await post("verify-email", { token })).status, 200);
  assert.deepEqual([await canLogIn("mia"), await canLogIn("mia-new")], [false, true]);
  assert.equal((await post("verify-email", { token })).status, 400);
  assert.equal((await mia.request("GET", "/api/auth/session")).status, 200);
  assert.equal((await move(mia, "no address")).status, 400);
});

test("USER-14 USER-24 a new address or password invalidates mailed links", async () => {
  const tom = await mover("tom");
  await post("forgot-password", { email: "tom@example.test" });
  const reset = await mailed("tom");
  await move(tom, "tom-new@example.test");
  const first = await mailed("tom-new");
  await move(tom, "tom-newer@example.test");
  const second = await mailed("tom-newer");
  assert.equal((await post("verify-email", { token: first })).status, 400);
  assert.equal((await post("verify-email", { token: second })).status, 200);
  const late = { token: reset, password: "by-an-old-link-1" };
  assert.equal((await post("reset-password", late)).status, 400);
  await move(tom, "tom-last@example.test");
  const third = await mailed("tom-last");
  await server.request("PATCH", "/api/collections/auth/tom", { body: { password: "set-by-a-key-1" } });
  assert.equal((await post("verify-email", { token: third })).status, 400);
  // The notice that somebody wanted another one.
  assert.equal(tokenIn(await mailbox.next("tom-newer@example.test")), "");
  await post("forgot-password", { email: "tom-newer@example.test" });
  const another = await mailed("tom-newer");
  await server.request("PATCH", "/api/collections/auth/tom", { body: { email: "tom@elsewhere.test" } });
  assert.equal((await post("reset-password", { ...late, token: another })).status, 400);
});

test("USER-23 a user changes the address five times an hour", async () => {
  const max = await mover("max");
  const statuses = [];
  for (let at = 1; at <= 6; at += 1) statuses.push((await move(max, `max-${at}@example.test`)).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test("USER-17 a taken and a free address answer alike where addresses are verified, and stay unique", async () => {
  await makeUser(server, "holder");
  const ken = await mover("ken");
  const told = await move(ken, "HOLDER@example.test");
  assert.deepEqual([told.status, Object.keys(told.body.error.details)], [400, ["email"]]);
  await requireVerification(true);
  const taken = await move(ken, "holder@example.test");
  const free = await move(ken, "ken-new@example.test");
  const shape = ({ status, body, headers }: Answer) => {
    const { modified: _, ...data } = body.data;
    return [status, { ...body, data }, [...headers.keys()].sort()];
  };
  assert.deepEqual(shape(taken), shape(free));
  const notice = await mailbox.next("holder@example.test");
  assert.match(notice.parsed.subject ?? "", /already/);
  assert.equal(tokenIn(notice), "");
  assert.equal((await mailbox.settled("ken@example.test", 2)).length, 2);
  const token = await mailed("ken-new");
  await makeUser(server, "quick", [], { email: "ken-new@example.test" });
  assert.equal((await post("verify-email", { token })).status, 400);
  assert.equal((await stored("ken-new@example.test")).length, 1);
  assert.equal(await canLogIn("ken"), true);
});

test("REG-16 no token and no password is in the data directory or in the log (T70)", () => {
  const secrets = [...tokens, chosen, "the-attackers-1"];
  assert.ok(tokens.length >= 8);
  assert.ok(tokens.every((token) => token.length >= 43));
  for (const [path, content] of contentsOf(server.dataDir)) {
    for (const secret of secrets) assert.equal(content.includes(secret), false, path);
  }
  for (const secret of secrets) assert.equal((server.stdout + server.stderr).includes(secret), false);
});
