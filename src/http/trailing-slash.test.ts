import assert from "node:assert/strict";
import { test } from "node:test";
import { dropTrailingSlash } from "./trailing-slash.ts";

test("HTTP-9 one slash goes, and only from addresses of the service", () => {
  for (const [url, expected] of [
    ["/api/collections/", "/api/collections"],
    ["/api/", "/api"],
    ["/api/collections/?a=/", "/api/collections?a=/"],
    ["/download/c/o/p/", "/download/c/o/p"],
    ["/stream/c/o/p/?pwd=x", "/stream/c/o/p?pwd=x"],
    ["/imageworks/c/o/p.jpg/", "/imageworks/c/o/p.jpg"],
    ["/automations/a/", "/automations/a"],
    ["/api/collections/c/o/increment/", "/api/collections/c/o/increment"],
  ])
    for (const method of ["GET", "POST", "HEAD", "OPTIONS"])
      assert.equal(dropTrailingSlash({ method, url: String(url) }), expected);
  for (const method of ["PUT", "PATCH", "DELETE"])
    assert.equal(dropTrailingSlash({ method, url: "/api/collections/c/o/" }), "/api/collections/c/o/");
  for (const url of [
    "/api/collections/c/o/p/increment/",
    "/collections/c/o/p/decrement/?x=1",
    "/",
    "//",
    "/?a=/",
    "/api//",
    "/api/collections//",
    "/api/collections/x?a=/?",
    "/apix/",
    "/data/",
    "/mcp/",
    "/oauth/token/",
    "/.well-known/jwks.json/",
    "//api/collections/",
    "http://host/api/collections/",
  ])
    assert.equal(dropTrailingSlash({ method: "GET", url }), url);
  assert.equal(dropTrailingSlash({ url: undefined }), "/");
});
