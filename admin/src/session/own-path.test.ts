import assert from "node:assert/strict";
import { test } from "node:test";
import { isAdminPath, ownPath } from "./own-path.ts";

test("ADM-123 the way back after signing in stays on this site", () => {
  const own = ["/admin", "/admin/collections/blog?search=a%20b&filter[author]=Ada", "/oauth/authorize?client_id=x"];
  for (const path of own) assert.equal(ownPath(path), path);
  const foreign = ["", "admin", "//evil.test", "/\\evil.test", "/a\\b", "https://evil.test", "javascript:1", "/a\nb"];
  for (const path of [...foreign, "/\t/evil.test", " /a", undefined]) assert.equal(ownPath(path), "/admin");
});

test("ADM-123 an address of the admin is recognised, and no other", () => {
  for (const path of ["/admin", "/admin?x=1", "/admin/collections", "/admin/login-page"]) assert.ok(isAdminPath(path));
  for (const path of ["/administrator", "/api/docs", "/admin/login", "/admin/login?redirect=/admin/login"])
    assert.ok(!isAdminPath(path));
});
