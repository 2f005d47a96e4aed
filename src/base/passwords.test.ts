import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword, isPasswordHash, verifyPassword } from "./passwords.ts";

test("FLD-50 a password is verified by its hash, another one is not", async () => {
  const hash = await hashPassword("correct horse");
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await verifyPassword("correct horse", hash), true);
  assert.equal(await verifyPassword("correct horsE", hash), false);
  assert.notEqual(hash, await hashPassword("correct horse"));
});

test("FLD-50 the same text in other code points is the same password", async () => {
  assert.equal(await verifyPassword("Zu\u0308rich", await hashPassword("Z\u00fcrich")), true);
});

test("FLD-50 text that is not a hash verifies nothing", async () => {
  for (const text of ["", "plain", "$argon2id$", "$2y$10$abcdefghijklmnopqrstuv"]) {
    assert.equal(isPasswordHash(text), false, text);
    assert.equal(await verifyPassword("plain", text), false);
  }
});

test("FLD-50 a hash that would cost too much to verify is not accepted", () => {
  const tail = `$${"A".repeat(22)}$${"A".repeat(43)}`;
  assert.equal(isPasswordHash(`$argon2id$v=19$m=19456,t=2,p=1${tail}`), true);
  assert.equal(isPasswordHash(`$argon2id$v=19$m=999999,t=2,p=1${tail}`), false);
  assert.equal(isPasswordHash(`$argon2id$v=19$m=200000,t=99,p=1${tail}`), false);
  assert.equal(isPasswordHash(`$argon2id$v=19$m=4,t=1,p=1${tail}`), false);
});
