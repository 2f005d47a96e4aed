// A forgotten password: asked for, mailed, set. Against a real mail server on this machine.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { leastTime, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { contentsOf } from "../../support/sample-files.ts";
import { type Mailbox, openMailbox, tokenIn } from "../../support/smtp-server.ts";

let mailbox: Mailbox;
let server: Server;
const publicUrl = "https://cms.example.test";
const password = "first-password-1";
const tokens: string[] = [];

before(async () => {
  mailbox = await openMailbox();
  server = await startServer({
    env: { CAIRN_URL: publicUrl, CAIRN_TRUST_PROXY: "127.0.0.1", CAIRN_LOG_LEVEL: "debug" },
    settings: { smtp: mailbox.smtp },
  });
  await makeUser("admin", { groups: ["admin"] });
});
after(async () => {
  await server.stop();
  await mailbox.close();
});

const makeUser = (id: string, more: Record<string, unknown> = {}) =>
  server.request("POST", "/api/collections/auth", {
    body: { id, email: `${id}@example.test`, password, active: true, ...more },
  });

let hosts = 0;
/** Each call from another address, so that the limit by address is met only where it is tested. */
const newAddress = () => `198.51.${Math.floor(++hosts / 250)}.${1 + (hosts % 250)}`;
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.request("POST", path, { key: null, body, headers: { "x-forwarded-for": newAddress(), ...headers } });
const forgot = (email: string, headers?: Record<string, string>) =>
  post("/api/auth/forgot-password", { email }, headers);
const reset = (token: string, chosen: string) => post("/api/auth/reset-password", { token, password: chosen });
const logIn = (email: string, chosen: string) => post("/api/auth/login", { email, password: chosen });
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  server.request("POST", path, {
    key: null,
    raw: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": newAddress(), ...headers },
  });

async function mailedToken(id: string): Promise<string> {
  await forgot(`${id}@example.test`);
  const token = tokenIn(await mailbox.next(`${id}@example.test`));
  tokens.push(token);
  return token;
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

test("MAIL-1 MAIL-5 a forgotten password is replaced by the mailed link", async () => {
  await makeUser("ada");
  const asked = await forgot("  ADA@Example.test ");
  assert.equal(asked.status, 202);
  const mail = await mailbox.next("ada@example.test");
  const token = tokenIn(mail);
  tokens.push(token);
  assert.match(token, /^[\w-]{43}$/);
  const done = await reset(token, "second-password-2");
  assert.equal(done.status, 200, done.text);
  assert.equal(typeof done.body.data.message, "string");
  assert.equal((await logIn("ada@example.test", password)).status, 401);
  assert.equal((await logIn("ada@example.test", "second-password-2")).status, 200);
});

test("MAIL-2 the answer is the same for known, unknown and closed accounts", async () => {
  await makeUser("bob");
  await makeUser("closed", { active: false });
  await makeUser("expired", { expiration: "2020-01-01" });
  const answers = [];
  for (const id of ["bob", "nobody", "closed", "expired"]) answers.push(await forgot(`${id}@example.test`));
  for (const { status, text } of answers) {
    assert.equal(status, 202);
    assert.equal(text, answers[0]?.text);
  }
  tokens.push(tokenIn(await mailbox.next("bob@example.test")));
  for (const id of ["nobody", "closed", "expired"])
    assert.deepEqual(await mailbox.settled(`${id}@example.test`), [], id);
});

test("MAIL-3 the answer takes as long for a known account as for an unknown one, however slow the mail server (T61)", async () => {
  const slow = await openMailbox({ onConnect: (_session, done) => setTimeout(done, 300) });
  await server.request("PUT", "/api/settings/smtp", { body: slow.smtp });
  const count = 12;
  for (let at = 0; at < count; at += 1) await makeUser(`known-${at}`);
  // A busy machine may spoil many of them; a difference in the work itself shows in the middle of enough.
  const times = { known: [] as number[], unknown: [] as number[] };
  const isSame = () => Math.abs(median(times.known) - median(times.unknown)) < Math.max(8, 0.5 * median(times.unknown));
  for (let round = 0; round < 3 * count || (round < 12 * count && !isSame()); round += 1) {
    const kinds = round % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const kind of kinds) {
      const start = performance.now();
      await forgot(`${kind}-${round % count}@example.test`);
      times[kind].push(performance.now() - start);
    }
  }
  await slow.next("known-0@example.test");
  await server.request("PUT", "/api/settings/smtp", { body: mailbox.smtp });
  assert.ok(isSame(), `${median(times.known)} ms and ${median(times.unknown)} ms`);
  await slow.close();
});

