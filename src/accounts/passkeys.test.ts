import assert from "node:assert/strict";
import { test } from "node:test";
import { siteAt } from "./passkeys.ts";

test("PKEY-5 the site is the domain and the origin of the public URL", () => {
  assert.deepEqual(siteAt("https://cms.example.test"), { id: "cms.example.test", origin: "https://cms.example.test" });
  assert.deepEqual(siteAt("https://example.test:8443/cms"), {
    id: "example.test",
    origin: "https://example.test:8443",
  });
});

test("PKEY-14 an address of this machine is localhost, and nothing else is", () => {
  for (const base of ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080"])
    assert.deepEqual(siteAt(base), { id: "localhost", origin: "http://localhost:8080" });
  assert.equal(siteAt("https://127.example.test").id, "127.example.test");
});
