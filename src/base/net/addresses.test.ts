import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, networkOf } from "./addresses.ts";

test("RATE-3 an IPv4 address counts for itself, an IPv6 address for its /64 network", () => {
  for (const [address, network] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ] as const)
    assert.equal(networkOf(address), network, address);
});

test("RATE-3 text that is not an address gives none", () => {
  for (const text of ["", "unknown", "1.2.3", "1.2.3.4:80", "::1::", "a".repeat(1_000)])
    assert.equal(networkOf(text), undefined, text);
});

test("START-20 MCP-46 a loopback address is one of this machine, and no name that may be anybody's", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    assert.ok(isLoopback(host), host);
  for (const host of ["", "0.0.0.0", "::", "192.0.2.7", "127.evil.test", "localhost.evil.test", "::ffff:192.0.2.7"])
    assert.ok(!isLoopback(host), host);
});