test("MAIL-4 links name the public URL, whatever the request says (T27)", async () => {
  await makeUser("host");
  await forgot("host@example.test", {
    host: "203.0.113.9",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "http",
  });
  const mail = await mailbox.next("host@example.test");
  tokens.push(tokenIn(mail));
  assert.match(mail.parsed.text ?? "", /https:\/\/cms\.example\.test\/reset-password\?token=/);
  assert.doesNotMatch(mail.raw, /evil\.test|203\.0\.113\.9/);
});

test("MAIL-6 a link works once, and a newer one makes it void", async () => {
  await makeUser("once");
  const older = await mailedToken("once");
  const newer = await mailedToken("once");
  assert.notEqual(older, newer);
  assert.equal((await reset(older, "another-one-3")).status, 400);
  assert.equal((await reset(newer, "another-one-3")).status, 200);
  assert.equal((await reset(newer, "another-one-4")).status, 400);
  assert.equal((await logIn("once@example.test", "another-one-3")).status, 200);
});

test("MAIL-6 of several uses at the same moment one succeeds", async () => {
  await makeUser("race");
  const token = await mailedToken("race");
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => reset(token, `racing-password-${at}`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400, 400, 400]);
});

test("MAIL-7 unknown, used and foreign tokens get one and the same refusal", async () => {
  await makeUser("same");
  const token = await mailedToken("same");
  await reset(token, "another-one-5");
  const used = await reset(token, "another-one-6");
  const unknown = await reset("x".repeat(43), "another-one-6");
  assert.equal(used.status, 400);
  assert.deepEqual(used.body, unknown.body);
  const verified = await post("/api/auth/verify-email", { token: await mailedToken("same") });
  assert.deepEqual(verified.body, unknown.body);
});

test("MAIL-8 the mail says how long the link works, as the settings have it", async () => {
  await makeUser("late");
  assert.match((await forgotMail("late")).parsed.text ?? "", /within 30 minutes/);
  assert.equal((await server.request("PUT", "/api/settings/auth", { body: { resetTokenExpiry: 0 } })).status, 400);
  await server.request("PUT", "/api/settings/auth", { body: { resetTokenExpiry: 7 } });
  assert.match((await forgotMail("late")).parsed.text ?? "", /within 7 minutes/);
  await server.request("PUT", "/api/settings/auth", { body: { resetTokenExpiry: null } });
});

async function forgotMail(id: string) {
  await forgot(`${id}@example.test`);
  const mail = await mailbox.next(`${id}@example.test`);
  tokens.push(tokenIn(mail));
  return mail;
}

test("MAIL-9 a new password ends the sessions of the user (T62)", async () => {
  await makeUser("sam");
  const cookie = ((await logIn("sam@example.test", password)).headers.get("set-cookie") ?? "").split(";")[0] as string;
  const session = () => server.request("GET", "/api/auth/session", { key: null, headers: { cookie } });
  assert.equal((await session()).status, 200);
  assert.equal((await reset(await mailedToken("sam"), "another-one-7")).status, 200);
  assert.equal((await session()).status, 401);
});

test("MAIL-10 a password that the rules refuse leaves the link as it is", async () => {
  await makeUser("rules");
  const token = await mailedToken("rules");
  for (const bad of ["short-7", "with spaces in it", "x".repeat(1_001)]) {
    const answer = await reset(token, bad);
    assert.equal(answer.status, 400, bad);
    assert.ok(answer.body.error.details.password, answer.text);
  }
  assert.equal((await reset(token, "another-one-8")).status, 200);
});

test("MAIL-11 a link is bound to the very user, and void once the user is closed", async () => {
  await makeUser("gone");
  const token = await mailedToken("gone");
  await server.request("DELETE", "/api/collections/auth/gone");
  await makeUser("gone");
  assert.equal((await reset(token, "another-one-9")).status, 400);
  const second = await mailedToken("gone");
  await server.request("PATCH", "/api/collections/auth/gone", { body: { active: false } });
  assert.equal((await reset(second, "another-one-9")).status, 400);
});

