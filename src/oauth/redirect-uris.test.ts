import assert from "node:assert/strict";
import { test } from "node:test";
import { receiverKey, receiverOf, redirectProblem, withParameters } from "./redirect-uris.ts";

test("OAU-20 a redirect URI has one meaning for every parser", () => {
  const good = ["https://a.test/cb", "https://a.test", "http://[::1]:1/", "http://localhost", "org.example.app:/cb"];
  for (const uri of good) assert.equal(redirectProblem(uri), undefined, uri);
  const bad = [
    "http://a.test/",
    "https://a.test/#",
    "https://a@b.test/",
    "https://a.test/?iss=x",
    "app:/cb",
    "https:a",
    "https://a,b;sandbox;x",
    "https://a'b.test/",
    "https://-a.test/",
    1,
  ];
  for (const uri of bad) assert.equal(typeof redirectProblem(uri), "string", String(uri));
});

test("OAU-38 a receiver is a host, or an app on the device", () => {
  assert.deepEqual(receiverOf("https://a.test:8443/cb?x=1"), { name: "a.test:8443", isLocal: false });
  assert.deepEqual(receiverOf("http://127.0.0.1:99/"), { name: "127.0.0.1:99", isLocal: true });
  assert.match(receiverOf("org.example.app:/cb").name, /org\.example\.app/);
  assert.equal(receiverKey("https://a.test/1"), receiverKey("https://a.test/2"));
  assert.notEqual(receiverKey("https://a.test/1"), receiverKey("https://a.test.evil/1"));
  assert.notEqual(receiverKey("org.example.app:/cb"), receiverKey("org.example.other:/cb"));
});

test("OAU-42 the answer's parameters come behind those of the URI", () => {
  assert.equal(withParameters("https://a.test/cb", { code: "x", state: undefined }), "https://a.test/cb?code=x");
  assert.equal(withParameters("https://a.test/cb?t=1", { code: "x y" }), "https://a.test/cb?t=1&code=x+y");
  assert.equal(withParameters("org.example.app:/cb", { code: "x" }), "org.example.app:/cb?code=x");
});
