import assert from "node:assert/strict";
import { test } from "node:test";
import { findCredential, type SentCredentials } from "./credentials.ts";

const nothing: SentCredentials = { key: undefined, authorization: undefined };

test("KEY-10 KEY-13 one credential is found wherever it was sent, two different ones cannot hold", () => {
  const cases: [Partial<SentCredentials>, string | undefined][] = [
    [{}, undefined],
    [{ session: "s", tokenInAddress: "t" }, undefined],
    [{ key: "a" }, "a"],
    [{ authorization: "Bearer a" }, "a"],
    [{ authorization: "bearer   a" }, "a"],
    [{ keyInAddress: "a" }, "a"],
    [{ key: "a", authorization: "Bearer a", keyInAddress: "a" }, "a"],
    [{ key: "a", authorization: "Bearer b" }, ""],
    [{ key: "a", keyInAddress: "b" }, ""],
    [{ key: "a", authorization: "Basic a" }, ""],
    [{ authorization: "Basic a" }, ""],
    [{ authorization: "Bearer a b" }, ""],
    [{ key: "" }, ""],
    [{ key: ["a", "a"] }, ""],
    [{ keyInAddress: ["a", "a"] }, ""],
  ];
  for (const [sent, expected] of cases)
    assert.equal(findCredential({ ...nothing, ...sent }, "GET"), expected, JSON.stringify(sent));
});

test("KEY-13 a key in the address counts on reads alone", () => {
  const sent = { ...nothing, keyInAddress: "a" };
  const found = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].map((method) => findCredential(sent, method));
  assert.deepEqual(found, ["a", "a", "", "", "", ""]);
});
