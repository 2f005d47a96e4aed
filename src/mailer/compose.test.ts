import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";
import { composeMail, isAllowedRecipient } from "./compose.ts";

const app = (allowed: string[] = []) =>
  ({ settings: { get: (name: string) => (name === "smtp.from" ? "cms@example.test" : allowed) } }) as never;
const base = { to: "{{ data.email }}", subject: "Hello {{ data.name }}", bodyText: "Dear {{ data.name }}" };

async function detailsOf(mailer: JsonObject, data: JsonObject, allowed: string[] = []) {
  try {
    await composeMail(app(allowed), mailer, { data, user: {} });
  } catch (error) {
    if (error instanceof CairnError) return error.details ?? {};
    throw error;
  }
  return {};
}

test("MLR-1 every text of the mail is a template with data and user", async () => {
  const mailer = {
    ...base,
    ...{
      fromName: "{{ user.name }}",
      replyTo: "{{ user.email }}",
      cc: "a@b.test\n{{ data.boss }}\n",
      toName: "{{ data.name }}",
    },
    bodyHtml: "<p>{{ data.name }}</p>",
  };
  const data = { email: "x@y.test", name: "<Zoë>", boss: "" };
  const message = await composeMail(app(), mailer, { data, user: { name: "Ada", email: "ada@b.test" } });
  assert.deepEqual(message, {
    ...{ to: ["x@y.test"], cc: ["a@b.test"], bcc: [], subject: "Hello <Zoë>", text: "Dear <Zoë>", toName: "<Zoë>" },
    ...{ html: "<p>&lt;Zoë&gt;</p>", fromName: "Ada", replyTo: "ada@b.test" },
  });
});

test("MLR-4 data adds neither a recipient nor a header", async () => {
  for (const email of [
    "a@b.test\nc@d.test",
    "a@b.test, c@d.test",
    "a@b.test;c@d.test",
    "A <a@b.test>",
    "a@b.test\r\nBcc: c@d.test",
    "",
  ])
    assert.ok((await detailsOf(base, { email })).to, JSON.stringify(email));
  const data = { email: "a@b.test", name: "x\r\nBcc: c@d.test\u2028" };
  const { subject } = await composeMail(app(), { ...base, fromName: "{{ data.name }}" }, { data, user: {} });
  assert.equal(subject, "Hello x Bcc: c@d.test");
});

test("MLR-3 all invalid properties are reported at once", async () => {
  const details = await detailsOf(
    { to: "nobody", cc: "{{ data.x | nope }}", replyTo: "a@b\nc@d", subject: "{% if %}", bodyHtml: " ", from: "x" },
    {},
  );
  assert.deepEqual(Object.keys(details).sort(), ["bodyText", "cc", "from", "replyTo", "subject", "to"]);
});

test("MLR-5 recipients outside of the list are refused, in cc and bcc too", async () => {
  const mailer = { ...base, cc: "boss@evil.test", bcc: "x@sub.example.test" };
  const details = await detailsOf(mailer, { email: "a@example.test", name: "x" }, ["example.test"]);
  assert.deepEqual(Object.keys(details), ["cc"]);
  const allowed = ["example.test", "One@Other.test", "@at.test"];
  for (const address of ["a@example.test", "a@SUB.example.test", "one@other.test", "b@at.test"])
    assert.ok(isAllowedRecipient(allowed, address), address);
  for (const address of ["a@notexample.test", "a@example.test.evil", "two@other.test", "a@test"])
    assert.equal(isAllowedRecipient(allowed, address), false, address);
});
