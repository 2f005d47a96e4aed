import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword } from "#base/passwords.ts";
import { keepSecrets } from "#content/collections/reindex.ts";
import { build, refusal, schemaOf } from "#schemas/build.fixture.ts";
import { collectPasswords } from "#schemas/build.ts";
import { indexEntry } from "#schemas/index-entry.ts";

const user = schemaOf(
  { name: { type: "string" }, password: { $ref: "password", label: "Password", minLength: 4, pattern: "\\d" } },
  { required: ["password"], index: ["id", "name", "password"] },
);

test("FLD-51 a password goes to the secrets, never into the document or the index entry (T2)", () => {
  const { document, secrets } = build(user, { name: "N", password: "secret1" });
  assert.equal("password" in document, false);
  assert.deepEqual(secrets, { password: "hash of secret1" });
  assert.doesNotMatch(JSON.stringify(indexEntry(user, { ...document, password: "secret1" })), /secret1|password/);
});

for (const password of [undefined, null, ""]) {
  test(`FLD-52 ${JSON.stringify(password) ?? "a missing password"} keeps the stored password (T5)`, () => {
    const input = password === undefined ? { name: "N" } : { name: "N", password };
    assert.deepEqual(build(user, input, { secrets: { password: "old" } }).secrets, { password: "old" });
    assert.deepEqual(
      refusal(() => build(user, input)),
      { password: ["Password is required"] },
    );
  });
}

test("FLD-52 a change of other properties keeps the password", () => {
  const { secrets } = build(user, { name: "N" }, { secrets: { password: "old" }, changed: new Set(["name"]) });
  assert.deepEqual(secrets, { password: "old" });
});

test("FLD-53 rules are checked on the plain text", () => {
  assert.deepEqual(
    refusal(() => build(user, { password: "a1" })),
    { password: ["String must be at least 4 characters"] },
  );
  assert.deepEqual(
    refusal(() => build(user, { password: "abcdef" })),
    { password: ["Value does not match required format"] },
  );
  assert.deepEqual(
    refusal(() => build(user, { password: "a b c 1" })),
    { password: ["Password must not contain spaces"] },
  );
  assert.deepEqual(
    refusal(() => build(user, { password: 12345 })),
    { password: ["Password must be text"] },
  );
  assert.deepEqual(Object.keys(refusal(() => build(user, { password: "1".repeat(1001) }))), ["password"]);
});

test("FLD-54 a hash is taken as it is only when the data is trusted", async () => {
  const hash = await hashPassword("secret1");
  assert.deepEqual(build(user, { password: hash }, { isTrusted: true }).secrets, { password: hash });
  assert.deepEqual(build(user, { password: hash }).secrets, { password: `hash of ${hash}` });
  assert.deepEqual(collectPasswords(user, { password: hash }, true), []);
});

const team = schemaOf(
  {
    lead: { field: "card", schemaref: "member" },
    members: { field: "deck", schemaref: "member" },
    doc: { type: "file" },
    box: { type: "depot" },
  },
  {},
  { member: { name: { type: "string" }, pin: { type: "password" } } },
);

test("FLD-51 passwords in cards and decks are kept by path", () => {
  const { document, secrets } = build(team, {
    lead: { name: "L", pin: "1111" },
    members: [
      { id: "a", name: "A", pin: "2222" },
      { id: "b", name: "B" },
    ],
  });
  assert.deepEqual(
    [document.lead, document.members],
    [
      { name: "L" },
      [
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ],
    ],
  );
  assert.deepEqual(secrets, { "lead.pin": "hash of 1111", "members.a.pin": "hash of 2222" });
});

test("FLD-55 the secret of a deck item that is gone is dropped, the others stay (T5)", () => {
  const secrets = { "lead.pin": "h1", "members.a.pin": "h2", "members.b.pin": "h3" };
  const next = build(team, { lead: { name: "L" }, members: { b: { name: "B" }, c: { name: "C" } } }, { secrets });
  assert.deepEqual(next.secrets, { "lead.pin": "h1", "members.b.pin": "h3" });
});

test("FLD-55 the secret of a property that is not a password any more is dropped (T4)", () => {
  const retyped = schemaOf({ password: { type: "string" } });
  const { document, secrets } = build(retyped, { password: "shown" }, { secrets: { password: "old" } });
  assert.deepEqual([document.password, secrets], ["shown", {}]);
  const untouched = build(retyped, {}, { secrets: { password: "old" }, changed: new Set(["other"]) });
  assert.deepEqual(untouched.secrets, {});
});

test("FLD-56 the password of a file is kept beside the document", () => {
  const file = { name: "a.pdf", password: "open" };
  const box = { password: "b", files: [{ name: "f", mime: "folder", files: [{ name: "x.pdf", password: "deep" }] }] };
  const { document, secrets } = build(team, { doc: file, box });
  assert.deepEqual(document.doc, { name: "a.pdf" });
  assert.doesNotMatch(JSON.stringify(document), /password|open|deep/);
  assert.deepEqual(secrets, {
    "doc.password": "hash of open",
    "box.password": "hash of b",
    "box.f.x.pdf.password": "hash of deep",
  });
  assert.deepEqual(build(team, { doc: { name: "a.pdf" } }, { secrets }).secrets, { "doc.password": "hash of open" });
  assert.deepEqual(build(team, { lead: {} }, { secrets, changed: new Set(["lead"]) }).secrets, secrets);
});

test("FLD-55, FLD-56 a change of the schema keeps the secrets of remaining properties", () => {
  const kept = { "lead.pin": "1", "members.a.pin": "2", "doc.password": "3", "box.f.x.pdf.password": "4" };
  assert.deepEqual(keepSecrets(team, { ...kept, gone: "5", "lead.name": "6", "gone.password": "7" }), kept);
});

test("FLD-57 one write sets at most 20 passwords", () => {
  const members = Array.from({ length: 21 }, (_, i) => ({ pin: `pin${i}` }));
  assert.throws(() => collectPasswords(team, { members }), /At most 20 passwords/);
  assert.equal(collectPasswords(team, { members: JSON.stringify(members.slice(1)) }).length, 20);
});
