import assert from "node:assert/strict";
import { test } from "node:test";
import { findMailProblem, isAddress, MailError, sendMail } from "./smtp.ts";

const settings = {
  host: "127.0.0.1",
  port: 1,
  secure: "none",
  user: "",
  password: "",
  from: "cms@example.test",
  fromName: "Cairn",
};

test("MAIL-16 one address is one address", () => {
  for (const address of ["a@b", "ada.lovelace+x@example.test", "jürgen@exämple.test"]) assert.ok(isAddress(address));
  for (const text of [
    "",
    "a",
    "a@",
    "@b",
    "a@b@c",
    "a@b, c@d",
    "a@b;c@d",
    "a@b\nBcc: c@d",
    "a@b\r\n",
    "a @b",
    "<a@b>",
    "Ada <a@b>",
    '"a"@b',
    "a@b\u0000",
    "a@b\u2028",
    `${"a".repeat(250)}@b.cd`,
  ])
    assert.equal(isAddress(text), false, JSON.stringify(text));
});

test("MAIL-17 MAIL-18 invalid settings are reported before anything is sent", () => {
  assert.equal(findMailProblem(settings), undefined);
  assert.match(findMailProblem({ ...settings, host: "" }) ?? "", /not configured/);
  assert.match(findMailProblem({ ...settings, from: "" }) ?? "", /smtp\.from/);
  assert.match(findMailProblem({ ...settings, fromName: "A\nB" }) ?? "", /control characters/);
  for (const host of ["mail.example.test", "10.0.0.1", "127.example.test", "localhost.example.test"])
    assert.match(findMailProblem({ ...settings, host }) ?? "", /only for a mail server on this machine/, host);
  for (const host of ["localhost", "::1", "127.9.9.9"]) assert.equal(findMailProblem({ ...settings, host }), undefined);
});

test("MAIL-19 temporary failures are distinguished from permanent ones", async () => {
  const message = { to: "ada@example.test", subject: "Hello", text: "Hello" };
  const isFinal = (expected: boolean) => (error: unknown) => error instanceof MailError && error.isFinal === expected;
  // Nobody listens on port 1.
  await assert.rejects(sendMail(settings, message), isFinal(false));
  await assert.rejects(sendMail(settings, { ...message, to: "ada@example.test, eve@evil.test" }), isFinal(true));
  await assert.rejects(sendMail(settings, { ...message, subject: "Hello\nBcc: eve@evil.test" }), isFinal(true));
});
