import assert from "node:assert/strict";
import { test } from "node:test";
import { ownPath } from "./login-page.ts";

test("OAU-37 the way back after signing in is a path on this site (T65)", () => {
  const own = ["/", "/admin", "/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fa.test", "/a//b", "/?x=//b"];
  for (const path of own) assert.equal(ownPath(path), path);
  const foreign = ["", "admin", "//evil.test", "/\\evil.test", "/a\\b", "https://evil.test", "javascript:1", "/a\nb"];
  for (const path of [...foreign, "/\t/evil.test", " /a", "/é", undefined, ["/a"]])
    assert.equal(ownPath(path), undefined);
});
