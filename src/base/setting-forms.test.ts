import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyAddresses, webAddress } from "./setting-forms.ts";

const cases = [
  [webAddress, ["https://a.test", "http://a.test:8080/", "https://a.test/cms", "http://[::1]:80"]],
  [proxyAddresses, ["127.0.0.1", "::1", "10.0.0.0/8", "fd00::/8", "loopback", "uniquelocal"]],
] as const;

const wrong = [
  "nonsense",
  "a.test",
  "ftp://a.test",
  "mysql://h",
  "https://a.test?x=1",
  "https://u:p@a.test",
  "10.0.0.0/33",
  "1.2.3",
  "::1/129",
  "10.0.0.1/x",
];

test("START-8 the formats of settings accept exactly what they describe", () => {
  for (const [form, right] of cases) {
    for (const text of right) assert.ok(form.fits(text), text);
    for (const text of wrong) assert.ok(!form.fits(text), text);
  }
});
