import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrivateAddress } from "./private-address.ts";

test("ADM-756 addresses inside the own network are recognised by their text", () => {
  for (const host of [
    "localhost:3000",
    "127.0.0.1",
    "10.1.2.3",
    "172.20.0.1",
    "192.168.0.9",
    "[::1]",
    "[fd00::1]",
    "nas.local",
  ])
    assert.ok(isPrivateAddress(`http://${host}/x`), host);
  for (const host of ["example.org", "8.8.8.8", "172.40.0.1", "[2a00::1]", "10.example.org", "localhost.example.org"])
    assert.equal(isPrivateAddress(`https://${host}/x`), false, host);
  for (const text of ["", "https://", "nonsense"]) assert.equal(isPrivateAddress(text), false, text);
});
