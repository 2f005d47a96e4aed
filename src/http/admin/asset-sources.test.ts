import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptSources } from "./asset-sources.ts";

test("DL-43 scripts of the admin are named by host and path, and by the origin where no host can be named", () => {
  for (const [hosts, expected] of [
    [["cms.example.org"], "cms.example.org/admin/assets/ cms.example.org/api/ext/"],
    [["localhost:8080", "localhost:8080"], "localhost:8080/admin/assets/ localhost:8080/api/ext/"],
    [["127.0.0.1:1", "a.b"], "127.0.0.1:1/admin/assets/ 127.0.0.1:1/api/ext/ a.b/admin/assets/ a.b/api/ext/"],
    [["192.168.0.7:8080", "a.b"], "'self'"],
    [["[::1]:8080"], "'self'"],
    [["a.b; script-src *"], "'self'"],
    [["a.b", "x y"], "a.b/admin/assets/ a.b/api/ext/"],
    [[""], "'self'"],
    [[], "'self'"],
  ] as const)
    assert.equal(scriptSources(hosts), expected, hosts.join());
});
