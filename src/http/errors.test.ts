import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { fail } from "#base/errors.ts";
import { createErrorHandler } from "./errors.ts";

/** A server whose one route fails as told, and what it logs. */
async function ask(failure: () => unknown) {
  const lines: string[] = [];
  const log = { error: (fields: { err: Error }) => lines.push(JSON.stringify({ ...fields, err: String(fields.err) })) };
  const server = fastify({ genReqId: () => "req-1" });
  server.setErrorHandler(createErrorHandler(log));
  server.post("/", async () => failure());
  const answer = await server.inject({ method: "POST", url: "/?api_key=hidden", payload: { a: 1 } });
  await server.close();
  return { answer, log: lines.join() };
}

test("HTTP-3 an unexpected failure is 500 with a fixed text and the request id (T24)", async () => {
  const { answer, log } = await ask(() => {
    throw new Error("secret detail in /srv/app/file.ts");
  });
  assert.equal(answer.statusCode, 500);
  assert.deepEqual(answer.json(), {
    error: { code: 500, message: "Something went wrong on the server. Request id: req-1" },
  });
  assert.match(log, /secret detail/);
  assert.match(log, /"requestId":"req-1"/);
  assert.equal(log.includes("hidden"), false);
});

test("HTTP-3 whatever is thrown is answered", async () => {
  for (const thrown of [
    "text",
    7,
    { statusCode: 500, message: "inner" },
    Object.assign(new Error("x"), { statusCode: 502 }),
  ]) {
    const { answer } = await ask(() => {
      throw thrown;
    });
    assert.equal(answer.statusCode, 500);
    assert.doesNotMatch(answer.body, /text|inner/);
  }
});

test("HTTP-2 a known failure has its own message and is not logged", async () => {
  const { answer, log } = await ask(() => fail("invalid", "No.", { title: ["Too short"] }));
  assert.equal(answer.statusCode, 400);
  assert.deepEqual(answer.json(), { error: { code: 400, message: "No.", details: { title: ["Too short"] } } });
  assert.equal(log, "");
});

test("HTTP-2 refusals of the framework keep their status and lose their text", async () => {
  for (const [status, expected] of [
    [400, 400],
    [404, 404],
    [406, 415],
    [413, 413],
    [414, 404],
    [415, 415],
    [418, 400],
    [503, 503],
  ] as const) {
    const { answer } = await ask(() => {
      throw Object.assign(new Error("FST_ERR of the framework"), { statusCode: status });
    });
    assert.equal(answer.statusCode, expected);
    assert.equal(answer.json().error.code, expected);
    assert.doesNotMatch(answer.body, /FST_ERR/);
  }
});
