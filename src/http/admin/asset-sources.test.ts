import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptSources } from "./asset-sources.ts";

test("DL-43 scripts of the admin are named by host and path, and by the origin where the host is not known", () => {
  for (const [asked, configured, expected] of [
    ["cms.example.org", "cms.example.org", "cms.example.org/admin/assets/ cms.example.org/api/ext/"],
    ["localhost:8080", "", "localhost:8080/admin/assets/ localhost:8080/api/ext/"],
    ["127.0.0.1:1", "a.b", "127.0.0.1:1/admin/assets/ 127.0.0.1:1/api/ext/ a.b/admin/assets/ a.b/api/ext/"],
    ["cms.example.org", "", "'self'"],
    ["192.168.0.7:8080", "a.b", "'self'"],
    ["a.b", "192.168.0.7:8080", "'self'"],
    ["[::1]:8080", "", "'self'"],
    ["a.b; script-src *", "a.b", "'self'"],
    ["a.b", "x y", "'self'"],
    ["", "", "'self'"],
  ] as const)
    assert.equal(scriptSources(asked, configured), expected, `${asked} ${configured}`);
});