test("MAIL-12 an account gets five mails an hour, and the answer stays the same", async () => {
  await makeUser("often");
  for (let round = 0; round < 8; round += 1) assert.equal((await forgot("often@example.test")).status, 202);
  const mails = await mailbox.settled("often@example.test", 5);
  assert.equal(mails.length, 5);
  tokens.push(...mails.map(tokenIn));
});

test("MAIL-13 an address may ask twenty times an hour, whomever it asks for (T72)", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (let round = 0; round < 20; round += 1)
    assert.equal((await forgot(`x${round}@example.test`, headers)).status, 202);
  const over = await forgot("x@example.test", headers);
  assert.equal(over.status, 429);
  assert.ok(Number(over.headers.get("retry-after")) > 0);
  assert.equal((await form("/forgot-password", { email: "x@example.test" }, headers)).status, 429);
  assert.equal((await forgot("x@example.test")).status, 202);
});

test("MAIL-14 bad bodies are refused, with the field named", async () => {
  for (const path of ["forgot-password", "reset-password", "verify-email", "resend-verification"]) {
    for (const body of [{}, [], "text", { email: 1, token: {}, password: [] }, { email: "", token: "" }]) {
      const answer = await post(`/api/auth/${path}`, body);
      assert.equal(answer.status, 400, `${path} ${JSON.stringify(body)}`);
      assert.equal(answer.body.error.code, 400);
    }
  }
  const { details } = (await post("/api/auth/reset-password", {})).body.error;
  assert.deepEqual(Object.keys(details), ["token", "password"]);
});

test("MAIL-15 the pages work without script, and opening a link changes nothing (T63)", async () => {
  await makeUser("page");
  const asked = await form("/forgot-password", { email: "page@example.test" });
  assert.equal(asked.status, 202);
  const token = tokenIn(await mailbox.next("page@example.test"));
  tokens.push(token);
  for (const path of ["/forgot-password", `/reset-password?token=${token}`, `/reset-password?token=${token}`]) {
    const page = await server.request("GET", path, { key: null });
    assert.equal(page.status, 200, path);
    assert.match(page.text, /<form method="post"/);
    assert.equal(page.text.includes("<script"), false);
    assert.equal(page.headers.get("referrer-policy"), "no-referrer");
    assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
    assert.equal(page.headers.get("cache-control"), "no-store");
  }
  const differing = await form("/reset-password", { token, password: "by-the-form-1", repeat: "by-the-form-2" });
  assert.equal(differing.status, 400);
  assert.equal(differing.text.includes("by-the-form"), false);
  assert.equal((await form("/reset-password", { token, password: "short", repeat: "short" })).status, 400);
  const done = await form("/reset-password", { token, password: "by-the-form-1", repeat: "by-the-form-1" });
  assert.equal(done.status, 200, done.text);
  assert.equal((await logIn("page@example.test", "by-the-form-1")).status, 200);
  for (const path of [`/reset-password?token=${token}`, "/reset-password", "/reset-password?token=%3Cb%3E&token=2"]) {
    const page = await server.request("GET", path, { key: null });
    assert.equal(page.status, 400, path);
    assert.equal(page.text.includes("<form"), false);
  }
});

test("MAIL-15 the pages do nothing in the name of the signed-in user, so they need no CSRF token", async () => {
  await makeUser("tab");
  const cookie = ((await logIn("tab@example.test", password)).headers.get("set-cookie") ?? "").split(";")[0] as string;
  assert.equal((await form("/forgot-password", { email: "tab@example.test" }, { cookie })).status, 202);
  tokens.push(tokenIn(await mailbox.next("tab@example.test")));
  assert.equal((await forgot("tab@example.test", { cookie })).status, 202);
  tokens.push(tokenIn(await mailbox.next("tab@example.test")));
});

test("MAIL-16 a mail goes to the stored address alone, from the configured one", async () => {
  await makeUser("only");
  for (const email of [
    "only@example.test, eve@evil.test",
    "only@example.test\nBcc: eve@evil.test",
    "<only@example.test>",
    "eve@evil.test\0only@example.test",
  ]) {
    const answer = await forgot(email);
    assert.ok(answer.status === 202 || answer.status === 400, email);
  }
  const mail = await forgotMail("only");
  assert.deepEqual(mail.to, ["only@example.test"]);
  assert.equal(mail.from, "cms@example.test");
  assert.equal(mail.parsed.from?.value[0]?.name, "Test site");
  assert.deepEqual(await mailbox.settled("eve@evil.test"), []);
});

test("MAIL-17 without a mail server the answers stay the same, and a warning is logged", async () => {
  const { smtp } = mailbox;
  await makeUser("nomail");
  await server.setSetting("smtp.host", "");
  assert.equal((await forgot("nomail@example.test")).status, 202);
  assert.deepEqual(await mailbox.settled("nomail@example.test"), []);
  assert.ok(await until(() => /Mail is not configured: smtp\.host is empty/.test(server.stderr)));
  await server.setSetting("smtp.host", smtp.host);
  assert.equal((await forgot("nomail@example.test")).status, 202);
  tokens.push(tokenIn(await mailbox.next("nomail@example.test")));
});

test("MAIL-18 a mail server whose certificate is not trusted gets nothing, nor does a distant one without TLS", async () => {
  await makeUser("tls");
  for (const smtp of [
    { secure: "starttls", host: "127.0.0.1" },
    { secure: "none", host: "mail.example.test" },
  ]) {
    assert.equal((await server.request("PUT", "/api/settings/smtp", { body: smtp })).status, 200);
    assert.equal((await forgot("tls@example.test")).status, 202);
    assert.deepEqual(await mailbox.settled("tls@example.test"), []);
  }
  assert.ok(await until(() => /smtp\.secure may be none only for a mail server on this machine/.test(server.stderr)));
  await server.request("PUT", "/api/settings/smtp", { body: mailbox.smtp });
});

test("MAIL-19 a message that was not taken is tried again, with the same link", async () => {
  await makeUser("again");
  let refusals = 2;
  const moody = await openMailbox({
    onRcptTo(_address, _session, done) {
      refusals -= 1;
      done(refusals >= 0 ? Object.assign(new Error("not now"), { responseCode: 451 }) : null);
    },
  });
  await server.request("PUT", "/api/settings/smtp", { body: moody.smtp });
  await forgot("again@example.test");
  const token = tokenIn(await moody.next("again@example.test"));
  tokens.push(token);
  assert.equal((await moody.settled("again@example.test")).length, 1);
  assert.equal((await reset(token, "another-one-10")).status, 200);
  await server.request("PUT", "/api/settings/smtp", { body: mailbox.smtp });
  await moody.close();
});

test("MAIL-20 waiting mail is sent by the next server, and a silent mail server does not delay the stop", async () => {
  await makeUser("last");
  await forgot("last@example.test");
  assert.equal(await server.terminate(), 0);
  await server.restart();
  tokens.push(tokenIn(await mailbox.next("last@example.test")));
  // It reads, or it would never notice that the other side has gone.
  const silent = createServer((socket) => socket.on("error", () => {}).resume()).listen(0, "127.0.0.1");
  await new Promise((done) => silent.once("listening", done));
  const { port } = silent.address() as { port: number };
  await server.request("PUT", "/api/settings/smtp", { body: { ...mailbox.smtp, port } });
  const ask = async () => assert.equal((await forgot("last@example.test")).status, 202);
  assert.ok((await leastTime(1_000, ask)) < 1_000);
  assert.equal(await server.terminate(), 0);
  await server.cli(["settings:set", "smtp.port", String(mailbox.port)]);
  silent.close();
  await server.restart();
  tokens.push(tokenIn(await mailbox.next("last@example.test")));
});

test("MAIL-21 no token is in the data directory or in the log (T70)", async () => {
  await forgot("nobody-to-flush@example.test");
  assert.ok(tokens.length > 15);
  assert.ok(tokens.every((token) => token.length === 43));
  const files = contentsOf(server.dataDir);
  assert.ok(files.size > 0);
  for (const [path, content] of files) {
    for (const token of tokens) assert.equal(content.includes(token), false, path);
  }
  for (const token of tokens) assert.equal((server.stdout + server.stderr).includes(token), false);
});
